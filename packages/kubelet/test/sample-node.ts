import type { FactRequest, PreflightCheck, PreflightConfiguration, PreflightFacts } from '../src/index.ts';
import { initPreflightChecks, portKey, requiredFacts } from '../src/index.ts';
import { kernelOptions } from '../src/kernel-requirements.ts';

/** Configuration of an ordinary single-stack control plane with local etcd. */
export const sampleConfiguration: PreflightConfiguration = {
  kubernetesVersion: 'v1.37.2',
  toolVersion: 'v1.37.2',
  minimumKubeletVersion: 'v1.34.0',
  nodeName: 'node-a',
  advertiseAddress: '192.0.2.10',
  bindPort: 6443,
  bindAddresses: {},
  subnets: [{ cidr: '10.96.0.0/12', firstAddress: '10.96.0.1' }],
  families: ['ipv4'],
  manifestsDir: '/etc/kubernetes/manifests',
  localEtcd: { dataDir: '/var/lib/etcd', address: '192.0.2.10' },
};

/** Configuration of a worker that joins by a token. */
export const sampleJoin: PreflightConfiguration = {
  ...sampleConfiguration,
  subnets: [],
  join: {
    kubeconfigs: ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/bootstrap-kubelet.conf'],
    authority: '/etc/kubernetes/pki/ca.crt',
    apiServerHost: '192.0.2.1',
  },
};

const goodKernelConfig = [...kernelOptions.always, ...kernelOptions.cgroupV1, ...kernelOptions.cgroupV2]
  .map((names) => `CONFIG_${names.split('|')[0]}=y`)
  .join('\n');

const texts: Readonly<Record<string, string>> = {
  '/proc/swaps': 'Filename Type Size\n',
  '/proc/sys/kernel/ostype': 'Linux\n',
};

/** Facts of a host on which every check passes. */
export function goodFacts(
  configuration: PreflightConfiguration = sampleConfiguration,
  checks: readonly PreflightCheck[] = initPreflightChecks,
): PreflightFacts {
  const requests = requiredFacts(checks, configuration);
  const of = <F extends FactRequest['fact']>(fact: F) =>
    requests.filter((request): request is Extract<FactRequest, { fact: F }> => request.fact === fact);
  const map = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
    Object.fromEntries(entries);
  return {
    uid: 0,
    cpus: 2,
    memoryMiB: 2048,
    kernelRelease: '6.1.0-18-amd64',
    kernelConfig: goodKernelConfig,
    cgroups: { version: 2, controllers: ['cpu', 'cpuset', 'devices', 'freezer', 'hugetlb', 'io', 'memory', 'pids'] },
    runtime: {
      conditions: [{ type: 'RuntimeReady', status: true, reason: '', message: '' }],
      runtimeConfig: 'implemented',
    },
    kubeletVersion: { output: 'Kubernetes v1.37.2\n' },
    proxyEnvironment: [],
    ports: map(of('port').map(({ port, address }) => [portKey(port, address), true] as const)),
    files: map(of('file').map(({ path }) => [path, !path.startsWith('/etc/kubernetes/')] as const)),
    texts: map(of('text').map(({ path }) => [path, texts[path] ?? '1\n'] as const)),
    directories: map(of('directory').map(({ path }) => [path, undefined] as const)),
    programs: map(of('program').map(({ name }) => [name, `/usr/bin/${name}`] as const)),
    services: {
      kubelet: { exists: true, enabled: true, active: false, initSystem: 'systemd' },
      firewalld: { exists: false, enabled: false, active: false, initSystem: 'systemd' },
    },
    etcdVersions: map(of('etcdVersion').map(({ endpoint }) => [endpoint, { version: '3.6.8' }] as const)),
    lookups: { [configuration.nodeName]: ['192.0.2.10'] },
  };
}
