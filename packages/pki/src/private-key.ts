import { messageOf } from '@groundplane/errors';
import { pkiError } from './error-codes.ts';
import { type Curve, curves, generationParameters, type KeyAlgorithm } from './key-algorithm.ts';
import { encodePem, parsePem } from './pem.ts';
import { recentResults } from './recent-results.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

/** A private key that was read, and how WebCrypto signs with it. */
export interface PrivateKey {
  readonly signingKey: CryptoKey;
  readonly signingParameters: { readonly name: string; readonly hash: string };
  /** Of its public half. */
  readonly importParameters: RsaHashedImportParams | EcKeyImportParams;
  /** DER of the SubjectPublicKeyInfo. */
  readonly publicKeyInfo: ArrayBuffer;
}

/** The keys that were used last: that of a CA signs one certificate after another. */
const recentKeys = recentResults(16, read);

/**
 * Makes a private key. Many at once (`Promise.all`) use all processors.
 *
 * @returns PEM: `RSA PRIVATE KEY` (PKCS#1, RFC 8017 A.1.2) or `EC PRIVATE KEY` (SEC1, RFC 5915), the forms kubeadm writes
 */
export async function generatePrivateKey(algorithm: KeyAlgorithm): Promise<string> {
  const parameters = generationParameters[algorithm];
  if (parameters === undefined) throw new TypeError(`Cannot make a key as the algorithm is unknown: ${algorithm}`);
  const [library, { privateKey, publicKey }] = await Promise.all([
    loadX509Library(),
    crypto.subtle.generateKey(parameters, true, ['sign', 'verify']) as Promise<CryptoKeyPair>,
  ]);
  const [pkcs8, publicKeyInfo] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', privateKey),
    crypto.subtle.exportKey('spki', publicKey),
  ]);
  const { pem, kind } = encodePrivateKey(pkcs8, library);
  recentKeys.keep(pem, { ...kind, signingKey: privateKey, publicKeyInfo });
  return pem;
}

/**
 * The public half of a private key.
 *
 * @param key PEM of a private key: PKCS#1, SEC1 or PKCS#8
 * @returns PEM `PUBLIC KEY` (SubjectPublicKeyInfo, RFC 5280 4.1), the form of `sa.pub`
 * @throws PKI_KEY_UNREADABLE
 */
export async function publicKeyOf(key: string): Promise<string> {
  return encodePem('PUBLIC KEY', (await parsePrivateKey(key)).publicKeyInfo);
}

/**
 * Reads a private key as kubeadm does: the first RSA or ECDSA key of the text, in PKCS#1, SEC1 or PKCS#8 form; other
 * blocks (`EC PARAMETERS`, certificates) are skipped.
 *
 * @throws PKI_KEY_UNREADABLE
 */
export function parsePrivateKey(text: string): Promise<PrivateKey> {
  return recentKeys.of(text);
}

async function read(text: string): Promise<PrivateKey> {
  const library = await loadX509Library();
  const blocks = parsePem(text);
  const reasons: string[] = [];
  for (const { label, der, hasHeaders } of blocks) {
    const toPkcs8 = pkcs8Converters[label];
    if (toPkcs8 === undefined) continue;
    try {
      if (hasHeaders) throw new Error('it is encrypted');
      const pkcs8 = toPkcs8(der, library);
      const { privateKeyAlgorithm } = library.AsnConvert.parse(pkcs8, library.asn1Pkcs8.PrivateKeyInfo);
      return await importKey(pkcs8, kindOf(privateKeyAlgorithm, library));
    } catch (thrown) {
      reasons.push(messageOf(thrown));
    }
  }
  const labels = blocks.map(({ label }) => label).join(', ') || 'no PEM block';
  throw pkiError(
    'PKI_KEY_UNREADABLE',
    `Cannot read a private key as ${reasons[0] ?? 'the text holds none'}: ${labels}`,
    {
      hint: 'Give an unencrypted RSA or ECDSA key in PEM form, for instance: openssl pkey -in ca.key -out ca.key',
    },
  );
}

type KeyKind = Pick<PrivateKey, 'importParameters' | 'signingParameters'>;
type KeyAlgorithmIdentifier = InstanceType<X509Library['asn1X509']['AlgorithmIdentifier']>;

async function importKey(pkcs8: ArrayBuffer, kind: KeyKind): Promise<PrivateKey> {
  try {
    const signingKey = await crypto.subtle.importKey('pkcs8', pkcs8, kind.importParameters, true, ['sign']);
    return { ...kind, signingKey, publicKeyInfo: await publicKeyInfoOf(signingKey, kind) };
  } catch (cause) {
    throw new Error('its contents are damaged', { cause });
  }
}

