import type { Clock, ContainerState, Host, Runtime } from '@groundplane/phases';
import type { HealthCheck } from './health-checks.ts';

/** How many lines of a log are shown. */
const logLines = 10;
/** The runtime is asked at most this often, in milliseconds. */
const askAgainMs = 1_000;

/** Adds to a reason what the container runtime knows about the component. */
export function reasonGiver(
  { container }: HealthCheck,
  { runtime, clock }: { readonly runtime: Runtime; readonly clock: Clock },
): (reason: string) => Promise<string> {
  let asked = Number.NEGATIVE_INFINITY;
  let known = '';
  return async (reason) => {
    if (container !== undefined && clock.monotonicMs() - asked > askAgainMs) {
      asked = clock.monotonicMs();
      known = await containerNamed(container, runtime).then(describeContainer, () => '');
    }
    return known === '' ? reason : `${reason}; ${known}`;
  };
}

/** The last lines of what is not healthy: of the kubelet its unit's, of the API server also etcd's, on which it waits. */
export async function explainHealth(
  { container }: HealthCheck,
  { runtime, host }: { readonly runtime: Runtime; readonly host: Host },
): Promise<readonly string[]> {
  if (container === undefined) return kubeletLog(host);
  const names = container === 'kube-apiserver' ? [container, 'etcd'] : [container];
  const explained = names.map(async (name) => {
    const state = await containerNamed(name, runtime);
    if (state === undefined) return [`${name}: the runtime has no container of it; see journalctl -xeu kubelet`];
    const lines = await runtime.log(state, logLines);
    return [`${name}: ${describeContainer(state)}; its last lines:`, ...indented(lines)];
  });
  return (await Promise.all(explained)).flat();
}

/** The last lines of the kubelet, and where there are more. */
export async function kubeletLog(host: Host): Promise<readonly string[]> {
  const lines = await host.services.log('kubelet', logLines);
  const more = 'See the log of the kubelet: journalctl -xeu kubelet';
  return lines.length === 0 ? [more] : ['kubelet: its last lines:', ...indented(lines), more];
}

async function containerNamed(name: string, runtime: Runtime): Promise<ContainerState | undefined> {
  return (await runtime.containers('kube-system')).find((container) => container.name === name);
}

function describeContainer(container: ContainerState | undefined): string {
  if (container === undefined) return 'the runtime has no container of it yet';
  const { state, exitCode, attempt } = container;
  const exit = state === 'exited' && exitCode !== undefined ? ` with code ${exitCode}` : '';
  const attempts = attempt > 0 ? ` (attempt ${attempt + 1})` : '';
  return `its container is ${state}${exit}${attempts}`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
