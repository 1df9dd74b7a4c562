import type { Pod } from '@groundplane/manifest';
import type { ContainerState, Host, ProbeResult, SuppliedPorts } from '@groundplane/phases';
import { attemptMs, components, componentUrl, flagOf, kubeletHealthCheck, probeReason } from './health-checks.ts';
import type { InitContext } from './init-context.ts';
import type { ConfigurationSource } from './node-configuration.ts';
import { podInManifest, silently } from './node-facts.ts';
import { usualLayout } from './usual-layout.ts';

/** `running` it runs and is healthy · `unhealthy` it answers, or its container runs, and it is not · `stopped` nothing of it runs. */
export type ComponentState = 'running' | 'unhealthy' | 'stopped' | 'unknown';

export interface ComponentStatus {
  readonly component: string;
  readonly state: ComponentState;
  /** Why it is not running. */
  readonly reason?: string;
  /** Where its health was asked for. */
  readonly url?: string;
}

interface Row {
  readonly component: string;
  readonly url: (pod: Pod | undefined, context: InitContext) => string;
}

/** In the order in which they need one another. Nobody waits for etcd itself, so its row is here alone. */
const rows: readonly Row[] = [
  {
    component: 'etcd',
    url: (pod) => {
      const [first = ''] = ((pod && flagOf(pod, 'listen-metrics-urls')) ?? '').split(',');
      const { origin } = URL.parse(first) ?? { origin: 'http://127.0.0.1:2381' };
      return `${origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')}/health?serializable=true`;
    },
  },
  ...components.map(
    (row): Row => ({ component: row.component, url: (pod, context) => componentUrl(row, pod, context) }),
  ),
];

export interface Assumption {
  /** Whether nobody knows where it answers, so that it is asked where it does by default. */
  readonly isAssumed: boolean;
}

/** Where it does not answer by default it may well answer elsewhere. */
function silentByDefault(reason: string): Pick<ComponentStatus, 'state' | 'reason'> {
  return { state: 'unknown', reason: `where it answers is not known, and by default it does not: ${reason}` };
}

/** Whether the kubelet runs. */
export async function kubeletStatus(
  context: InitContext,
  host: Host,
  { isAssumed }: Assumption,
): Promise<ComponentStatus> {
  const component = 'kubelet';
  const { exists, active, initSystem } = await host.services.status(component);
  const check = silentlyNow(() => kubeletHealthCheck(context));
  const url = check === undefined ? {} : { url: check.url };
  const answer = check === undefined ? undefined : await host.probe(check.url, { timeoutMs: attemptMs });
  if (answer?.status === 200) return { component, state: 'running', ...url };
  if (active && answer === undefined) return { component, state: 'running' };
  const reason = answer === undefined ? 'it says nothing about its health' : probeReason(answer);
  if (isAssumed && (active || initSystem === 'none')) return { component, ...silentByDefault(reason), ...url };
  if (active || answer?.status !== undefined) return { component, state: 'unhealthy', reason, ...url };
  if (initSystem === 'none') return { component, state: 'stopped', reason, ...url };
  return { component, state: 'stopped', reason: exists ? 'its unit is not active' : 'there is no such unit' };
}

/** The static pods of the control plane; without etcd where that is external. */
export async function controlPlaneStatus(
  context: InitContext,
  ports: SuppliedPorts,
  { source }: { readonly source: ConfigurationSource },
): Promise<readonly ComponentStatus[]> {
  const { host, runtime } = ports;
  const containers = await silently(() => runtime.containers('kube-system'));
  const wanted = rows.filter(({ component }) => component !== 'etcd' || context.cluster.etcd.external === undefined);
  return Promise.all(
    wanted.map(async ({ component, url: urlOf }) => {
      const path = `${usualLayout.kubernetes}/manifests/${component}.yaml`;
      const pod = await podInManifest(host, path);
      const url = urlOf(pod, context);
      const isAssumed = source !== 'file' && pod === undefined && (await isHidden(host, path));
      const answer = await host.probe(url, { timeoutMs: attemptMs });
      // An API server that is closed to strangers says so, and so it runs.
      if (answer.status === 200 || answer.status === 401 || answer.status === 403)
        return { component, state: 'running', url };
      if (answer.status !== undefined && !isAssumed)
        return { component, state: 'unhealthy', reason: probeReason(answer), url };
      return { component, ...(await silent(component, { host, path, answer, containers, isAssumed })), url };
    }),
  );
}

async function isHidden(host: Host, path: string): Promise<boolean> {
  return host.files.read(path).then(
    () => false,
    () => true,
  );
}

interface Silence extends Assumption {
  readonly host: Host;
  readonly path: string;
  readonly answer: ProbeResult;
  readonly containers: readonly ContainerState[] | undefined;
}

/** Why a component does not answer. */
async function silent(
  component: string,
  { host, path, answer, containers, isAssumed }: Silence,
): Promise<Pick<ComponentStatus, 'state' | 'reason'>> {
  const container = containers?.find(({ name }) => name === component);
  if (container?.state === 'running' && !isAssumed)
    return { state: 'unhealthy', reason: `its container runs, but ${answer.text}` };
  if (container !== undefined && container.state !== 'running') {
    const { state, exitCode, reason } = container;
    const code = exitCode === undefined ? '' : ` with code ${exitCode}`;
    return { state: 'stopped', reason: `its container is ${state}${code}${reason ? ` (${reason})` : ''}` };
  }
  const isThere = await silently(async () => (await host.files.status(path)) !== undefined);
  if (isThere === false) return { state: 'stopped', reason: `there is no ${path}` };
  return isAssumed ? silentByDefault(probeReason(answer)) : { state: 'stopped', reason: answer.text };
}

function silentlyNow<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
