import { messageOf } from '@groundplane/errors';
import { derElement, derElements, derTags } from './der.ts';
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
  // What is done with a key next, signing, needs the library: it loads while the key is made.
  loadX509Library().catch(() => undefined);
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(parameters, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const [pkcs8, publicKeyInfo] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', privateKey),
    crypto.subtle.exportKey('spki', publicKey),
  ]);
  const pem = encodePrivateKey(pkcs8);
  recentKeys.keep(pem, { ...kindOfAlgorithm(algorithm), signingKey: privateKey, publicKeyInfo });
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

/** Whether a PEM text has a private key in it, of whatever kind, encrypted or not. */
export function holdsPrivateKey(text: string): boolean {
  return parsePem(text).some(({ label }) => label.endsWith('PRIVATE KEY'));
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
      // Whoever reads the file next might take it: Go looks less closely at what is in a key.
      if (thrown instanceof DamagedKey) break;
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

/** The structure is that of a key, the numbers in it are not. */
class DamagedKey extends Error {}

type KeyKind = Pick<PrivateKey, 'importParameters' | 'signingParameters'>;
type KeyAlgorithmIdentifier = InstanceType<X509Library['asn1X509']['AlgorithmIdentifier']>;

async function importKey(pkcs8: ArrayBuffer, kind: KeyKind): Promise<PrivateKey> {
  try {
    const signingKey = await crypto.subtle.importKey('pkcs8', pkcs8, kind.importParameters, true, ['sign']);
    return { ...kind, signingKey, publicKeyInfo: await publicKeyInfoOf(signingKey, kind) };
  } catch (cause) {
    throw new DamagedKey('its contents are damaged', { cause });
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

const rsaParameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
const rsaKind: KeyKind = { importParameters: rsaParameters, signingParameters: rsaParameters };

function ecdsaKind({ name, hash }: Curve): KeyKind {
  return { importParameters: { name: 'ECDSA', namedCurve: name }, signingParameters: { name: 'ECDSA', hash } };
}

/** @throws Error if it is a key of another kind */
function kindOf({ algorithm, parameters }: KeyAlgorithmIdentifier, library: X509Library): KeyKind {
  const { asn1Rsa, asn1Ecc } = library;
  switch (algorithm) {
    case asn1Rsa.id_rsaEncryption:
      return rsaKind;
    case asn1Ecc.id_ecPublicKey:
      return ecdsaKind(curveOf(parameters, library));
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

/**
 * PKCS#8 (RFC 5958) of a new key → the traditional form of its algorithm. WebCrypto leaves the curve out of the inner SEC1 structure; SEC1
 * files need it. Taken apart by hand: this is done for each key of a node, and the library takes a good part of a key's own time for it.
 */
function encodePrivateKey(pkcs8: ArrayBuffer): string {
  const [, algorithm, wrapped] = derElements(derElements(new Uint8Array(pkcs8))[0]?.contents ?? new Uint8Array());
  const [, parameters] = derElements(algorithm?.contents ?? new Uint8Array());
  if (wrapped === undefined || parameters === undefined) throw new TypeError('Cannot write a key as it is no PKCS#8');
  if (parameters.tag !== derTags.objectIdentifier) return encodePem('RSA PRIVATE KEY', wrapped.contents);
  const [version, privateKey, ...rest] = derElements(derElements(wrapped.contents)[0]?.contents ?? new Uint8Array());
  if (version === undefined || privateKey === undefined) throw new TypeError('Cannot write a key as it is no SEC1');
  const publicKey = rest.filter(({ tag }) => tag !== derTags.explicit0).map(({ whole }) => whole);
  const curve = derElement(derTags.explicit0, parameters.whole);
  return encodePem(
    'EC PRIVATE KEY',
    derElement(derTags.sequence, version.whole, privateKey.whole, curve, ...publicKey),
  );
}

/** How keys of an algorithm sign. */
function kindOfAlgorithm(algorithm: KeyAlgorithm): KeyKind {
  const curve = curves.find(({ name }) => `ECDSA-${name.replace('-', '')}` === algorithm);
  return curve === undefined ? rsaKind : ecdsaKind(curve);
}
