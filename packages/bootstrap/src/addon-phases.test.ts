import { componentConfigHash } from '@groundplane/config';
import { type ConfigMap, type DaemonSet, type Deployment, parseYaml, type Service } from '@groundplane/manifest';
import { readPatches } from '@groundplane/patches';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, plan, run } from '../test/init-run.ts';
import { initContext, initWorld, objectOf } from '../test/init-world.ts';
import type { InitContext } from './init-context.ts';
import { phaseManifests } from './phase-manifests.ts';
import { resolveInit } from './resolve-init.ts';

const addons = { only: ['addon'] };

interface Cluster {
  readonly ports: MemoryPorts;
  readonly config: InitContext;
}

/** A finished cluster. */
async function cluster(...request: Parameters<typeof initContext>): Promise<Cluster> {
  const ports = initWorld();
  const config = await initContext(...request);
  const { error } = await run(ports, config);
  expect(error).toBeUndefined();
  return { ports, config };
}

const configMap = (ports: MemoryPorts, name: string) =>
  objectOf(ports, 'v1', 'ConfigMap', name) as unknown as ConfigMap;
const daemonSet = (ports: MemoryPorts) => objectOf(ports, 'apps/v1', 'DaemonSet', 'kube-proxy') as unknown as DaemonSet;
const deployment = (ports: MemoryPorts) => objectOf(ports, 'apps/v1', 'Deployment', 'coredns') as unknown as Deployment;
const environmentOf = ({ spec }: Deployment) => spec.template.spec.containers[0]?.env;
const service = (ports: MemoryPorts) => objectOf(ports, 'v1', 'Service', 'kube-dns') as unknown as Service;

/** Changes an object as somebody else would. */
function change<T extends object>(ports: MemoryPorts, object: T, edit: (copy: T) => void): void {
  const copy = structuredClone(object);
  edit(copy);
  ports.memory.putObject(copy as never);
}

