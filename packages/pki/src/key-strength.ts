import type { Severity } from '@groundplane/errors';
import { derElements } from './der.ts';
import { parsePem } from './pem.ts';

/** RSA keys below this sign and verify nothing in Kubernetes (Go: crypto/rsa, minimum key size). */
const refusedBelow = 1024;
/** RSA keys below this are refused by OpenSSL's default security level, and so by programs in Node.js (112 bits, NIST SP 800-57 5.6.1). */
const weakBelow = 2048;

/** Why an RSA key is too short. */
export interface KeyWeakness {
  /** `error`: no component of Kubernetes signs with it or accepts it · `warning`: they do, and others do not. */
  readonly severity: Severity;
  readonly bits: number;
  /** After "as". */
  readonly reason: string;
}

/**
 * Judges the length of a public key. Keys of other kinds than RSA are of curves that are strong enough.
 *
 * @param publicKey DER of a SubjectPublicKeyInfo (RFC 5280 4.1), or PEM `PUBLIC KEY`
 * @returns undefined if it is long enough
 */
export function weaknessOf(publicKey: ArrayBuffer | Uint8Array<ArrayBuffer> | string): KeyWeakness | undefined {
  const bits = rsaModulusLength(typeof publicKey === 'string' ? derOf(publicKey) : new Uint8Array(publicKey));
  if (bits === undefined || bits >= weakBelow) return undefined;
  return bits < refusedBelow
    ? { severity: 'error', bits, reason: `Kubernetes refuses RSA keys of less than ${refusedBelow} bits` }
    : { severity: 'warning', bits, reason: `RSA keys of less than ${weakBelow} bits are weak` };
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  return parsePem(pem).find(({ label }) => label === 'PUBLIC KEY')?.der ?? new Uint8Array();
}

/** RFC 3279 2.3.1: the BIT STRING holds a sequence of modulus and exponent. */
const rsaEncryption = '2a864886f70d010101';

function rsaModulusLength(der: Uint8Array<ArrayBuffer>): number | undefined {
  try {
    const [algorithm, key] = derElements(derElements(der)[0]?.contents ?? new Uint8Array());
    const oid = derElements(algorithm?.contents ?? new Uint8Array())[0]?.contents ?? new Uint8Array();
    if (hexOf(oid) !== rsaEncryption || key === undefined) return undefined;
    const [modulus] = derElements(derElements(key.contents.subarray(1))[0]?.contents ?? new Uint8Array());
    const digits = hexOf(modulus?.contents ?? new Uint8Array());
    return digits === '' ? undefined : BigInt(`0x${digits}`).toString(2).length;
  } catch {
    // Whoever reads the key itself says what is wrong with it.
    return undefined;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
