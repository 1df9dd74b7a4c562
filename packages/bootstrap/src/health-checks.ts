import type { Pod } from '@groundplane/manifest';
import type { Cluster, Demand, Host, Look, ProbeResult } from '@groundplane/phases';
import { type InitContext, timeoutOf } from './init-context.ts';
import { patchedKubelet } from './patched-documents.ts';

/** One thing whose health is asked for, and how. */
export interface HealthCheck {
  readonly name: string;
  readonly url: string;
  /** Name of the container whose state explains why it is not healthy; absent for the kubelet. */
  readonly container?: string;
  readonly timeoutMs: number;
}

export interface Manifests {
  readonly apiserver: Pod;
  readonly controllerManager: Pod;
  readonly scheduler: Pod;
}

/** One component of the control plane, and where it answers. */
export interface ComponentRow {
  readonly component: string;
  readonly manifest: keyof Manifests;
  readonly addressFlag: string;
  readonly address: (config: InitContext) => string;
  readonly port: (config: InitContext) => number;
  readonly path: string;
}

/** Where each component answers: by its manifest, or else by its defaults (kubeadm: util/apiclient/wait.go). */
export const components: readonly ComponentRow[] = [
  {
    component: 'kube-apiserver',
    manifest: 'apiserver',
    addressFlag: 'advertise-address',
    address: ({ init }) => init.localAPIEndpoint.advertiseAddress,
    port: ({ init }) => init.localAPIEndpoint.bindPort,
    path: '/livez',
  },
  {
    component: 'kube-controller-manager',
    manifest: 'controllerManager',
    addressFlag: 'bind-address',
    address: () => '127.0.0.1',
    port: () => 10257,
    path: '/healthz',
  },
  {
    component: 'kube-scheduler',
    manifest: 'scheduler',
    addressFlag: 'bind-address',
    address: () => '127.0.0.1',
    port: () => 10259,
    path: '/livez',
  },
];

/** How long one attempt may take, in milliseconds. */
export const attemptMs = 2_000;

/** The kubelet's own endpoint; nothing if the configuration switches it off by port 0. */
export function kubeletHealthCheck(config: InitContext): HealthCheck | undefined {
  const { healthzBindAddress, healthzPort } = patchedKubelet(config);
  if (healthzPort === 0) return undefined;
  return {
    name: 'kubelet',
    url: `http://${hostAndPort(healthzBindAddress, String(healthzPort ?? 10248))}/healthz`,
    timeoutMs: timeoutOf(config, 'kubeletHealthCheck', '4m'),
  };
}

/** The components of the control plane, where their manifests say that they listen. */
export function componentHealthChecks(config: InitContext, manifests: Manifests): readonly HealthCheck[] {
  return components.map((row) => {
    const pod = manifests[row.manifest];
    const { name } = pod.metadata;
    const timeoutMs = timeoutOf(config, 'controlPlaneComponentHealthCheck', '4m');
    return { name, url: componentUrl(row, pod, config), container: name, timeoutMs };
  });
}

/** Where a component answers; by its defaults where its manifest is not known. */
export function componentUrl(row: ComponentRow, pod: Pod | undefined, config: InitContext): string {
  const flag = (name: string) => pod && flagOf(pod, name);
  const at = hostAndPort(flag(row.addressFlag) ?? row.address(config), flag('secure-port') ?? String(row.port(config)));
  return `https://${at}${row.path}`;
}

/** The value of `--name=value` in a static pod; the last one counts, as for the component itself. */
export function flagOf(pod: Pod, name: string): string | undefined {
  const words = pod.spec.containers.flatMap((container) => [...(container.command ?? []), ...(container.args ?? [])]);
  const prefix = `--${name}=`;
  return words.findLast((word) => word.startsWith(prefix))?.slice(prefix.length);
}

/** What waiting for it asks for. */
export function healthDemand({ name, url, timeoutMs }: HealthCheck): Demand {
  return {
    text: `${name} answers 200 at ${url} within ${timeoutMs / 1000} s`,
    code: 'BOOTSTRAP_COMPONENT_UNHEALTHY',
    severity: 'error',
  };
}

/** Asks once. The API server may be closed to strangers, so it is asked with admin.conf. */
export async function lookAtHealth(check: HealthCheck, host: Host, cluster: Cluster): Promise<Look> {
  const viaClient = check.name === 'kube-apiserver';
  const options = { timeoutMs: attemptMs };
  return lookOf(await (viaClient ? cluster.probe('/livez', options) : host.probe(check.url, options)));
}

/** Asks the kubelet once. */
export async function lookAtKubelet({ url }: HealthCheck, host: Host): Promise<Look> {
  return lookOf(await host.probe(url, { timeoutMs: attemptMs }));
}

function lookOf(answer: ProbeResult): Look {
  return answer.status === 200 ? { done: true } : { done: false, reason: probeReason(answer) };
}

/** Why an answer is none of something healthy. */
export function probeReason({ status, text }: ProbeResult): string {
  return status === undefined ? text : `it answers ${status}: ${essenceOf(text)}`;
}

/** Of the verbose answer of a component the checks that failed, of the API server's own the message, of any other its first line. */
function essenceOf(text: string): string {
  const lines = text.split('\n');
  const failed = lines.filter((line) => line.includes('[-]'));
  return (failed.length > 0 ? failed.join(' ') : (messageOfStatus(text) ?? lines[0] ?? '')).slice(0, 200);
}

/** The message of a Status object of the API (k8s.io/apimachinery meta/v1). */
function messageOfStatus(text: string): string | undefined {
  try {
    const { kind, message } = JSON.parse(text) as { readonly kind?: unknown; readonly message?: unknown };
    return kind === 'Status' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** An unspecified address stands for all; what listens there is reached by the loopback address. */
function hostAndPort(address: string, port: string): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]:${port}` : `${reachable}:${port}`;
}
