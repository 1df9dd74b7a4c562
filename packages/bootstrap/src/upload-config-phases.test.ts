import { componentConfigHash } from '@groundplane/config';
import { parseYaml } from '@groundplane/manifest';
import { describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld, objectOf } from '../test/init-world.ts';

const hashAnnotation = 'kubeadm.kubernetes.io/component-config.hash';

/** A finished cluster. */
async function cluster(documents: Parameters<typeof initContext>[0] = {}) {
  const ports = initWorld();
  const config = await initContext(documents);
  const { error } = await run(ports, config);
  expect(error).toBeUndefined();
  const configMap = (name: string) =>
    objectOf(ports, 'v1', 'ConfigMap', name) as unknown as {
      readonly metadata: { readonly namespace: string; readonly annotations?: Record<string, string> };
      readonly data: Readonly<Record<string, string>>;
    };
  return { ports, config, configMap };
}

describe('kubeadm-config', () => {
  test('is the ClusterConfiguration with its defaults, readable as kubeadm reads it', async () => {
    const { configMap } = await cluster({ cluster: 'clusterName: "1e3"\nnetworking:\n  podSubnet: 10.244.0.0/16\n' });
    const { metadata, data } = configMap('kubeadm-config');
    expect(metadata).toMatchObject({ namespace: 'kube-system', name: 'kubeadm-config' });
    expect(Object.keys(data)).toEqual(['ClusterConfiguration']);
    expect(parseYaml(data.ClusterConfiguration ?? '')).toMatchObject({
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.37.2',
      clusterName: '1e3',
      certificatesDir: '/etc/kubernetes/pki',
      encryptionAlgorithm: 'ECDSA-P256',
      networking: { podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/12', dnsDomain: 'cluster.local' },
      etcd: { local: { dataDir: '/var/lib/etcd' } },
    });
  });

  test('may be read by nodes and by those who join', async () => {
    const { ports } = await cluster();
    const rbac = 'rbac.authorization.k8s.io/v1';
    expect(objectOf(ports, rbac, 'Role', 'kubeadm:nodes-kubeadm-config')).toMatchObject({
      metadata: { namespace: 'kube-system' },
      rules: [{ verbs: ['get'], resources: ['configmaps'], resourceNames: ['kubeadm-config'] }],
    });
    expect(objectOf(ports, rbac, 'RoleBinding', 'kubeadm:nodes-kubeadm-config')).toMatchObject({
      subjects: expect.arrayContaining([
        expect.objectContaining({ kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' }),
        expect.objectContaining({ kind: 'Group', name: 'system:nodes' }),
      ]),
    });
  });
});

describe('kubelet-config', () => {
  test('holds the generated configuration, marked by its hash', async () => {
    const { configMap } = await cluster();
    const { metadata, data } = configMap('kubelet-config');
    expect(parseYaml(data.kubelet ?? '')).toMatchObject({
      kind: 'KubeletConfiguration',
      clusterDNS: ['10.96.0.10'],
    });
    expect(metadata.annotations).toEqual({ [hashAnnotation]: await componentConfigHash({ data }) });
  });

  test("has no hash where the configuration is the user's: upgrades must not replace it", async () => {
    const { configMap } = await cluster({
      documents: '---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 20\n',
    });
    const { metadata, data } = configMap('kubelet-config');
    expect(parseYaml(data.kubelet ?? '')).toMatchObject({ maxPods: 20 });
    expect(metadata.annotations).toBeUndefined();
  });

  test('says nothing of the resolv.conf of this machine', async () => {
    const ports = initWorld({ units: { kubelet: {}, 'systemd-resolved': { active: true } } });
    const config = await initContext({}, { ports });
    await run(ports, config);
    expect(parseYaml(ports.memory.text('/var/lib/kubelet/config.yaml') ?? '')).toMatchObject({
      resolvConf: '/run/systemd/resolve/resolv.conf',
    });
    const uploaded = objectOf(ports, 'v1', 'ConfigMap', 'kubelet-config') as unknown as { data: { kubelet: string } };
    expect(uploaded.data.kubelet).not.toContain('resolvConf');
  });
});

test('what somebody added to an object of ours stays, what contradicts ours is set right', async () => {
  const { ports, config } = await cluster();
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'kubeadm-config' };
  const live = ports.memory.object(reference);
  ports.memory.putObject({ ...live, data: { ClusterConfiguration: 'broken', mine: 'kept' } } as never);
  const { changes } = await run(ports, config, { only: ['upload-config/kubeadm'] });
  expect(changes).toEqual(['apply ConfigMap kube-system/kubeadm-config']);
  expect(ports.memory.object(reference)).toMatchObject({
    data: { mine: 'kept', ClusterConfiguration: expect.stringContaining('kubernetesVersion: v1.37.2') },
  });
});
