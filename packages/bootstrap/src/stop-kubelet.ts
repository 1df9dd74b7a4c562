import { type Finding, messageOf } from '@groundplane/errors';
import type { Host } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';

interface Telling {
  progress(message: string): void;
  finding(finding: Finding): void;
}

/** Stops the kubelet, which would start its pods again. Where that fails it is said, and reset goes on, as with kubeadm. */
export async function stopKubelet({ services }: Host, { progress, finding }: Telling): Promise<void> {
  progress('Stopping the kubelet');
  try {
    await services.stop('kubelet');
  } catch (thrown) {
    finding(
      bootstrapFinding({
        code: 'BOOTSTRAP_RESET_INCOMPLETE',
        severity: 'warning',
        artifact: 'kubelet',
        message: messageOf(thrown),
        hint: 'Stop the kubelet by the means of this machine',
      }),
    );
  }
}