async function publicKeyInfoOf(key: CryptoKey, { importParameters }: KeyKind): Promise<ArrayBuffer> {
  const { kty, n, e, crv, x, y } = await crypto.subtle.exportKey('jwk', key);
  const members = Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined);
  const publicKey = await crypto.subtle.importKey('jwk', Object.fromEntries(members), importParameters, true, [
    'verify',
  ]);
  return crypto.subtle.exportKey('spki', publicKey);
}

/** PEM label → PKCS#8 DER of what a block of that label holds. */
const pkcs8Converters: Readonly<Record<string, (der: Uint8Array<ArrayBuffer>, library: X509Library) => ArrayBuffer>> = {
  'PRIVATE KEY': (der) => der.buffer,
  'RSA PRIVATE KEY': (der, library) => {
    const { asn1Rsa, asn1X509, AsnConvert } = library;
    AsnConvert.parse(der, asn1Rsa.RSAPrivateKey);
    const algorithm = new asn1X509.AlgorithmIdentifier({ algorithm: asn1Rsa.id_rsaEncryption, parameters: null });
    return wrap(der, algorithm, library);
  },
  'EC PRIVATE KEY': (der, library) => {
    const { asn1Ecc, asn1X509, AsnConvert } = library;
    const { parameters } = AsnConvert.parse(der, asn1Ecc.ECPrivateKey);
    if (parameters === undefined) throw new Error('it does not name its curve');
    const algorithm = new asn1X509.AlgorithmIdentifier({
      algorithm: asn1Ecc.id_ecPublicKey,
      parameters: AsnConvert.serialize(parameters),
    });
    return wrap(der, algorithm, library);
  },
};

function wrap(
  der: Uint8Array<ArrayBuffer>,
  privateKeyAlgorithm: KeyAlgorithmIdentifier,
  { asn1Pkcs8, AsnConvert }: X509Library,
): ArrayBuffer {
  const privateKey = new asn1Pkcs8.PrivateKey(der);
  return AsnConvert.serialize(new asn1Pkcs8.PrivateKeyInfo({ privateKeyAlgorithm, privateKey }));
}

/** @throws Error if it is a key of another kind */
function kindOf({ algorithm, parameters }: KeyAlgorithmIdentifier, library: X509Library): KeyKind {
  const { asn1Rsa, asn1Ecc } = library;
  switch (algorithm) {
    case asn1Rsa.id_rsaEncryption: {
      const parameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
      return { importParameters: parameters, signingParameters: parameters };
    }
    case asn1Ecc.id_ecPublicKey: {
      const curve = curveOf(parameters, library);
      return {
        importParameters: { name: 'ECDSA', namedCurve: curve.name },
        signingParameters: { name: 'ECDSA', hash: curve.hash },
      };
    }
    default:
      throw new Error(`it is neither RSA nor ECDSA but ${algorithm}`);
  }
}

/** The named curve that the parameters of an EC key's AlgorithmIdentifier (RFC 5480 2.1.1) stand for. */
export function curveOf(parameters: ArrayBuffer | null | undefined, { asn1Ecc, AsnConvert }: X509Library): Curve {
  const oid = parameters ? AsnConvert.parse(parameters, asn1Ecc.ECParameters).namedCurve : undefined;
  const curve = curves.find((row) => row.oid === oid);
  if (curve === undefined) throw new Error(`its curve is not supported: ${oid ?? 'no named curve'}`);
  return curve;
}

/** PKCS#8 → the traditional form of its algorithm. WebCrypto leaves the curve out of the inner SEC1 structure; SEC1 files need it. */
function encodePrivateKey(pkcs8: ArrayBuffer, library: X509Library): { readonly pem: string; readonly kind: KeyKind } {
  const { asn1Pkcs8, asn1Rsa, asn1Ecc, AsnConvert } = library;
  const { privateKeyAlgorithm, privateKey } = AsnConvert.parse(pkcs8, asn1Pkcs8.PrivateKeyInfo);
  const kind = kindOf(privateKeyAlgorithm, library);
  if (privateKeyAlgorithm.algorithm === asn1Rsa.id_rsaEncryption) {
    return { pem: encodePem('RSA PRIVATE KEY', privateKey.buffer), kind };
  }
  const ecKey = AsnConvert.parse(privateKey.buffer, asn1Ecc.ECPrivateKey);
  if (privateKeyAlgorithm.parameters) {
    ecKey.parameters = AsnConvert.parse(privateKeyAlgorithm.parameters, asn1Ecc.ECParameters);
  }
  return { pem: encodePem('EC PRIVATE KEY', AsnConvert.serialize(ecKey)), kind };
}
