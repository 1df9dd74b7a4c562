import { X509Certificate } from 'node:crypto';
import { ecKey, type OpensslPair, type OpensslRequest, opensslPair, rsaKey } from './openssl-pair.ts';

/** A certificate with its key, and who signed it; a CA signs itself. */
export interface IssuedCertificate extends OpensslPair {
  readonly issuer?: OpensslPair | undefined;
}

/** Extended key usages by the object identifiers that Node.js gives. */
const usageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
};

/** What openssl has to be asked for to get such a certificate again. */
function requestOf({ certificate, key, issuer }: IssuedCertificate): OpensslRequest {
  const { subject, subjectAltName = '', keyUsage = [], ca } = new X509Certificate(certificate);
  const part = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(subject)?.[1];
  const names = subjectAltName.replaceAll('IP Address:', 'IP:').replaceAll(', ', ',');
  const organization = part('O');
  return {
    commonName: part('CN') ?? '',
    ...(organization === undefined ? {} : { organization }),
    extensions: [
      ...(ca
        ? ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign']
        : ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature,keyEncipherment']),
      ...(keyUsage.length === 0 ? [] : [`extendedKeyUsage=${keyUsage.map((usage) => usageNames[usage]).join(',')}`]),
      ...(names === '' ? [] : [`subjectAltName=${names}`]),
    ],
    ...(issuer === undefined ? {} : { issuer }),
    key,
  };
}

/** One thing about a certificate that is not as it should be; everything else is. */
export type CertificateChange = (issued: IssuedCertificate) => string;

const again = (issued: IssuedCertificate, change: Partial<OpensslRequest>) =>
  opensslPair({ ...requestOf(issued), ...change }).certificate;
const without = (issued: IssuedCertificate, name: string) =>
  requestOf(issued).extensions.filter((line) => !line.startsWith(name));

/** RSA keys that are too short, made once. */
const shortKeys = new Map<number, string>();

/** A certificate for a key that is too short, and that key. */
export function withShortKey(issued: IssuedCertificate, bits: number): OpensslPair {
  const key = shortKeys.get(bits) ?? rsaKey(bits);
  shortKeys.set(bits, key);
  return { certificate: again(issued, { key }), key };
}

/** A certificate that is signed by way of SHA-1, which Go refuses. */
export function signedWithSha1(issued: IssuedCertificate): string {
  return again(issued, { digest: 'sha1' });
}

/** Key of the CA that signs where it should not; made once. */
let strangerKey: string | undefined;
const ofStranger = () => {
  strangerKey ??= ecKey();
  return strangerKey;
};

/** A CA that calls itself like another one. */
function impostorOf({ certificate, key }: OpensslPair): OpensslPair {
  return opensslPair({ ...requestOf({ certificate, key }), key: ofStranger() });
}

export const certificateChanges = {
  expired: (issued) => again(issued, { from: '20200101', until: '20210101' }),
  'not yet valid': (issued) => again(issued, { from: '20480101', until: '20491231' }),
  'with other names': (issued) =>
    again(issued, { extensions: [...without(issued, 'subjectAltName'), 'subjectAltName=DNS:elsewhere.example'] }),
  'for another usage': (issued) =>
    again(issued, { extensions: [...without(issued, 'extendedKeyUsage'), 'extendedKeyUsage=codeSigning'] }),
  'of another subject': (issued) => again(issued, { commonName: 'somebody', organization: 'strangers' }),
  'of another issuer': (issued) =>
    again(issued, issued.issuer === undefined ? {} : { issuer: impostorOf(issued.issuer) }),
  'for another key': (issued) => again(issued, { key: ofStranger() }),
  'that is no CA': (issued) =>
    again(issued, {
      extensions: ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'],
    }),
  'that may not sign certificates': (issued) =>
    again(issued, { extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,digitalSignature'] }),
} satisfies Readonly<Record<string, CertificateChange>>;
