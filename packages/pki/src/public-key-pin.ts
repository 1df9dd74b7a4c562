import { hex } from './distinguished-name.ts';
import { parseCertificate } from './x509-certificate.ts';

/**
 * The pin of a CA: SHA-256 of its SubjectPublicKeyInfo (RFC 7469 2.4 hashes the same bytes), so that a CA renewed with
 * the same key keeps it.
 *
 * @param pem of several certificates the first counts
 * @returns `sha256:` and 64 hexadecimal digits, as `--discovery-token-ca-cert-hash` takes it
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function publicKeyPin(pem: string): Promise<string> {
  const { publicKey } = await parseCertificate(pem);
  return `sha256:${hex(await crypto.subtle.digest('SHA-256', publicKey.rawData))}`;
}
