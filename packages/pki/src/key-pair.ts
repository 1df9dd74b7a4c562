import { encodePem } from './pem.ts';
import { publicKeyOf } from './private-key.ts';
import { parseCertificate } from './x509-certificate.ts';

/**
 * Whether a private key is the one that a certificate names.
 *
 * @param certificate PEM; of several certificates the first counts
 * @param key PEM of a private key
 * @throws PKI_CERTIFICATE_UNREADABLE, PKI_KEY_UNREADABLE
 */
export async function isPair(certificate: string, key: string): Promise<boolean> {
  const [{ publicKey }, ownPublicKey] = await Promise.all([parseCertificate(certificate), publicKeyOf(key)]);
  return encodePem('PUBLIC KEY', publicKey.rawData) === ownPublicKey;
}
