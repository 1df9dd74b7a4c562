import type { Finding } from '@groundplane/errors';
import type { ServiceStatus } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';

/** The kubelet's unit, and when the youngest file that it reads at its start was changed (milliseconds since the epoch). */
export interface KubeletUnitState {
  readonly status: ServiceStatus;
  readonly youngestFileMs: number;
}

export const initSystemMissing =
  'no supported init system detected, so the kubelet is not started; start it yourself with /var/lib/kubelet/config.yaml';

/** Whether the kubelet runs with the files that are there. A process older than its files is one that a kill left behind. */
export function kubeletUnitFindings({ status, youngestFileMs }: KubeletUnitState): readonly Finding[] {
  if (status.initSystem === 'none') {
    return [
      bootstrapFinding({
        code: 'BOOTSTRAP_KUBELET_UNMANAGED',
        severity: 'warning',
        artifact: 'kubelet',
        message: initSystemMissing,
      }),
    ];
  }
  const fail = (message: string, hint: string): readonly Finding[] => [
    bootstrapFinding({ code: 'BOOTSTRAP_KUBELET_NOT_RUNNING', severity: 'error', artifact: 'kubelet', message, hint }),
  ];
  if (!status.exists) return fail('there is no service kubelet', 'Install the kubelet package, with its service unit');
  if (!status.active) return fail('the service kubelet does not run', 'See why: journalctl -xeu kubelet');
  if (status.startedMs !== undefined && status.startedMs < youngestFileMs) {
    return fail('the kubelet was started before its files were last changed', 'Restart it: systemctl restart kubelet');
  }
  return [];
}
