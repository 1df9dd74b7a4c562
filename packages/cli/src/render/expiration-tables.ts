import type { CertificateExpirationInfo, ExpiringCertificate } from '@groundplane/bootstrap';
import { alignedRows } from './aligned-rows.ts';
import { humanDuration } from './human-duration.ts';

const header = ['EXPIRES', 'RESIDUAL TIME'] as const;

/** The two tables of `certs check-expiration` (kubeadm: cmd/certs.go, certTextPrinter). */
export function expirationTables({ certificates, certificateAuthorities }: CertificateExpirationInfo): string {
  const first = [
    ['CERTIFICATE', ...header, 'CERTIFICATE AUTHORITY', 'EXTERNALLY MANAGED'],
    ...certificates.map((one) => cells(one, [one.caName ?? ''])),
  ];
  const second = [
    ['CERTIFICATE AUTHORITY', ...header, 'EXTERNALLY MANAGED'],
    ...certificateAuthorities.map((one) => cells(one, [])),
  ];
  return `${alignedRows(first)}\n${alignedRows(second)}`;
}

function cells(
  { name, expirationDate, residualTime, externallyManaged }: ExpiringCertificate,
  middle: readonly string[],
): readonly string[] {
  if (expirationDate === null) return [`!MISSING! ${name}`, '', '', ...middle.map(() => ''), ''];
  const managed = (externallyManaged ? 'yes' : 'no').padEnd(8);
  return [name, dateText(expirationDate), humanDuration(residualTime), ...middle, managed];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Jan 02, 2006 15:04 UTC` */
function dateText(date: string): string {
  const [, year = '', month = '', day = '', time = ''] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(date) ?? [];
  return `${months[Number(month) - 1]} ${day}, ${year} ${time} UTC`;
}
