import { GroundplaneError } from '@groundplane/errors';
import { type Deployment, parseYaml } from '@groundplane/manifest';
import type { Cluster, ClusterObject } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld, objectOf } from '../test/init-world.ts';
import { clusterObjects, joinRequest, joinWorld } from '../test/join-world.ts';
import { resetWorld } from '../test/reset-world.ts';
import { resolveJoin, resolveReset } from './index.ts';

const document = (lines = '') => `---\napiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\n${lines}`;
const text = document('journal: {path: /var/log/groundplane.jsonl}\ncoreDNS: {apiServer: Service}\n');
const settings = {
  journal: { path: '/var/log/groundplane.jsonl', disabled: false },
  coreDNS: { apiServer: 'Service' },
} as const;
const name = 'groundplane-config';
const roleName = 'groundplane:nodes-groundplane-config';
const rbac = 'rbac.authorization.k8s.io/v1';

const stored: ClusterObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kube-system', name },
  data: { GroundplaneConfiguration: text.replace('---\n', '') },
};

const environmentOf = (ports: MemoryPorts) => {
  const { spec } = objectOf(ports, 'apps/v1', 'Deployment', 'coredns') as unknown as Deployment;
  return spec.template.spec.containers[0]?.env?.map(({ name }) => name) ?? [];
};

describe('init', () => {
  test('keeps the document in the cluster, for those who join and for nodes', async () => {
    const ports = initWorld();
    const { error, changes } = await run(ports, await initContext({ documents: text }));
    expect(error).toBeUndefined();
    const { data } = objectOf(ports, 'v1', 'ConfigMap', name) as unknown as { data: Record<string, string> };
    expect(Object.keys(data)).toEqual(['GroundplaneConfiguration']);
    expect(parseYaml(data.GroundplaneConfiguration ?? '')).toMatchObject(settings);
    expect(objectOf(ports, rbac, 'Role', roleName)).toMatchObject({
      metadata: { namespace: 'kube-system' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: [name] }],
    });
    expect(objectOf(ports, rbac, 'RoleBinding', roleName)).toMatchObject({
      subjects: [{ name: 'system:bootstrappers:kubeadm:default-node-token' }, { name: 'system:nodes' }],
    });
    // Whoever can read the configuration of the cluster finds it.
    const places = ['ConfigMap', 'Role', 'RoleBinding'].map(
      (kind) => `apply ${kind} kube-system/${kind === 'ConfigMap' ? name : roleName}`,
    );
    for (const place of places) {
      expect(changes).toContain(place);
      expect(changes.indexOf(place)).toBeLessThan(changes.indexOf('apply ConfigMap kube-system/kubeadm-config'));
    }
  });

  test('without a document leaves the cluster as kubeadm would', async () => {
    const ports = initWorld();
    const config = await initContext();
    const { error, changes } = await run(ports, config);
    expect(error).toBeUndefined();
    expect(changes.filter((change) => change.includes('groundplane'))).toEqual([]);
    expect(await decisions(ports, config)).toMatchObject({ 'upload-config/groundplane': 'inapplicable' });
  });

  test('replaces what the cluster keeps by what it is given', async () => {
    const ports = initWorld();
    await run(ports, await initContext({ documents: text }));
    const only = { only: ['upload-config/groundplane'] };
    const config = await initContext({ documents: document('journal: {disabled: true}\n') });
    expect(await decisions(ports, config, only)).toMatchObject({ 'upload-config/groundplane': 'replace' });
    const { error } = await run(ports, config, only);
    expect(error).toBeUndefined();
    const { data } = objectOf(ports, 'v1', 'ConfigMap', name) as unknown as { data: Record<string, string> };
    expect(parseYaml(data.GroundplaneConfiguration ?? '')).toMatchObject({
      journal: { disabled: true },
      coreDNS: { apiServer: 'Address' },
    });
    expect(await decisions(ports, config, only)).toMatchObject({ 'upload-config/groundplane': 'keep' });
  });
});

