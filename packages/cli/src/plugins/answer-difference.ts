import { type CertificateDescription, describeCertificate, normalizeIpAddress } from '@groundplane/pki';
import type { CertificateProfile } from '@groundplane/plugin';

type Said = (certificate: Pick<CertificateDescription, 'subject' | 'sans' | 'extendedKeyUsages'>) => readonly string[];
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
  {
    what: 'the extended key usages',
    said: ({ extendedKeyUsages }) => extendedKeyUsages,
    asked: ({ extendedKeyUsages }) => extendedKeyUsages,
  },
];

/**
 * What a certificate says otherwise than it was asked to. Names and usages decide who its owner is to a cluster, so one too many is as wrong as one
 * too few, although the certificate verifies. For how long it is valid is the CA's affair, within what the phase demands.
 *
 * @param pem the first certificate counts
 * @returns undefined if there is nothing
 * @throws GroundplaneError PKI_CERTIFICATE_UNREADABLE
 */
export async function answerDifference(profile: CertificateProfile, pem: string): Promise<string | undefined> {
  const certificate = await describeCertificate(pem);
  for (const { what, said, asked } of rows) {
    const [is, should] = [said(certificate), asked(profile)].map((list) => [...new Set(list)].toSorted());
    if (is?.join('\n') !== should?.join('\n'))
      return `it has ${what} ${listText(is)} where ${listText(should)} was asked for`;
  }
  if (certificate.isCA !== profile.isCA)
    return `it is ${certificate.isCA ? 'a CA' : 'no CA'}, and was to be ${profile.isCA ? 'one' : 'none'}`;
  return undefined;
}

function oneSpelling(address: string): string {
  return normalizeIpAddress(address) ?? address;
}

function listText(list: readonly string[] = []): string {
  return list.filter((one) => one !== '').join(', ') || 'none';
}
