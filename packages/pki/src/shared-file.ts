import { certificateKeyBytes } from './certificate-key.ts';
import { pkiError } from './error-codes.ts';

const algorithm = 'AES-GCM';
const nonceSize = 12;
const tagSize = 16;

/**
 * Encrypts a file for the Secret kubeadm-certs, with which control-plane nodes share their certificates and keys
 * (kubeadm: util/crypto/crypto.go): AES-256-GCM without additional data.
 *
 * @param certificateKey 64 hexadecimal digits
 * @returns nonce (12 random bytes) ‖ ciphertext ‖ tag (16 bytes)
 * @throws PKI_CERTIFICATE_KEY_INVALID
 */
export async function encryptSharedFile(
  content: Uint8Array<ArrayBuffer>,
  certificateKey: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importKey(certificateKey);
  const iv = crypto.getRandomValues(new Uint8Array(nonceSize));
  const sealed = await crypto.subtle.encrypt({ name: algorithm, iv }, key, content);
  const value = new Uint8Array(nonceSize + sealed.byteLength);
  value.set(iv);
  value.set(new Uint8Array(sealed), nonceSize);
  return value;
}

/**
 * Decrypts what {@link encryptSharedFile} or kubeadm made.
 *
 * @param certificateKey 64 hexadecimal digits
 * @throws PKI_CERTIFICATE_KEY_INVALID; PKI_SHARED_FILE_UNREADABLE if it was encrypted with another key, or is not whole
 */
export async function decryptSharedFile(
  value: Uint8Array<ArrayBuffer>,
  certificateKey: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importKey(certificateKey);
  if (value.length < nonceSize + tagSize)
    throw unreadable(`it is too short to hold a nonce and a tag: ${value.length} bytes`);
  const iv = value.subarray(0, nonceSize);
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: algorithm, iv }, key, value.subarray(nonceSize)));
  } catch {
    throw unreadable('it was encrypted with another certificate key, or was changed');
  }
}

async function importKey(certificateKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', certificateKeyBytes(certificateKey), algorithm, false, ['encrypt', 'decrypt']);
}

function unreadable(why: string) {
  return pkiError('PKI_SHARED_FILE_UNREADABLE', `Cannot decrypt the shared file as ${why}`, {
    hint: 'Upload the certificates again, and use the key that this prints: init phase upload-certs --upload-certs',
  });
}