describe('the pods of CoreDNS', () => {
  const service = 'KUBERNETES_SERVICE_HOST';

  test.each([
    ['without a document', '', [service, 'KUBERNETES_SERVICE_PORT'], 'inapplicable'],
    [
      'with another setting',
      document('journal: {disabled: true}\n'),
      [service, 'KUBERNETES_SERVICE_PORT'],
      'inapplicable',
    ],
    ['with Address', document('coreDNS: {apiServer: Address}\n'), [service, 'KUBERNETES_SERVICE_PORT'], 'inapplicable'],
    ['with Service', text, [], 'act'],
  ])('%s', async (_, documents, environment, waiting) => {
    const ports = initWorld();
    const config = await initContext({ documents });
    expect((await run(ports, config)).error).toBeUndefined();
    expect(environmentOf(ports)).toEqual(environment);
    expect(await decisions(ports, config)).toMatchObject({
      'addon/service-rules': waiting,
      'addon/coredns': 'keep',
    });
  });

  test.each([
    ['that is told the address goes by the Service', '', text],
    ['that goes by the Service is told the address', text, document('coreDNS: {apiServer: Address}\n')],
  ])('of an installed one %s when the document says so', async (_, before, after) => {
    const ports = initWorld();
    expect((await run(ports, await initContext({ documents: before }))).error).toBeUndefined();
    expect(await decisions(ports, await initContext({ documents: after }))).toMatchObject({
      'addon/coredns': 'replace',
    });
    // Without a word it stays as it is.
    expect(await decisions(ports, await initContext())).toMatchObject({ 'addon/coredns': 'keep' });
  });
});

describe('join', () => {
  const resolved = async (ports: MemoryPorts, change: Parameters<typeof joinRequest>[1] = {}) =>
    (await resolveJoin(await joinRequest(ports, change))).context.groundplane;

  test('goes by what the cluster keeps', async () => {
    expect(await resolved(joinWorld({ objects: [...clusterObjects(), stored] }))).toEqual(settings);
  });

  test('finds none where there is none, and where it may not look', async () => {
    expect(await resolved(joinWorld())).toBeUndefined();
    const ports = joinWorld({ objects: [...clusterObjects(), stored] });
    expect(await resolved(refusing(ports))).toBeUndefined();
  });

  test('goes by its own file first', async () => {
    const ports = joinWorld({ objects: [...clusterObjects(), stored] });
    const discovery =
      'discovery: {bootstrapToken: {token: abcdef.0123456789abcdef, apiServerEndpoint: "192.0.2.1:6443", unsafeSkipCAVerification: true}}\n';
    const configText = `apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n${discovery}${document('journal: {disabled: true}\n')}`;
    const { endpoint: _, ...request } = await joinRequest(ports, { configText });
    const { context, warnings } = await resolveJoin(request);
    expect(context.groundplane).toEqual({ journal: { disabled: true }, coreDNS: { apiServer: 'Address' } });
    expect(warnings.filter(({ code }) => code === 'CONFIG_DOCUMENT_IGNORED')).toEqual([]);
  });
});

describe('reset', () => {
  const objects = [stored];
  const kubeconfig = 'a kubeconfig';

  test.each([
    ['on a control-plane node', resetWorld({ objects, apiRefusal: () => undefined }), settings],
    [
      'on a worker, with the credentials of the kubelet',
      resetWorld({
        objects,
        apiRefusal: () => undefined,
        files: { '/etc/kubernetes/kubelet.conf': kubeconfig },
      }),
      settings,
    ],
    ['not at all where the cluster does not answer', resetWorld({ objects }), undefined],
  ])('finds what the cluster keeps %s', async (title, ports, expected) => {
    if (title.includes('worker')) await ports.host.files.remove('/etc/kubernetes/admin.conf');
    const { context } = await resolveReset({ flags: { force: true }, ports });
    expect(context.groundplane).toEqual(expected);
  });

  test('goes by its own file first', async () => {
    const configText = `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ResetConfiguration\nforce: true\n${document()}`;
    const ports = resetWorld({ objects, apiRefusal: () => undefined });
    const { context } = await resolveReset({ configText, ports });
    expect(context.groundplane).toEqual({ journal: { disabled: false }, coreDNS: { apiServer: 'Address' } });
  });

  test('is not kept from its work by a document that cannot be used', async () => {
    const broken = { ...stored, data: { GroundplaneConfiguration: 'journal: [' } };
    const ports = resetWorld({ objects: [broken], apiRefusal: () => undefined });
    const { context } = await resolveReset({ flags: { force: true }, ports });
    expect(context.groundplane).toBeUndefined();
  });
});

/** Whoever asks for our settings is refused, as where no role lets them. */
function refusing(ports: MemoryPorts): MemoryPorts {
  return {
    ...ports,
    clusters: {
      async connect(options) {
        const cluster = await ports.clusters.connect(options);
        const get: Cluster['get'] = async (reference) => {
          if (reference.name !== name) return cluster.get(reference);
          throw new GroundplaneError('CLUSTER_FORBIDDEN', 'forbidden', { kind: 'refused' });
        };
        return { ...cluster, get };
      },
    },
  };
}
