/** The algorithms that keys can be made with; the values of kubeadm's `encryptionAlgorithm`. */
export const keyAlgorithms = ['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384'] as const;

export type KeyAlgorithm = (typeof keyAlgorithms)[number];

/** What an empty `encryptionAlgorithm` means. */
export const defaultKeyAlgorithm: KeyAlgorithm = 'RSA-2048';

export function isKeyAlgorithm(text: string): text is KeyAlgorithm {
  return (keyAlgorithms as readonly string[]).includes(text);
}

/** The form in which a key of an algorithm is written, the one that kubeadm writes: PKCS#1 (RFC 8017 A.1.2) or SEC1 (RFC 5915). */
export function privateKeyEncoding(algorithm: KeyAlgorithm): 'PKCS#1' | 'SEC1' {
  return algorithm.startsWith('RSA-') ? 'PKCS#1' : 'SEC1';
}

type GenerationParameters = (RsaHashedKeyGenParams | EcKeyGenParams) & { readonly name: string };

const rsa = (modulusLength: number): RsaHashedKeyGenParams => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
});

/** WebCrypto's parameters for making a key. */
export const generationParameters: Readonly<Record<KeyAlgorithm, GenerationParameters>> = {
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'RSA-4096': rsa(4096),
  'ECDSA-P256': { name: 'ECDSA', namedCurve: 'P-256' },
  'ECDSA-P384': { name: 'ECDSA', namedCurve: 'P-384' },
};

/** The curves that keys may be on, with the hash that signatures by such a key use (RFC 5656 pairs, as Go chooses). */
export const curves = [
  { name: 'P-256', oid: '1.2.840.10045.3.1.7', hash: 'SHA-256' },
  { name: 'P-384', oid: '1.3.132.0.34', hash: 'SHA-384' },
  { name: 'P-521', oid: '1.3.132.0.35', hash: 'SHA-512' },
] as const;

export type Curve = (typeof curves)[number];
