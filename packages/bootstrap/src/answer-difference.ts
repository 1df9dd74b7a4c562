import {
  type CertificateDescription,
  describeCertificate,
  normalizeIpAddress,
  splitCertificates,
} from '@groundplane/pki';
import type { CertificateOrder, CertificateProfile } from './certificate-order.ts';

type Said = (certificate: CertificateDescription) => readonly string[];
type Asked = (profile: CertificateProfile) => readonly string[];

const rows: readonly { readonly what: string; readonly said: Said; readonly asked: Asked }[] = [
  { what: 'the common name', said: ({ subject }) => [subject.commonName], asked: ({ commonName }) => [commonName] },
  {
    what: 'the organizations',
    said: ({ subject }) => subject.organizations,
    asked: ({ organizations }) => organizations,
  },
  { what: 'the DNS names', said: ({ sans }) => sans.dnsNames, asked: ({ dnsNames }) => dnsNames },
  {
    what: 'the IP addresses',
    said: ({ sans }) => sans.ipAddresses.map(oneSpelling),
    asked: ({ ipAddresses }) => ipAddresses.map(oneSpelling),
  },
  { what: 'further names', said: ({ otherNames }) => otherNames, asked: () => [] },
  {
    what: 'the user identifier',
    said: ({ userIdentifier }) => (userIdentifier === undefined ? [] : [userIdentifier]),
    asked: () => [],
  },
  {
    what: 'the signing usages',
    said: ({ isCA, keyUsages }) => (isCA ? [] : signingUsages(keyUsages)),
    asked: () => [],
  },
  {
    what: 'the extended key usages',
    said: ({ extendedKeyUsages }) => extendedKeyUsages,
    asked: ({ extendedKeyUsages }) => extendedKeyUsages,
  },
];

/** Usages of a CA alone. */
export function signingUsages(keyUsages: CertificateDescription['keyUsages']): readonly string[] {
  return (keyUsages ?? []).filter((usage) => usage === 'keyCertSign' || usage === 'cRLSign');
}

/**
 * What a certificate says otherwise than it was asked to. Names and usages decide who its owner is to a cluster, so one too many is as wrong as one
 * too few, although the certificate verifies. For how long it is valid is the CA's affair, within what the phase demands, as long as those that have signed it are valid.
 *
 * @param pem the first certificate counts
 * @returns undefined if there is nothing
 * @throws GroundplaneError PKI_CERTIFICATE_UNREADABLE
 */
export async function answerDifference(
  { profile, authority }: Pick<CertificateOrder, 'profile' | 'authority'>,
  pem: string,
): Promise<string | undefined> {
  const certificate = await describeCertificate(pem);
  for (const { what, said, asked } of rows) {
    const [is, should] = [said(certificate), asked(profile)].map((list) => [...new Set(list)].toSorted());
    if (is?.join('\n') !== should?.join('\n'))
      return `it has ${what} ${listText(is)} where ${listText(should)} was asked for`;
  }
  if (certificate.isCA !== profile.isCA)
    return `it is ${certificate.isCA ? 'a CA' : 'no CA'}, and was to be ${profile.isCA ? 'one' : 'none'}`;
  const signers = await Promise.all(splitCertificates(pem).slice(1).map(describeCertificate));
  const ends = [
    ...signers.map(({ notAfter, subjectText }) => ({ who: `the intermediate CA '${subjectText}'`, notAfter })),
    { who: 'its CA', notAfter: await endOf(authority) },
  ];
  const first = ends.find(({ notAfter }) => notAfter < certificate.notAfter);
  if (first === undefined) return undefined;
  return `it is valid until ${certificate.notAfter.toISOString()}, longer than ${first.who}: ${first.notAfter.toISOString()}`;
}

/** When the last of the certificates of a CA ends. */
export async function endOf(authority: string): Promise<Date> {
  const all = await Promise.all(splitCertificates(authority).map(describeCertificate));
  return new Date(Math.max(...all.map(({ notAfter }) => notAfter.getTime())));
}

function oneSpelling(address: string): string {
  return normalizeIpAddress(address) ?? address;
}

function listText(list: readonly string[] = []): string {
  return list.filter((one) => one !== '').join(', ') || 'none';
}
