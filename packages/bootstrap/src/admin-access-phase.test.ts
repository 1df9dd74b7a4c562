import { GroundplaneError } from '@groundplane/errors';
import { expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';

const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  name: 'kubeadm:cluster-admins',
};
/** Hidden phases come along when something needs them. */
const selection = { only: ['upload-config/kubeadm'] };

/** A running control plane to which nobody has spoken yet. */
async function freshCluster() {
  const ports = initWorld();
  const config = await initContext();
  const only = ['certs', 'kubeconfig', 'etcd', 'control-plane', 'kubelet-start'];
  expect((await run(ports, config, { only })).error).toBeUndefined();
  return { ports, config };
}

test('on a new cluster super-admin.conf binds the administrators, at the API server of this node', async () => {
  const { ports, config } = await freshCluster();
  const { error, events, changes } = await run(ports, config, selection);
  expect(error).toBeUndefined();
  expect(changes[0]).toBe('apply ClusterRoleBinding kubeadm:cluster-admins');
  expect(ports.memory.object(binding)).toMatchObject({
    roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'Group', name: 'kubeadm:cluster-admins' }],
  });
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'progress', message: expect.stringContaining('super-admin.conf does it') }),
  );
  expect(new Set(ports.memory.connections.map(({ server }) => server))).toEqual(new Set(['https://192.0.2.10:6443']));
});

test('waits until the API server goes by the binding, whose picture of what is bound is a moment behind', async () => {
  const { ports, config } = await freshCluster();
  let behind = 3;
  const connect: typeof ports.clusters.connect = async (options) => {
    const cluster = await ports.clusters.connect(options);
    if (options.kubeconfig.includes('kubernetes-super-admin')) return cluster;
    const get: typeof cluster.get = async (reference) => {
      if (ports.memory.object(binding) !== undefined && behind > 0) {
        behind -= 1;
        throw new GroundplaneError('CLUSTER_FORBIDDEN', 'kubernetes-admin cannot get it', { kind: 'unavailable' });
      }
      return cluster.get(reference);
    };
    return { ...cluster, get };
  };
  const { error, events } = await run({ ...ports, clusters: { connect } }, config, selection);
  expect(error).toBeUndefined();
  expect(behind).toBe(0);
  const reason = 'kubernetes-admin cannot get it';
  expect(events).toContainEqual(expect.objectContaining({ type: 'waiting', phase: 'admin-access', reason }));
});

test('with the binding there admin.conf alone is enough, and nothing is done', async () => {
  const { ports, config } = await freshCluster();
  await run(ports, config, selection);
  ports.memory.remove('/etc/kubernetes/super-admin.conf');
  expect(await decisions(ports, config, selection)).toMatchObject({ 'admin-access': 'keep' });
});

test('without super-admin.conf the refusal is told, with what to do', async () => {
  const { ports, config } = await freshCluster();
  ports.memory.remove('/etc/kubernetes/super-admin.conf');
  const { error, changes } = await run(ports, config, selection);
  expect(error).toMatchObject({
    code: 'BOOTSTRAP_ADMIN_ACCESS',
    kind: 'unavailable',
    hint: 'Make super-admin.conf first: init phase kubeconfig super-admin',
    cause: { code: 'CLUSTER_FORBIDDEN' },
  });
  expect(changes).toEqual([]);
});
