import type { Finding } from '@groundplane/errors';
import type { Pod } from '@groundplane/manifest';
import {
  type AnyPhase,
  type Clock,
  type Cluster,
  type ContainerState,
  contract,
  type Host,
  type Look,
  optional,
  type Runtime,
} from '@groundplane/phases';
import {
  adminKubeconfig,
  certificateArtifactsOf,
  kubeconfigArtifact,
  serviceAccountKey,
  serviceAccountPublicKey,
  staticPods,
} from './artifacts.ts';
import { type InitContext, timeoutOf } from './init-context.ts';

/** One thing whose health is asked for, and how. */
interface HealthCheck {
  readonly name: string;
  readonly url: string;
  /** Name of the container whose state explains why it is not healthy; absent for the kubelet. */
  readonly container?: string;
  readonly timeoutMs: number;
}

/** How often health is asked for, in milliseconds. */
const intervalMs = 100;
/** The runtime is asked for reasons only when the wait has lasted this long, in milliseconds. */
const patienceMs = 2_000;

/**
 * Waits until kubelet, API server, controller manager and scheduler are healthy (kubeadm: cmd/phases/init/waitcontrolplane.go).
 * It reads what the components need, so that files of a replaced phase are judged before anything is started.
 */
export const waitControlPlanePhase: AnyPhase<InitContext> = contract<InitContext>().defineEffect({
  name: 'wait-control-plane',
  summary: 'Wait for the control plane to start',
  configuration: [
    'timeouts.kubeletHealthCheck',
    'timeouts.controlPlaneComponentHealthCheck',
    'KubeletConfiguration.healthzPort',
  ],
  reads: {
    apiserver: staticPods['kube-apiserver'],
    controllerManager: staticPods['kube-controller-manager'],
    scheduler: staticPods['kube-scheduler'],
    etcd: optional(staticPods.etcd),
    authority: certificateArtifactsOf('ca').certificate,
    apiserverCertificate: certificateArtifactsOf('apiserver').certificate,
    apiserverKey: certificateArtifactsOf('apiserver').key,
    kubeletClientCertificate: certificateArtifactsOf('apiserver-kubelet-client').certificate,
    kubeletClientKey: certificateArtifactsOf('apiserver-kubelet-client').key,
    frontProxyAuthority: certificateArtifactsOf('front-proxy-ca').certificate,
    frontProxyCertificate: certificateArtifactsOf('front-proxy-client').certificate,
    frontProxyKey: certificateArtifactsOf('front-proxy-client').key,
    etcdAuthority: optional(certificateArtifactsOf('etcd-ca').certificate),
    etcdServer: optional(certificateArtifactsOf('etcd-server').certificate),
    etcdPeer: optional(certificateArtifactsOf('etcd-peer').certificate),
    etcdClient: optional(certificateArtifactsOf('apiserver-etcd-client').certificate),
    serviceAccountKey,
    serviceAccountPublicKey,
    controllerManagerKubeconfig: kubeconfigArtifact('controller-manager.conf'),
    schedulerKubeconfig: kubeconfigArtifact('scheduler.conf'),
    kubeletKubeconfig: kubeconfigArtifact('kubelet.conf'),
  },
  connect: { kubeconfig: adminKubeconfig, endpoint: 'local' },
  uses: ['host', 'cluster', 'runtime', 'clock'],
  async verify({ config, inputs, ports: { host, cluster } }) {
    const checks = healthChecks(config, inputs);
    const looks = await Promise.all(checks.map(async (check) => ({ check, look: await lookAt(check, host, cluster) })));
    return looks.flatMap(({ check, look }): Finding[] =>
      look.done
        ? []
        : [
            {
              code: 'BOOTSTRAP_COMPONENT_UNHEALTHY',
              severity: 'error',
              artifact: check.name,
              message: `${check.name} is not healthy: ${look.reason}`,
            },
          ],
    );
  },
  async run({ config, inputs, ports: { host, cluster, runtime, clock }, wait, progress }) {
    const [kubelet, ...components] = healthChecks(config, inputs);
    const waitFor = async (check: HealthCheck) => {
      const start = clock.monotonicMs();
      const reason = reasonGiver(check, runtime, clock);
      const explain = () => explainContainer(check, runtime);
      await wait(
        { subject: `${check.name} at ${check.url}`, timeoutMs: check.timeoutMs, intervalMs, explain },
        async () => {
          const look = await lookAt(check, host, cluster);
          if (look.done || clock.monotonicMs() - start < patienceMs) return look;
          return { done: false, reason: await reason(look.reason) };
        },
      );
      progress(`${check.name} is healthy after ${((clock.monotonicMs() - start) / 1000).toFixed(1)} s`);
    };
    if (kubelet !== undefined && kubelet.url !== '') await waitFor(kubelet);
    await Promise.all(components.map(waitFor));
  },
});

