import type { Extension, Name } from '@peculiar/x509';
import { loadX509Library } from './x509-library.ts';

const commonName = '2.5.4.3';
const organizationName = '2.5.4.10';

/** How people call the kinds of names (RFC 5280 4.2.1.6) that certificates of Kubernetes never have. */
const kinds: Readonly<Record<string, string>> = {
  rfc822Name: 'e-mail address',
  uniformResourceIdentifier: 'URI',
  directoryName: 'directory name',
  registeredID: 'registered ID',
  otherName: 'name of another kind',
};

/**
 * What a signing request asks for beyond one common name, organizations, DNS names and IP addresses, as words.
 *
 * @throws an error about a part that cannot be parsed
 */
export async function besidesOf(subject: Name, extensions: readonly Extension[]): Promise<readonly string[]> {
  const { x509, asn1X509, AsnConvert } = await loadX509Library();
  const attributes = [...AsnConvert.parse(subject.toArrayBuffer(), asn1X509.Name)].flatMap((set) => [...set]);
  const others = attributes.filter(({ type }) => type !== commonName && type !== organizationName);
  const commonNames = subject.getField(commonName);
  const alternatives = extensions.filter(({ type }) => type === asn1X509.id_ce_subjectAltName);
  const names = alternatives
    .flatMap(({ value }) => [...AsnConvert.parse(value, asn1X509.SubjectAlternativeName)])
    .flatMap((name) => Object.entries(name))
    .filter(([kind, value]) => value !== undefined && kind !== 'dNSName' && kind !== 'iPAddress');
  const constraints = extensions.filter(({ type }) => type === asn1X509.id_ce_basicConstraints);
  return [
    ...others.map(({ type }) => `attribute ${type} of the subject`),
    ...(commonNames.length > 1 ? [`several common names '${commonNames.join("', '")}'`] : []),
    ...(alternatives.length > 1 ? ['several lists of alternative names'] : []),
    ...names.map(([kind, value]) => `${kinds[kind] ?? kind}${typeof value === 'string' ? ` '${value}'` : ''}`),
    ...(constraints.some(({ rawData }) => new x509.BasicConstraintsExtension(rawData).ca) ? ['to be a CA'] : []),
  ];
}
