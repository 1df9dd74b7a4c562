import type { Severity } from '@groundplane/errors';
import { derElements } from './der.ts';
import { hex } from './distinguished-name.ts';
import { parsePem } from './pem.ts';

/** RSA keys below this sign and verify nothing in Kubernetes (Go: crypto/rsa, minimum key size). */
const refusedBelow = 1024;
/** RSA keys below this are refused by OpenSSL's default security level, and so by programs in Node.js (112 bits, NIST SP 800-57 5.6.1). */
const weakBelow = 2048;

/** Longest RSA key of a certificate that is shown in a TLS handshake (Go: crypto/tls, checkKeySize). */
const longestShown = 8192;
/** Largest public exponent (Go: crypto/rsa, checkPublicKeySize). */
const largestExponent = 2n ** 31n - 1n;

/** What is wrong with an RSA key that can be read. */
export interface KeyWeakness {
  /** `error`: no component of Kubernetes signs with it or accepts it · `warning`: they do, and others do not. */
  readonly severity: Severity;
  /** After "as". */
  readonly reason: string;
  /** Of the key: its bits, or its exponent. */
  readonly value: string;
}

/**
 * Judges the numbers of a public RSA key. Keys of other kinds are of curves that are strong enough.
 *
 * @param publicKey DER of a SubjectPublicKeyInfo (RFC 5280 4.1), or PEM `PUBLIC KEY`
 * @param options.isShown true if its certificate is shown in TLS handshakes, as by servers and clients, other than CAs and keys of tokens
 * @returns undefined if nothing speaks against it
 */
export function weaknessOf(
  publicKey: ArrayBuffer | Uint8Array<ArrayBuffer> | string,
  { isShown = false }: { readonly isShown?: boolean } = {},
): KeyWeakness | undefined {
  const key = rsaNumbers(typeof publicKey === 'string' ? derOf(publicKey) : new Uint8Array(publicKey));
  if (key === undefined) return undefined;
  const value = String(key.bits);
  if (key.bits < refusedBelow)
    return { severity: 'error', value, reason: `Kubernetes refuses RSA keys of less than ${refusedBelow} bits` };
  if (key.exponent > largestExponent)
    return {
      severity: 'error',
      value: String(key.exponent),
      reason: `Kubernetes refuses RSA keys whose public exponent is larger than ${largestExponent}`,
    };
  if (isShown && key.bits > longestShown)
    return {
      severity: 'error',
      value,
      reason: `Kubernetes refuses certificates with RSA keys of more than ${longestShown} bits in TLS handshakes`,
    };
  if (key.bits < weakBelow)
    return { severity: 'warning', value, reason: `RSA keys of less than ${weakBelow} bits are weak` };
  return undefined;
}

function derOf(pem: string): Uint8Array<ArrayBuffer> {
  return parsePem(pem).find(({ label }) => label === 'PUBLIC KEY')?.der ?? new Uint8Array();
}

/** RFC 3279 2.3.1: the BIT STRING holds a sequence of modulus and exponent. */
const rsaEncryption = '2a864886f70d010101';

function rsaNumbers(der: Uint8Array<ArrayBuffer>): { readonly bits: number; readonly exponent: bigint } | undefined {
  try {
    const [algorithm, key] = derElements(derElements(der)[0]?.contents ?? new Uint8Array());
    const oid = derElements(algorithm?.contents ?? new Uint8Array())[0]?.contents ?? new Uint8Array();
    if (hex(oid) !== rsaEncryption || key === undefined) return undefined;
    const numbers = derElements(derElements(key.contents.subarray(1))[0]?.contents ?? new Uint8Array());
    const [modulus = '', exponent = ''] = numbers.map(({ contents }) => hex(contents));
    if (modulus === '' || exponent === '') return undefined;
    return { bits: BigInt(`0x${modulus}`).toString(2).length, exponent: BigInt(`0x${exponent}`) };
  } catch {
    // Whoever reads the key itself says what is wrong with it.
    return undefined;
  }
}
