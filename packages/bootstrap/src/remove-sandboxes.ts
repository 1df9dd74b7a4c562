import { type Finding, messageOf } from '@groundplane/errors';
import type { PodSandbox, Runtime } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';

interface Telling {
  progress(message: string): void;
  finding(finding: Finding): void;
}

/** How many pods are named in one line. */
const namedPods = 10;

/** Names of pods for people, the first ones of many: `kube-system/etcd-n1, …`. */
export function podNames(sandboxes: readonly PodSandbox[]): string {
  const names = sandboxes.map(({ namespace, name }) => (namespace === '' ? name : `${namespace}/${name}`));
  const more = names.length - namedPods;
  return [...names.slice(0, namedPods), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Removes pods with their containers, all at the same time. What cannot be removed is told, and reset goes on, as with kubeadm. */
export async function removeSandboxes(
  runtime: Runtime,
  wanted: (sandbox: PodSandbox) => boolean,
  { progress, finding }: Telling,
): Promise<void> {
  const warn = (artifact: string, message: string, hint: string) =>
    finding(bootstrapFinding({ code: 'BOOTSTRAP_RESET_INCOMPLETE', severity: 'warning', artifact, message, hint }));
  let sandboxes: readonly PodSandbox[];
  try {
    sandboxes = (await runtime.sandboxes()).filter(wanted);
  } catch (thrown) {
    warn('pods', messageOf(thrown), 'Remove what still runs when the runtime answers: crictl rmp --all --force');
    return;
  }
  if (sandboxes.length === 0) return;
  progress(`Removing ${sandboxes.length === 1 ? 'a pod' : `${sandboxes.length} pods`}: ${podNames(sandboxes)}`);
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      try {
        await runtime.removeSandbox(sandbox.id);
      } catch (thrown) {
        warn(podNames([sandbox]), messageOf(thrown), `Remove it: crictl rmp --force ${sandbox.id}`);
      }
    }),
  );
}
