import type { CertificateDemand } from '../packages/phases/dist/index.js';
import { openssl } from './openssl-pair.ts';

/** The facts that a description of the phases gives of a certificate and that stand in the certificate itself. */
export type CertificateFacts = Pick<
  CertificateDemand,
  'subject' | 'dnsNames' | 'ipAddresses' | 'keyUsage' | 'extendedKeyUsage' | 'isAuthority' | 'keyAlgorithm'
>;

/** OpenSSL's words for usages, beside those of RFC 5280. */
const usages: Readonly<Record<string, string>> = {
  'Digital Signature': 'digitalSignature',
  'Key Encipherment': 'keyEncipherment',
  'Certificate Sign': 'keyCertSign',
  'CRL Sign': 'cRLSign',
  'TLS Web Server Authentication': 'serverAuth',
  'TLS Web Client Authentication': 'clientAuth',
};

/** What openssl reads in a certificate, in the form of a description. */
export function certificateFacts(pem: string): CertificateFacts {
  const text = openssl(['x509', '-noout', '-text', '-nameopt', 'sep_multiline'], pem);
  const subject = /Subject:\n((?: +\w+=.*\n)+)/.exec(text)?.[1] ?? '';
  const parts = (name: string) =>
    [...subject.matchAll(new RegExp(`^ +${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const extension = (name: string) => new RegExp(`X509v3 ${name}:.*\n +(.*)\n`).exec(text)?.[1]?.split(', ') ?? [];
  const names = extension('Subject Alternative Name');
  const named = (kind: string) => names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  const known = (words: readonly string[]) => words.map((word) => usages[word] ?? word);
  const organizations = parts('O');
  return {
    subject: { CN: parts('CN').join(), ...(organizations.length === 0 ? {} : { O: organizations }) },
    dnsNames: named('DNS:'),
    ipAddresses: named('IP Address:').map(shortened),
    keyUsage: known(extension('Key Usage')),
    extendedKeyUsage: known(extension('Extended Key Usage')),
    isAuthority: extension('Basic Constraints').includes('CA:TRUE'),
    keyAlgorithm: algorithmIn(text),
  };
}

/** OpenSSL writes all groups of an IPv6 address. */
function shortened(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function algorithmIn(text: string): string {
  const curve = /NIST CURVE: (P-\d+)/.exec(text)?.[1];
  return curve === undefined ? `RSA-${/Public-Key: \((\d+) bit\)/.exec(text)?.[1]}` : `ECDSA-${curve.replace('-', '')}`;
}

/** The same part of what a description demands. */
export function demandedFacts(demand: CertificateDemand): CertificateFacts {
  const { subject, dnsNames, ipAddresses, keyUsage, extendedKeyUsage, isAuthority, keyAlgorithm } = demand;
  return { subject, dnsNames, ipAddresses, keyUsage, extendedKeyUsage, isAuthority, keyAlgorithm };
}

/** Whole days until a certificate ends, rounded. */
export function daysLeft(pem: string): number {
  const end = openssl(['x509', '-noout', '-enddate'], pem).trim().replace('notAfter=', '');
  return Math.round((Date.parse(end) - Date.now()) / 86_400_000);
}