describe('addon/kube-proxy', () => {
  test('writes the identity and its rights before the pods that need them', async () => {
    const { ports } = await cluster();
    const applied = ports.memory.writes.map(({ location }) => location);
    const places = ['ServiceAccount kube-system/kube-proxy', 'ConfigMap kube-system/kube-proxy'];
    for (const place of places)
      expect(applied.indexOf(place)).toBeLessThan(applied.indexOf('DaemonSet kube-system/kube-proxy'));
    expect(applied.indexOf('DaemonSet kube-system/kube-proxy')).toBeLessThan(
      applied.indexOf('ServiceAccount kube-system/coredns'),
    );
  });

  test('uploads the generated configuration, marked by its hash', async () => {
    const { ports } = await cluster({ cluster: 'networking:\n  podSubnet: 10.244.0.0/16\n' });
    const { metadata, data = {} } = configMap(ports, 'kube-proxy');
    expect(parseYaml(data['config.conf'] ?? '')).toMatchObject({ clusterCIDR: '10.244.0.0/16', mode: 'iptables' });
    expect(metadata.annotations).toEqual({
      'kubeadm.kubernetes.io/component-config.hash': await componentConfigHash({ data }),
    });
  });

  test("has no hash where the configuration is the user's", async () => {
    const { ports, config } = await cluster({
      documents: '---\napiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: nftables\n',
    });
    expect(config.kubeProxyIsUserSupplied).toBe(true);
    const { metadata, data = {} } = configMap(ports, 'kube-proxy');
    expect(parseYaml(data['config.conf'] ?? '')).toMatchObject({ mode: 'nftables' });
    expect(metadata.annotations).toBeUndefined();
  });

  test('warns of what the user sets against the recommendation', async () => {
    const text = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: ipvs
`;
    const { warnings } = await resolveInit({ configText: text, ports: initWorld() });
    expect(warnings.map(({ artifact }) => artifact)).toContain('KubeProxyConfiguration.mode');
  });

  test('hands the proxy variables of this machine on, and its image follows a CI build', async () => {
    const proxyEnvironment = [{ name: 'NO_PROXY', value: '.local' }];
    const ports = initWorld({ facts: { proxyEnvironment: () => proxyEnvironment } });
    const config = {
      ...(await initContext({}, { ports })),
      kubernetesImageRepository: 'gcr.io/k8s-staging-ci-images',
    };
    expect((await run(ports, config)).error).toBeUndefined();
    const [container] = daemonSet(ports).spec.template.spec.containers;
    expect(container?.env?.slice(1)).toEqual(proxyEnvironment);
    expect(container?.image).toBe('gcr.io/k8s-staging-ci-images/kube-proxy:v1.37.2');
    expect(deployment(ports).spec.template.spec.containers[0]?.image).toBe('registry.k8s.io/coredns/coredns:v1.14.6');
  });
});

describe('addon/coredns', () => {
  test('gives the Service the tenth address, which kubelets are told', async () => {
    const { ports, config } = await cluster({ cluster: 'networking:\n  serviceSubnet: 10.32.0.0/16\n' });
    expect(service(ports).spec.clusterIP).toBe('10.32.0.10');
    expect(config.kubelet.clusterDNS).toEqual(['10.32.0.10']);
  });

  test('leaves the number of pods to those who changed it', async () => {
    const { ports, config } = await cluster();
    change(ports, deployment(ports), ({ spec }) => {
      spec.replicas = 5;
      const [container] = spec.template.spec.containers;
      if (container !== undefined) container.image = 'coredns:old';
    });
    const { changes, error } = await run(ports, config, addons);
    expect({ changes, error }).toEqual({ changes: ['apply Deployment kube-system/coredns'], error: undefined });
    expect(deployment(ports).spec.replicas).toBe(5);
    expect(deployment(ports).spec.template.spec.containers[0]?.image).toBe('registry.k8s.io/coredns/coredns:v1.14.6');
  });

  test.each([
    ['', '192.0.2.10', '6443'],
    ['controlPlaneEndpoint: "192.0.2.250"\n', '192.0.2.250', '6443'],
    ['controlPlaneEndpoint: "[2001:db8::250]:443"\n', '2001:db8::250', '443'],
  ])('tells the pods where the API server is: %j', async (clusterText, host, port) => {
    const { ports } = await cluster({ cluster: clusterText });
    expect(environmentOf(deployment(ports))).toEqual([
      { name: 'KUBERNETES_SERVICE_HOST', value: host },
      { name: 'KUBERNETES_SERVICE_PORT', value: port },
    ]);
  });

  test('leaves the pods to the Service where the control plane has a name, which pods may not know', async () => {
    const { ports } = await cluster({ cluster: 'controlPlaneEndpoint: cluster.example.com:6443\n' });
    expect(environmentOf(deployment(ports))).toBeUndefined();
  });

  test('leaves the pods of an installed CoreDNS to the Service if they were', async () => {
    const { ports, config } = await cluster();
    change(ports, deployment(ports), ({ spec }) => {
      const [container] = spec.template.spec.containers;
      if (container !== undefined) container.env = [];
    });
    expect((await run(ports, config, addons)).changes).toEqual([]);
  });

  test('writes a default Corefile of another time anew', async () => {
    const { ports, config } = await cluster();
    const { data } = configMap(ports, 'coredns');
    change(ports, configMap(ports, 'coredns'), (copy) => {
      copy.data = { Corefile: data?.Corefile?.replace(/cache 30 \{[^}]*\}/, 'cache 30') ?? '' };
    });
    expect((await run(ports, config, addons)).changes).toEqual(['apply ConfigMap kube-system/coredns']);
    expect(configMap(ports, 'coredns').data).toEqual(data);
  });

  test('keeps a Corefile that somebody has changed, and says so', async () => {
    const { ports, config } = await cluster();
    const corefile = '.:53 {\n    forward . 192.0.2.53\n}\n';
    change(ports, configMap(ports, 'coredns'), (copy) => (copy.data = { Corefile: corefile }));
    const { phases } = await plan(ports, config, addons);
    const planned = phases.find(({ phase }) => phase === 'addon/coredns');
    expect(planned?.decision).toBe('keep');
    expect(planned?.findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning ADDONS_COREFILE_KEPT',
    ]);
    expect((await run(ports, config, addons)).changes).toEqual([]);
    expect(configMap(ports, 'coredns').data?.Corefile).toBe(corefile);
  });

  test('keeps an old CoreDNS with its changed Corefile, and sets right what does not depend on it', async () => {
    const { ports, config } = await cluster();
    const image = 'k8s.gcr.io/coredns:v1.3.1';
    change(ports, configMap(ports, 'coredns'), (copy) => (copy.data = { Corefile: '.:53 {\n    upstream\n}\n' }));
    change(ports, deployment(ports), ({ spec }) => (spec.template.spec.containers = [{ name: 'coredns', image }]));
    change(ports, service(ports), ({ spec }) => (spec.selector = { wrong: 'yes' }));
    const before = [configMap(ports, 'coredns'), deployment(ports)];
    const { changes, error, events } = await run(ports, config, addons);
    expect({ changes, error }).toEqual({ changes: ['apply Service kube-system/kube-dns'], error: undefined });
    expect([configMap(ports, 'coredns'), deployment(ports)]).toEqual(before);
    expect(JSON.stringify(events)).toContain('ADDONS_COREDNS_KEPT');
  });

  const refusals: readonly [string, string, (ports: MemoryPorts) => void][] = [
    [
      'another Deployment is the cluster DNS',
      'ADDONS_DNS_OTHER',
      (ports) => change(ports, deployment(ports), ({ metadata }) => (metadata.name = 'other-dns')),
    ],
    [
      'kube-dns has another address',
      'ADDONS_DNS_SERVICE_ADDRESS',
      (ports) => change(ports, service(ports), ({ spec }) => (spec.clusterIP = '10.96.0.53')),
    ],
    [
      'another Service has the address',
      'ADDONS_DNS_ADDRESS_TAKEN',
      (ports) =>
        change(ports, service(ports), ({ metadata }) => Object.assign(metadata, { name: 'web', namespace: 'shop' })),
    ],
  ];
  test.each(refusals)('stops before the first write where %s', async (_, code, spoil) => {
    const { ports, config } = await cluster();
    spoil(ports);
    // Something to do for the phase before.
    ports.memory.removeObject({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      namespace: 'kube-system',
      name: 'kube-proxy',
    });
    const { changes, error } = await run(ports, config, addons);
    expect(changes).toEqual([]);
    expect(error).toMatchObject({ kind: 'conflict' });
    expect(error?.findings.map((finding) => finding.code)).toEqual([code]);
  });
});

describe('patches', () => {
  test('change both, and a second run changes nothing', async () => {
    const patches = readPatches([
      {
        path: 'corednsdeployment.yaml',
        text: 'spec: {replicas: 3, template: {spec: {containers: [{name: coredns, resources: {limits: {cpu: 0.5}}}]}}}\n',
      },
      {
        path: 'kubeproxydaemonset.yaml',
        text: 'spec: {template: {spec: {containers: [{name: kube-proxy, env: [{name: NO_PROXY, value: patched}]}]}}}\n',
      },
    ]);
    const proxyEnvironment = [{ name: 'NO_PROXY', value: '.local' }];
    const ports = initWorld({ facts: { proxyEnvironment: () => proxyEnvironment } });
    const config = { ...(await initContext({}, { ports })), patches };
    expect((await run(ports, config)).error).toBeUndefined();
    expect(deployment(ports).spec).toMatchObject({
      replicas: 3,
      template: { spec: { containers: [{ resources: { limits: { cpu: '500m', memory: '170Mi' } } }] } },
    });
    const [container] = daemonSet(ports).spec.template.spec.containers;
    expect(container?.env?.find(({ name }) => name === 'NO_PROXY')).toEqual({ name: 'NO_PROXY', value: 'patched' });
    expect((await run(ports, config, addons)).changes).toEqual([]);
  });

  const broken: readonly [string, string][] = [
    ['corednsdeployment', 'init phase addon coredns'],
    ['kubeproxydaemonset', 'init phase addon all'],
  ];
  test.each(broken)('of %s that do not fit stop %s', async (target, command) => {
    const ports = initWorld({ files: { [`/patches/${target}.yaml`]: 'spec: 5\n' } });
    const init = 'patches:\n  directory: /patches\n';
    await expect(initContext({ documents: '', init }, { ports, command })).rejects.toMatchObject({
      message: expect.stringContaining(target),
    });
  });
});

describe('addons that the configuration disables', () => {
  test('are neither installed nor asked about, and the cluster remembers it', async () => {
    const { ports, config } = await cluster({ cluster: 'dns: {disabled: true}\nproxy: {disabled: true}\n' });
    expect(deployment(ports)).toBeUndefined();
    expect(daemonSet(ports)).toBeUndefined();
    expect(await decisions(ports, config, addons)).toMatchObject({
      'addon/kube-proxy': 'inapplicable',
      'addon/coredns': 'inapplicable',
    });
    const stored = parseYaml(configMap(ports, 'kubeadm-config').data?.ClusterConfiguration ?? '');
    expect(stored).toMatchObject({ dns: { disabled: true }, proxy: { disabled: true } });
  });

  test('by skipping a phase, too', async () => {
    const configText = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nskipPhases: [addon/kube-proxy]\n';
    const { context, skipPhases, warnings } = await resolveInit({ configText, ports: initWorld() });
    expect(context.cluster).toMatchObject({ dns: { disabled: false }, proxy: { disabled: true } });
    expect(skipPhases).toEqual(['addon/kube-proxy']);
    expect(warnings.map(({ code }) => code)).not.toContain('BOOTSTRAP_ADDON_DISABLED');
  });

  test.each([
    ['init phase addon all', ['addon/kube-proxy']],
    ['init phase addon kube-proxy', ['addon/kube-proxy']],
    ['init phase addon coredns', []],
  ])('%s tells that it leaves out %j, and skips nothing else', async (command, left) => {
    const configText = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nskipPhases: [addon/kube-proxy]\n';
    const { skipPhases, warnings } = await resolveInit({ configText, ports: initWorld(), command });
    expect(skipPhases).toEqual([]);
    const told = warnings.filter(({ code }) => code === 'BOOTSTRAP_ADDON_DISABLED');
    expect(told.map(({ artifact }) => artifact)).toEqual(left);
  });

  test('are printed by their name only', async () => {
    const context = await initContext({ cluster: 'proxy: {disabled: true}\n' });
    const { files } = initWorld().host;
    const kinds = async (phase: string) =>
      (await phaseManifests(context, phase, files)).map(({ object }) => object.kind);
    expect(await kinds('addon/kube-proxy')).toContain('DaemonSet');
    expect(await kinds('addon/all')).toEqual(await kinds('addon/coredns'));
  });
});
