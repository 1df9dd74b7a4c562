import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initWorkflow, resolveInit } from '../packages/bootstrap/dist/index.js';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import { clusters } from '../packages/cluster/test/test-cluster.ts';
import { planWorkflow, runWorkflow, type SuppliedPorts } from '../packages/phases/dist/index.js';
import { memoryPorts } from '../packages/phases/dist/testing/index.js';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const components = process.env.GROUNDPLANE_COMPONENTS ?? '';

type StoredObject = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly [field: string]: unknown };
};

/** The kinds of both addons, of which a bare API server has few objects of its own. */
const kinds = [
  'configmaps',
  'serviceaccounts',
  'services',
  'deployments.apps',
  'daemonsets.apps',
  'roles',
  'rolebindings',
];
const names = ['coredns', 'kube-dns', 'kube-proxy', 'system:coredns', 'kubeadm:node-proxier'];

let api: ApiServer;
let configText: string;
beforeAll(async () => {
  api = await prepareApiServer(components);
  api.start('--allow-privileged=true');
  await api.ready();
  const port = new URL(api.server).port;
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  configText = [
    {
      ...{
        apiVersion,
        kind: 'InitConfiguration',
        localAPIEndpoint: { advertiseAddress: '192.0.2.10', bindPort: Number(port) },
      },
      nodeRegistration: { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' },
    },
    {
      ...{
        apiVersion,
        kind: 'ClusterConfiguration',
        kubernetesVersion: 'v1.37.2',
      },
      networking: { serviceSubnet: '10.96.0.0/16', podSubnet: '10.244.0.0/16' },
    },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
  writeFileSync(join(api.directory, 'config.yaml'), configText);
  writeFileSync(join(api.directory, 'admin.conf'), api.kubeconfig('superAdmin'));
});
afterAll(() => api?.stop());

/** A machine in memory with admin.conf and its CA, whose cluster is the real API server. */
function machine(): SuppliedPorts {
  const given = (name: string) => readFileSync(join(api.directory, name), 'utf8');
  const files = {
    '/etc/kubernetes/admin.conf': { content: api.kubeconfig('superAdmin'), mode: 0o600 },
    '/etc/kubernetes/pki/ca.crt': given('ca.crt'),
    '/etc/kubernetes/pki/ca.key': { content: given('ca.key'), mode: 0o600 },
  };
  return {
    ...memoryPorts({ files, startMs: Date.now() }),
    // The address of the node is that of no machine here.
    clusters: { connect: ({ server, ...options }) => clusters.connect(options) },
  };
}

const selection = { only: ['addon'] };

async function runOurs(): Promise<readonly string[]> {
  const ports = machine();
  const { context: config } = await resolveInit({ configText, ports, command: 'init phase addon all' });
  const result = await runWorkflow({ workflow: initWorkflow, config, ports, selection, actor: 'test' });
  return result.phases
    .flatMap(({ artifacts }) => artifacts.filter(({ action }) => action !== 'kept'))
    .map(({ location }) => location);
}

function runTheirs(): void {
  const words = ['init', 'phase', 'addon', 'all', '--config', join(api.directory, 'config.yaml')];
  const env = { PATH: process.env.PATH ?? '' };
  execFileSync(kubeadm, [...words, '--kubeconfig', join(api.directory, 'admin.conf')], { env, stdio: 'pipe' });
}

/** The addons' objects as the API server stores them, by kind and name. */
function stored(): Readonly<Record<string, StoredObject>> {
  const get = (...words: readonly string[]) =>
    (JSON.parse(api.kubectl('get', ...words, '-o', 'json')) as { readonly items: readonly StoredObject[] }).items;
  const objects = [...get(kinds.join(), '-n', 'kube-system'), ...get('clusterroles,clusterrolebindings')];
  const ofAddons = objects.filter(({ metadata }) => names.includes(metadata.name));
  return Object.fromEntries(ofAddons.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

function remove(): void {
  for (const [place, object] of Object.entries(stored()))
    api.kubectl(
      'delete',
      ...place.split(' '),
      ...(object.metadata.namespace === undefined ? [] : ['-n', 'kube-system']),
    );
}

/** Without what differs between two runs of one tool. */
function masked({ status, ...object }: StoredObject): unknown {
  const { uid, resourceVersion, generation, creationTimestamp, managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

interface ContainerWithEnvironment {
  env?: unknown;
}

/** The variables of CoreDNS' container, taken out of the object: they are ours alone. */
function takenEnvironment(objects: Readonly<Record<string, StoredObject>>): unknown {
  const { spec } = objects['Deployment coredns'] as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: ContainerWithEnvironment[] } } };
  };
  const [container] = spec.template.spec.containers;
  const env = container?.env;
  delete container?.env;
  return env;
}

const maskAll = (objects: Readonly<Record<string, StoredObject>>) =>
  Object.fromEntries(Object.entries(objects).map(([place, object]) => [place, masked(object)]));
const versionsOf = (objects: Readonly<Record<string, StoredObject>>) =>
  Object.fromEntries(Object.entries(objects).map(([place, { metadata }]) => [place, metadata.resourceVersion]));

describe('on a real API server', () => {
  it('both addons are stored as kubeadm stores them, field by field', async () => {
    runTheirs();
    const theirs = stored();
    expect(Object.keys(theirs)).toHaveLength(12);
    remove();
    expect(Object.keys(stored())).toEqual([]);
    expect(await runOurs()).toHaveLength(12);
    const ours = stored();
    expect(takenEnvironment(ours)).toEqual([
      { name: 'KUBERNETES_SERVICE_HOST', value: '192.0.2.10' },
      { name: 'KUBERNETES_SERVICE_PORT', value: new URL(api.server).port },
    ]);
    expect(maskAll(ours)).toEqual(maskAll(theirs));
  });

  it('a second run changes nothing', async () => {
    const before = versionsOf(stored());
    expect(await runOurs()).toEqual([]);
    expect(versionsOf(stored())).toEqual(before);
  });

  it('the real kubeadm over ours leaves the same objects, and ours over them changes nothing', async () => {
    const before = stored();
    runTheirs();
    const between = stored();
    takenEnvironment(before);
    expect(maskAll(between)).toEqual(maskAll(before));
    expect(await runOurs()).toEqual([]);
    expect(versionsOf(stored())).toEqual(versionsOf(between));
  });

  it('pods that somebody asked for and a Corefile that somebody changed stay, what was broken is mended', async () => {
    const corefile = '.:53 {\n    forward . 192.0.2.53\n}\n';
    const kubectl = (...words: readonly string[]) => api.kubectl('-n', 'kube-system', ...words);
    kubectl('scale', 'deployment', 'coredns', '--replicas=5');
    kubectl('patch', 'configmap', 'coredns', '-p', JSON.stringify({ data: { Corefile: corefile } }));
    kubectl('set', 'image', 'deployment/coredns', 'coredns=registry.k8s.io/coredns/coredns:v1.12.0');
    kubectl('patch', 'service', 'kube-dns', '-p', JSON.stringify({ spec: { selector: { 'k8s-app': 'other' } } }));
    expect((await runOurs()).toSorted()).toEqual(['Deployment kube-system/coredns', 'Service kube-system/kube-dns']);
    const after = stored();
    expect(after['Deployment coredns']).toMatchObject({
      spec: { replicas: 5, template: { spec: { containers: [{ image: 'registry.k8s.io/coredns/coredns:v1.14.6' }] } } },
    });
    expect(after['Service kube-dns']).toMatchObject({ spec: { selector: { 'k8s-app': 'kube-dns' } } });
    expect(after['ConfigMap coredns']).toMatchObject({ data: { Corefile: corefile } });
    // Scaled again by somebody, after it was applied with their number.
    kubectl('scale', 'deployment', 'coredns', '--replicas=1');
    expect(await runOurs()).toEqual([]);
    expect(stored()['Deployment coredns']).toMatchObject({ spec: { replicas: 1 } });
  });

  it('an address that another Service has is told before anything is written', async () => {
    remove();
    api.kubectl('create', 'service', 'clusterip', 'thief', '--clusterip=10.96.0.10', '--tcp=80');
    const ports = machine();
    const { context: config } = await resolveInit({ configText, ports, command: 'init phase addon all' });
    const plan = await planWorkflow({ workflow: initWorkflow, config, ports, selection });
    const decisions = Object.fromEntries(plan.phases.map(({ phase, decision }) => [phase, decision]));
    expect(decisions).toMatchObject({ 'addon/kube-proxy': 'create', 'addon/coredns': 'conflict' });
    await expect(runOurs()).rejects.toMatchObject({
      kind: 'conflict',
      findings: [{ code: 'ADDONS_DNS_ADDRESS_TAKEN', artifact: 'Service default/thief' }],
    });
    expect(Object.keys(stored())).toEqual([]);
  });
});
