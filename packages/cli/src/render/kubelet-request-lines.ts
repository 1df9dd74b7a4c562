import type { KubeletRequestOutcome } from '@groundplane/bootstrap';

/** What became of a request, for people. */
export function kubeletRequestLine({ name, outcome, approved, certificate, finding }: KubeletRequestOutcome): string {
  if (outcome === 'left') return `${name}  left: ${finding?.message ?? ''}`;
  if (outcome === 'kept' || certificate === undefined) return `${name}  has its certificate already`;
  const { subject, sans, notAfter } = certificate;
  const names = [...sans.dnsNames, ...sans.ipAddresses];
  const what = names.length === 0 ? subject.commonName : `${subject.commonName} as ${names.join(', ')}`;
  return `${name}  ${approved ? 'approved and signed' : 'signed'}: ${what}, until ${notAfter.toISOString()}`;
}
