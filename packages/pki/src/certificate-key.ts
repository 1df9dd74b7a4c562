import { pkiError } from './error-codes.ts';

const size = 32;

/**
 * A new certificate key, with which control-plane nodes share their files: 64 hexadecimal digits. Secret.
 *
 * @param bytes 32 cryptographically strong random bytes
 */
export function generateCertificateKey(bytes: Uint8Array = crypto.getRandomValues(new Uint8Array(size))): string {
  if (bytes.length !== size) throw new TypeError(`Cannot make a certificate key from ${bytes.length} bytes`);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The bytes that a certificate key stands for; they are the AES-256 key itself, nothing is derived from them.
 *
 * @param text 64 hexadecimal digits in either case
 * @throws PKI_CERTIFICATE_KEY_INVALID
 */
export function certificateKeyBytes(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) {
    // The text may be a key with one digit too many, so it is not shown.
    throw pkiError(
      'PKI_CERTIFICATE_KEY_INVALID',
      `Cannot use the certificate key as it is not ${size} bytes in hexadecimal: ${text.length} characters`,
      { hint: `Give ${size * 2} hexadecimal digits; a new key is printed by: certs certificate-key` },
    );
  }
  return Uint8Array.from({ length: size }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16));
}
