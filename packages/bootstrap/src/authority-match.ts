import { publicKeyPin, splitCertificates } from '@groundplane/pki';

/**
 * Whether two CAs have a public key in common. A renewed CA keeps its key, and while a CA is being replaced both are in the file.
 *
 * @param one PEM, one or several certificates
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function haveCommonAuthority(one: string, other: string): Promise<boolean> {
  const certificates = splitCertificates(other);
  if (splitCertificates(one).some((certificate) => certificates.includes(certificate))) return true;
  const pins = new Set(await pinsOf(one));
  return (await pinsOf(other)).some((pin) => pins.has(pin));
}

/** The pins of all certificates of a CA. */
function pinsOf(pem: string): Promise<readonly string[]> {
  return Promise.all(splitCertificates(pem).map(publicKeyPin));
}
