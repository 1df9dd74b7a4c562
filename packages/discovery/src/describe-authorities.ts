import { describeCertificate, splitCertificates } from '@groundplane/pki';
import { pinsOf } from './public-key-pins.ts';

/** A certificate of a CA, for people. */
export interface AuthorityDescription {
  readonly subject: string;
  readonly notAfter: Date;
  /** `sha256:` and hexadecimal digits, of its public key. */
  readonly pin: string;
}

/**
 * What a CA consists of.
 *
 * @param certificateAuthority PEM, one or several certificates
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function describeAuthorities(certificateAuthority: string): Promise<readonly AuthorityDescription[]> {
  const pins = await pinsOf(certificateAuthority);
  const certificates = await Promise.all(splitCertificates(certificateAuthority).map(describeCertificate));
  return certificates.map(({ subjectText, notAfter }, index) => ({
    subject: subjectText,
    notAfter,
    pin: pins[index] ?? '',
  }));
}
