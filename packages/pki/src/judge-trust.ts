import { messageOf } from '@groundplane/errors';
import type { CertificateDescription } from './describe-certificate.ts';
import type { Report } from './finding-reporter.ts';
import type { CertificateToVerify } from './verify-certificate.ts';
import { distrust } from './verify-chain.ts';
import { parseCertificates } from './x509-certificate.ts';
import type { ReadCertificate } from './x509-library.ts';

/** Whether a certificate is valid at the time in question. */
export async function validityFindings(
  description: CertificateDescription,
  { now, expected, artifact, issuerCertificates }: CertificateToVerify,
  report: Report,
) {
  const { notBefore, notAfter } = description;
  // A CA out of its time still signs; what it signed is what does not verify.
  const severity = expected.isCA ? 'warning' : 'error';
  if (now > notAfter) {
    const hint = expected.isCA
      ? 'Make a new CA, or have it signed again with the same key'
      : `Renew it, or move ${artifact} and its key away and run the phase that makes both`;
    return [
      report(
        'PKI_CERTIFICATE_EXPIRED',
        severity,
        `Cannot rely on the certificate as it has expired: ${notAfter.toISOString()}`,
        hint,
      ),
    ];
  }
  if (now < notBefore) {
    const message = `Cannot rely on the certificate as it is not valid yet: ${notBefore.toISOString()}`;
    return [
      report(
        'PKI_CERTIFICATE_NOT_YET_VALID',
        // Where the CA is early too it is rather the clock that is late.
        (await isEarly(issuerCertificates, now)) ? 'warning' : severity,
        message,
        lateClock,
      ),
    ];
  }
  return [];
}

/** Whether a chain of signatures leads to the CA that is expected. */
export async function trustFindings(
  certificate: ReadCertificate,
  intermediates: readonly ReadCertificate[],
  { issuerCertificates, anchors, now, artifact, unfitIssuer = 'error' }: CertificateToVerify,
  report: Report,
) {
  if (issuerCertificates === undefined) return [];
  const hint = `Have ${artifact} signed by the CA, with intermediate certificates behind it in the same file; or move it and its key away and run the phase that makes both`;
  let authorities: readonly ReadCertificate[];
  try {
    authorities = await parseCertificates(issuerCertificates);
  } catch (thrown) {
    return [
      report(
        'PKI_CERTIFICATE_UNTRUSTED',
        'error',
        `Cannot trust the certificate as its CA is not readable: ${messageOf(thrown)}`,
        hint,
      ),
    ];
  }
  const trusted = anchors === 'all' ? authorities : authorities.slice(0, 1);
  const verdict = await distrust({ certificate, intermediates, anchors: trusted, now });
  if (verdict === undefined) return [];
  const { fault, reason } = verdict;
  const why = fault === 'chain' ? `it is not signed by its CA, ${reason}` : reason;
  const message = `Cannot trust the certificate as ${why}: ${certificate.subject}`;
  switch (fault) {
    case 'chain':
      return [report('PKI_CERTIFICATE_UNTRUSTED', 'error', message, hint)];
    case 'anchor':
      return [report('PKI_CERTIFICATE_UNTRUSTED', unfitIssuer, message, 'Give a CA that may sign such certificates')];
    case 'expired':
      return [report('PKI_ISSUER_OUTSIDE_VALIDITY', 'error', message, 'Renew the CA')];
    case 'early':
      return [report('PKI_ISSUER_OUTSIDE_VALIDITY', 'warning', message, lateClock)];
  }
}

const lateClock = 'Compare the clock of this host with the time: timedatectl';

async function isEarly(issuerCertificates: string | undefined, now: Date): Promise<boolean> {
  if (issuerCertificates === undefined) return false;
  const [authority] = await parseCertificates(issuerCertificates).catch(() => []);
  return authority !== undefined && now < authority.notBefore;
}
