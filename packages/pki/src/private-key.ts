import { messageOf } from '@groundplane/errors';
import { pkiError } from './error-codes.ts';
import { type Curve, curves, generationParameters, type KeyAlgorithm } from './key-algorithm.ts';
import { encodePem, parsePem } from './pem.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

/** A private key that was read: PKCS#8 bytes and how WebCrypto signs with it. */
export interface PrivateKey {
  readonly pkcs8: ArrayBuffer;
  readonly importParameters: RsaHashedImportParams | EcKeyImportParams;
  readonly signingParameters: { readonly name: string; readonly hash: string };
}

/**
 * Makes a private key. Many at once (`Promise.all`) use all processors.
 *
 * @returns PEM: `RSA PRIVATE KEY` (PKCS#1, RFC 8017 A.1.2) or `EC PRIVATE KEY` (SEC1, RFC 5915), the forms kubeadm writes
 */
export async function generatePrivateKey(algorithm: KeyAlgorithm): Promise<string> {
  const parameters = generationParameters[algorithm];
  if (parameters === undefined) throw new TypeError(`Cannot make a key as the algorithm is unknown: ${algorithm}`);
  const [library, pair] = await Promise.all([
    loadX509Library(),
    crypto.subtle.generateKey(parameters, true, ['sign', 'verify']) as Promise<CryptoKeyPair>,
  ]);
  return encodePrivateKey(await crypto.subtle.exportKey('pkcs8', pair.privateKey), library);
}

/**
 * The public half of a private key.
 *
 * @param key PEM of a private key: PKCS#1, SEC1 or PKCS#8
 * @returns PEM `PUBLIC KEY` (SubjectPublicKeyInfo, RFC 5280 4.1), the form of `sa.pub`
 * @throws PKI_KEY_UNREADABLE
 */
export async function publicKeyOf(key: string): Promise<string> {
  return encodePem('PUBLIC KEY', await publicKeyInfoOf(await parsePrivateKey(key)));
}

/**
 * Reads a private key as kubeadm does: the first RSA or ECDSA key of the text, in PKCS#1, SEC1 or PKCS#8 form; other
 * blocks (`EC PARAMETERS`, certificates) are skipped.
 *
 * @throws PKI_KEY_UNREADABLE
 */
export async function parsePrivateKey(text: string): Promise<PrivateKey> {
  const library = await loadX509Library();
  const blocks = parsePem(text);
  const reasons: string[] = [];
  for (const { label, der, hasHeaders } of blocks) {
    const toPkcs8 = pkcs8Converters[label];
    if (toPkcs8 === undefined) continue;
    try {
      if (hasHeaders) throw new Error('it is encrypted');
      return await checked(describe(toPkcs8(der, library), library));
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

export function importForSigning(key: PrivateKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', key.pkcs8, key.importParameters, false, ['sign']);
}

/** DER of the SubjectPublicKeyInfo. */
export async function publicKeyInfoOf(key: PrivateKey): Promise<ArrayBuffer> {
  const importedKey = await crypto.subtle.importKey('pkcs8', key.pkcs8, key.importParameters, true, ['sign']);
  const { kty, n, e, crv, x, y } = await crypto.subtle.exportKey('jwk', importedKey);
  const members = Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined);
  const publicKey = await crypto.subtle.importKey('jwk', Object.fromEntries(members), key.importParameters, true, [
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
  privateKeyAlgorithm: InstanceType<X509Library['asn1X509']['AlgorithmIdentifier']>,
  { asn1Pkcs8, AsnConvert }: X509Library,
): ArrayBuffer {
  const privateKey = new asn1Pkcs8.PrivateKey(der);
  return AsnConvert.serialize(new asn1Pkcs8.PrivateKeyInfo({ privateKeyAlgorithm, privateKey }));
}

function describe(pkcs8: ArrayBuffer, library: X509Library): PrivateKey {
  const { asn1Pkcs8, asn1Rsa, asn1Ecc, AsnConvert } = library;
  const { privateKeyAlgorithm } = AsnConvert.parse(pkcs8, asn1Pkcs8.PrivateKeyInfo);
  switch (privateKeyAlgorithm.algorithm) {
    case asn1Rsa.id_rsaEncryption: {
      const parameters = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
      return { pkcs8, importParameters: parameters, signingParameters: parameters };
    }
    case asn1Ecc.id_ecPublicKey: {
      const curve = curveOf(privateKeyAlgorithm.parameters, library);
      return {
        pkcs8,
        importParameters: { name: 'ECDSA', namedCurve: curve.name },
        signingParameters: { name: 'ECDSA', hash: curve.hash },
      };
    }
    default:
      throw new Error(`it is neither RSA nor ECDSA but ${privateKeyAlgorithm.algorithm}`);
  }
}

/** The named curve that the parameters of an EC key's AlgorithmIdentifier (RFC 5480 2.1.1) stand for. */
export function curveOf(parameters: ArrayBuffer | null | undefined, { asn1Ecc, AsnConvert }: X509Library): Curve {
  const oid = parameters ? AsnConvert.parse(parameters, asn1Ecc.ECParameters).namedCurve : undefined;
  const curve = curves.find((row) => row.oid === oid);
  if (curve === undefined) throw new Error(`its curve is not supported: ${oid ?? 'no named curve'}`);
  return curve;
}

async function checked(key: PrivateKey): Promise<PrivateKey> {
  try {
    await importForSigning(key);
  } catch (cause) {
    throw new Error('its contents are damaged', { cause });
  }
  return key;
}

/** PKCS#8 → the traditional form of its algorithm. WebCrypto leaves the curve out of the inner SEC1 structure; SEC1 files need it. */
function encodePrivateKey(pkcs8: ArrayBuffer, { asn1Pkcs8, asn1Rsa, asn1Ecc, AsnConvert }: X509Library): string {
  const { privateKeyAlgorithm, privateKey } = AsnConvert.parse(pkcs8, asn1Pkcs8.PrivateKeyInfo);
  if (privateKeyAlgorithm.algorithm === asn1Rsa.id_rsaEncryption)
    return encodePem('RSA PRIVATE KEY', privateKey.buffer);
  const ecKey = AsnConvert.parse(privateKey.buffer, asn1Ecc.ECPrivateKey);
  if (privateKeyAlgorithm.parameters) {
    ecKey.parameters = AsnConvert.parse(privateKeyAlgorithm.parameters, asn1Ecc.ECParameters);
  }
  return encodePem('EC PRIVATE KEY', AsnConvert.serialize(ecKey));
}
