import { readFileSync } from 'node:fs';
import type { CertificateDemand } from '@groundplane/phases';
import { type CertificateRequest, type ExtendedKeyUsage, issueCertificate, type KeyAlgorithm } from '@groundplane/pki';

/** Certificates that meet all that is demanded of them but one thing, with the keys of pki's fixtures. */

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');

export const now = new Date('2026-06-01T00:00:00Z');
const past = new Date('2026-01-01T00:00:00Z');
const future = new Date('2027-01-01T00:00:00Z');

const authorityKey = pem('root.key');
const leafKey = pem('p384-sec1.key');
const otherKey = pem('p521-sec1.key');
const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

/** What `verify` is shown: PEM texts. */
export interface Shown {
  readonly certificate: string;
  readonly key: string;
  /** Of the CA, with its key; a CA has none. */
  readonly authority?: { readonly certificate: string; readonly key: string };
}

/** Code and severity of a demand. */
export type Violation = `${string} ${'error' | 'warning'}`;

interface Change {
  readonly request?: Partial<CertificateRequest>;
  readonly authority?: Partial<CertificateRequest>;
  /** Certificate of the CA that signs, with the usual key. */
  readonly issuer?: string;
  /** Takes the place of the CA that signed. */
  readonly shownAuthority?: string;
  readonly shown?: Partial<Shown>;
  /** PEM of the key that the certificate is for. */
  readonly key?: string;
  /** PEM of what else is in the file. */
  readonly behind?: string;
}

/** The certificate that is asked for, out of the data alone. */
export function requestOf(demand: CertificateDemand): CertificateRequest {
  return {
    subject: { commonName: demand.subject.CN, organizations: demand.subject.O ?? [] },
    sans: { dnsNames: demand.dnsNames, ipAddresses: demand.ipAddresses },
    extendedKeyUsages: demand.extendedKeyUsage as readonly ExtendedKeyUsage[],
    isCA: demand.isAuthority,
    notBefore: past,
    notAfter: new Date(past.getTime() + demand.validityDays * 86_400_000),
    keyAlgorithm: demand.keyAlgorithm as KeyAlgorithm,
  };
}

/** Of a CA, as far as leaves need one. */
const authorityRequest: CertificateRequest = {
  subject: { commonName: 'kubernetes', organizations: [] },
  sans: { dnsNames: ['kubernetes'], ipAddresses: [] },
  extendedKeyUsages: [],
  isCA: true,
  notBefore: past,
  notAfter: new Date('2035-01-01T00:00:00Z'),
  keyAlgorithm: 'ECDSA-P256',
};

const nothing = { dnsNames: [], ipAddresses: [] };

/** Violation → what is to be otherwise, for a certificate with these demands and these required names. */
export const violations: Readonly<
  Record<Violation, (demand: CertificateDemand, required: CertificateRequest['sans']) => Change>
> = {
  'PKI_CERTIFICATE_UNREADABLE error': () => ({ shown: { certificate: damaged } }),
  'PKI_CERTIFICATE_NOT_CA error': () => ({ request: { isCA: false, extendedKeyUsages: ['serverAuth', 'clientAuth'] } }),
  'PKI_CERTIFICATE_NOT_ALONE error': () => ({ behind: pem('impostor.crt') }),
  'BOOTSTRAP_KEY_PUBLIC warning': () => ({ behind: pem('root.key') }),
  'PKI_CERTIFICATE_CANNOT_SIGN warning': () => ({ shown: { certificate: pem('ca-no-cert-sign.crt') } }),
  'PKI_CERTIFICATE_EXPIRED error': () => ({ request: { notAfter: new Date('2026-02-01T00:00:00Z') } }),
  'PKI_CERTIFICATE_EXPIRED warning': () => ({ request: { notAfter: new Date('2026-02-01T00:00:00Z') } }),
  'PKI_CERTIFICATE_NOT_YET_VALID error': () => ({
    request: { notBefore: future, notAfter: authorityRequest.notAfter },
  }),
  'PKI_CERTIFICATE_NOT_YET_VALID warning': () => ({ request: { notBefore: future } }),
  'PKI_CERTIFICATE_UNTRUSTED error': () => ({ shownAuthority: pem('impostor.crt') }),
  'PKI_CERTIFICATE_UNTRUSTED warning': () => ({ issuer: pem('ca-no-cert-sign.crt') }),
  'PKI_ISSUER_OUTSIDE_VALIDITY error': () => ({ authority: { notAfter: new Date('2026-05-01T00:00:00Z') } }),
  'PKI_KEY_MISMATCH error': () => ({ shown: { key: otherKey } }),
  'PKI_KEY_WEAK error': () => ({ key: pem('rsa-512.key') }),
  'PKI_KEY_WEAK warning': () => ({ key: pem('rsa-1024.key') }),
  'PKI_KEY_UNREADABLE error': () => ({ shown: { key: pem('damaged.key') } }),
  'PKI_USAGE_MISSING error': ({ extendedKeyUsage }) => ({
    request: { extendedKeyUsages: [otherUsage(extendedKeyUsage)] },
  }),
  // A CA that restricts itself to what front-proxy-ca does not sign, and the others not only.
  'PKI_USAGE_MISSING warning': ({ subject }) => ({
    request: { extendedKeyUsages: [subject.CN === 'front-proxy-ca' ? 'serverAuth' : 'clientAuth'] },
  }),
  'PKI_SUBJECT_DIFFERS error': () => ({ request: { subject: { commonName: 'somebody', organizations: ['else'] } } }),
  // Where the subject is that of a user, who may do everything is only warned about.
  'PKI_SUBJECT_DIFFERS warning': () => ({
    request: { subject: { commonName: 'somebody', organizations: ['system:masters'] } },
  }),
  'PKI_SAN_MISSING error': () => ({ request: { sans: { ...nothing, dnsNames: ['elsewhere.example.com'] } } }),
  'PKI_SAN_MISSING warning': (_, required) => ({ request: { sans: required } }),
};

function otherUsage(usages: readonly string[]): ExtendedKeyUsage {
  return usages.includes('clientAuth') ? 'serverAuth' : 'clientAuth';
}

/** A certificate for the demand; with a change it misses something. */
export async function shownFor(demand: CertificateDemand, change: Change = {}): Promise<Shown> {
  const shown = await aloneFor(demand, change);
  return { ...shown, certificate: shown.certificate + (change.behind ?? '') };
}

async function aloneFor(demand: CertificateDemand, change: Change): Promise<Shown> {
  const request = { ...requestOf(demand), ...change.request };
  if (demand.issuer === null) {
    const own = await issueCertificate(request, { issuer: 'self', key: change.key ?? authorityKey });
    return { ...own, ...change.shown };
  }
  const usual = await issueCertificate(
    { ...authorityRequest, ...change.authority },
    { issuer: 'self', key: authorityKey },
  );
  const issuer = { ...usual, certificate: change.issuer ?? usual.certificate };
  const leaf = await issueCertificate(request, { issuer, key: change.key ?? leafKey });
  return {
    ...leaf,
    authority: { ...issuer, certificate: change.shownAuthority ?? issuer.certificate },
    ...change.shown,
  };
}