interface Manifests {
  readonly apiserver: Pod;
  readonly controllerManager: Pod;
  readonly scheduler: Pod;
}

/** The kubelet first, then the components as their manifests say where they listen. */
function healthChecks(config: InitContext, manifests: Manifests): readonly HealthCheck[] {
  const { healthzBindAddress, healthzPort } = config.kubelet;
  const timeoutMs = timeoutOf(config, 'controlPlaneComponentHealthCheck', '4m');
  const component = (
    pod: Pod,
    addressFlag: string,
    fallback: { address: string; port: string },
    path: string,
  ): HealthCheck => {
    const address = flagOf(pod, addressFlag) ?? fallback.address;
    const port = flagOf(pod, 'secure-port') ?? fallback.port;
    return {
      name: pod.metadata.name,
      url: `https://${hostAndPort(reachable(address), port)}${path}`,
      container: pod.metadata.name,
      timeoutMs,
    };
  };
  return [
    {
      name: 'kubelet',
      // Port 0 switches the health endpoint off.
      url:
        healthzPort === 0
          ? ''
          : `http://${hostAndPort(reachable(healthzBindAddress), String(healthzPort ?? 10248))}/healthz`,
      timeoutMs: timeoutOf(config, 'kubeletHealthCheck', '4m'),
    },
    component(
      manifests.apiserver,
      'advertise-address',
      { address: config.init.localAPIEndpoint.advertiseAddress, port: String(config.init.localAPIEndpoint.bindPort) },
      '/livez',
    ),
    component(manifests.controllerManager, 'bind-address', { address: '127.0.0.1', port: '10257' }, '/healthz'),
    component(manifests.scheduler, 'bind-address', { address: '127.0.0.1', port: '10259' }, '/livez'),
  ];
}

/** The value of `--name=value` in a static pod; the last one counts, as for the component itself. */
export function flagOf(pod: Pod, name: string): string | undefined {
  const words = pod.spec.containers.flatMap((container) => [...(container.command ?? []), ...(container.args ?? [])]);
  return words
    .filter((word) => word.startsWith(`--${name}=`))
    .at(-1)
    ?.slice(name.length + 3);
}

function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

function hostAndPort(address: string, port: string): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

async function lookAt(check: HealthCheck, host: Host, cluster: Cluster): Promise<Look> {
  if (check.url === '') return { done: true };
  // The API server may be closed to strangers, so it is asked with admin.conf.
  const viaClient = check.name === 'kube-apiserver';
  const result = viaClient
    ? await cluster.probe('/livez', { timeoutMs: 2_000 })
    : await host.probe(check.url, { timeoutMs: 2_000 });
  if (result.status === 200) return { done: true };
  if (result.status === undefined) return { done: false, reason: result.text };
  return { done: false, reason: `it answers ${result.status}: ${firstLine(result.text)}` };
}

function firstLine(text: string): string {
  const failed = text.split('\n').filter((line) => line.includes('[-]'));
  return (failed.length > 0 ? failed.join(' ') : (text.split('\n')[0] ?? '')).slice(0, 200);
}

/** Adds what the container runtime knows; asks it at most once a second. */
function reasonGiver({ container }: HealthCheck, runtime: Runtime, clock: Clock): (reason: string) => Promise<string> {
  let asked = Number.NEGATIVE_INFINITY;
  let known = '';
  return async (reason) => {
    if (container !== undefined && clock.monotonicMs() - asked > 1_000) {
      asked = clock.monotonicMs();
      known = await containersOf(container, runtime).then(describeContainer, () => '');
    }
    return known === '' ? reason : `${reason}; ${known}`;
  };
}

async function containersOf(name: string, runtime: Runtime): Promise<ContainerState | undefined> {
  return (await runtime.containers('kube-system')).find((container) => container.name === name);
}

function describeContainer(container: ContainerState | undefined): string {
  if (container === undefined) return 'the runtime has no container of it yet';
  const exit = container.exitCode === undefined ? '' : ` with code ${container.exitCode}`;
  return `its container is ${container.state}${container.state === 'exited' ? exit : ''}${container.attempt > 0 ? ` (attempt ${container.attempt + 1})` : ''}`;
}

/** The last lines of the container, and of etcd's, on which the API server waits. */
async function explainContainer({ container }: HealthCheck, runtime: Runtime): Promise<readonly string[]> {
  if (container === undefined) return ['See the log of the kubelet: journalctl -xeu kubelet'];
  const names = container === 'kube-apiserver' ? [container, 'etcd'] : [container];
  const lines = await Promise.all(
    names.map(async (name) => {
      const state = await containersOf(name, runtime);
      if (state === undefined) return [`${name}: the runtime has no container of it; see journalctl -xeu kubelet`];
      return [
        `${name}: ${describeContainer(state)}; its last lines:`,
        ...(await runtime.log(state, 10)).map((line) => `  ${line}`),
      ];
    }),
  );
  return lines.flat();
}
