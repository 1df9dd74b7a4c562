import { validityOf } from '@groundplane/pki';
import { bootstrapError } from './error-codes.ts';

/**
 * Refuses to have something issued by a CA that has expired: no component would trust it, and no clock will mend it. kubeadm warns, issues,
 * and the components fail. A CA that is not valid yet is another matter, there the clock of this host may be late.
 *
 * @param authority PEM of the CA certificate, and its path
 * @param name of what is to be issued
 * @throws GroundplaneError BOOTSTRAP_AUTHORITY_EXPIRED
 */
export async function refuseExpiredAuthority(
  authority: { readonly certificate: string; readonly place: string },
  name: string,
  now: Date,
): Promise<void> {
  const { notAfter } = await validityOf(authority.certificate);
  if (now <= notAfter) return;
  throw bootstrapError(
    'BOOTSTRAP_AUTHORITY_EXPIRED',
    `Cannot have ${name} issued by ${authority.place} as its CA has expired: ${notAfter.toISOString()}`,
    { hint: 'Have the CA certificate signed again with the same key, or move the CA and all that it signed away' },
  );
}
