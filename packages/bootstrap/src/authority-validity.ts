import { validityOf } from '@groundplane/pki';
import { bootstrapError } from './error-codes.ts';

/**
 * Refuses to have something issued by a CA whose certificate is not valid now: no component would trust it. kubeadm warns, issues, and the
 * components fail.
 *
 * @param authority PEM of the CA certificate
 * @throws GroundplaneError BOOTSTRAP_AUTHORITY_INVALID_NOW
 */
export async function refuseInvalidAuthority(authority: string, name: string, now: Date): Promise<void> {
  const { notBefore, notAfter } = await validityOf(authority);
  if (notBefore <= now && now <= notAfter) return;
  const isEarly = now < notBefore;
  throw bootstrapError(
    'BOOTSTRAP_AUTHORITY_INVALID_NOW',
    isEarly
      ? `Cannot have ${name} issued as its CA is not valid before ${notBefore.toISOString()}`
      : `Cannot have ${name} issued as its CA has expired: ${notAfter.toISOString()}`,
    {
      hint: isEarly
        ? 'Compare the clock of this host with the time: timedatectl'
        : 'Have the CA certificate signed again with the same key, or move the CA and all that it signed away',
    },
  );
}
