import type { Clock, ContainerState, Host, Look, Runtime } from '@groundplane/phases';
import type { HealthCheck } from './health-checks.ts';
import { searchedLines, tellingLines } from './telling-lines.ts';

/** How many lines of a log are shown. */
const logLines = 10;
/** Reasons are asked for only when a wait has lasted this long, in milliseconds. */
const patienceMs = 2_000;
/** Runtime and init system are asked at most this often, in milliseconds. */
const askAgainMs = 1_000;

export interface ReasonSources {
  readonly runtime: Runtime;
  readonly host: Host;
  readonly clock: Clock;
}

/**
 * A look that says more when it is repeated for long: what the container runtime knows about the component, or the init system about the
 * kubelet.
 */
export function withReasons(
  { container }: Pick<HealthCheck, 'container'>,
  { runtime, host, clock }: ReasonSources,
  look: () => Promise<Look>,
): () => Promise<Look> {
  const start = clock.monotonicMs();
  let asked = Number.NEGATIVE_INFINITY;
  let known = '';
  return async () => {
    const seen = await look();
    const now = clock.monotonicMs();
    if (seen.done || now - start < patienceMs) return seen;
    if (now - asked > askAgainMs) {
      asked = now;
      const answer =
        container === undefined ? describeKubelet(host) : containerNamed(container, runtime).then(describeContainer);
      known = await answer.catch(() => '');
    }
    return { done: false, reason: known === '' ? seen.reason : `${seen.reason}; ${known}` };
  };
}

/** Nothing while it runs; a kubelet that ends again and again says why in its last line. */
async function describeKubelet({ services }: Host): Promise<string> {
  const { active, initSystem } = await services.status('kubelet');
  if (active || initSystem === 'none') return '';
  const [line] = (await services.log('kubelet', 1)).slice(-1);
  return `its unit is not running${line === undefined ? '' : `: ${line}`}`;
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
    const lines = tellingLines(await runtime.log(state, searchedLines), logLines);
    return [`${name}: ${describeContainer(state)}; its last lines:`, ...indented(lines)];
  });
  return (await Promise.all(explained)).flat();
}

/** The last lines of the kubelet, and where there are more. */
export async function kubeletLog(host: Host): Promise<readonly string[]> {
  const lines = tellingLines(await host.services.log('kubelet', searchedLines), logLines);
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
