import type { Extension } from '@peculiar/x509';
import { normalizeIpAddress } from './ip-address.ts';
import { noSubjectAlternativeNames, type SubjectAlternativeNames } from './subject-alternative-names.ts';
import { loadX509Library } from './x509-library.ts';

/** The DNS names and addresses among extensions, in the order in which they stand there. */
export async function namesOf(extensions: readonly Extension[]): Promise<SubjectAlternativeNames> {
  const { asn1X509, AsnConvert } = await loadX509Library();
  const extension = extensions.find(({ type }) => type === asn1X509.id_ce_subjectAltName);
  if (extension === undefined) return noSubjectAlternativeNames;
  const names = [...AsnConvert.parse(extension.value, asn1X509.SubjectAlternativeName)];
  return {
    dnsNames: names.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName])),
    ipAddresses: names.flatMap(({ iPAddress }) =>
      iPAddress === undefined ? [] : [normalizeIpAddress(iPAddress) ?? iPAddress],
    ),
  };
}

/** All other names, as openssl writes them: `email:…`, `URI:…`; of further kinds the kind alone. */
export async function otherNamesOf(extensions: readonly Extension[]): Promise<readonly string[]> {
  const { asn1X509, AsnConvert } = await loadX509Library();
  const extension = extensions.find(({ type }) => type === asn1X509.id_ce_subjectAltName);
  if (extension === undefined) return [];
  return [...AsnConvert.parse(extension.value, asn1X509.SubjectAlternativeName)].flatMap(
    ({ dNSName, iPAddress, rfc822Name, uniformResourceIdentifier, directoryName, registeredID }) => {
      if (dNSName !== undefined || iPAddress !== undefined) return [];
      if (rfc822Name !== undefined) return [`email:${rfc822Name}`];
      if (uniformResourceIdentifier !== undefined) return [`URI:${uniformResourceIdentifier}`];
      return [
        directoryName !== undefined
          ? 'a directory name'
          : registeredID !== undefined
            ? 'a registered ID'
            : 'a name of another kind',
      ];
    },
  );
}

/** Whether a client that looks for `name` accepts one of the names (RFC 6125 6.4: a wildcard stands for one whole label). */
export function coversName(names: SubjectAlternativeNames, name: string): boolean {
  const address = normalizeIpAddress(name);
  if (address !== undefined) return names.ipAddresses.includes(address);
  const wanted = name.toLowerCase();
  const [, ...rest] = wanted.split('.');
  return names.dnsNames.some((candidate) => {
    const lowerCase = candidate.toLowerCase();
    return lowerCase === wanted || (rest.length > 0 && !wanted.startsWith('*.') && lowerCase === `*.${rest.join('.')}`);
  });
}
