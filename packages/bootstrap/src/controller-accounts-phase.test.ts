import { expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const account = (name: string, namespace = 'kube-system') => ({ kind: 'ServiceAccount', name, namespace });

const bindings = [
  {
    ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name: 'system:controller:job-controller', labels } },
    subjects: [account('job-controller')],
  },
  {
    ...{
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'system:controller:route-controller', labels },
    },
    subjects: [account('route-controller')],
  },
  {
    ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name: 'system:kube-dns', labels } },
    subjects: [account('kube-dns'), { kind: 'User', name: 'somebody' }],
  },
  {
    apiVersion: rbac,
    kind: 'RoleBinding',
    metadata: { name: 'system:controller:token-cleaner', namespace: 'kube-system', labels },
    subjects: [account('token-cleaner'), account('elsewhere', 'other')],
  },
  {
    ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name: 'system:controller:of-somebody-else' } },
    subjects: [account('not-ours')],
  },
];

async function world(lines: Parameters<typeof initContext>[0] = {}) {
  const ports = initWorld();
  for (const binding of bindings) ports.memory.putObject(binding as never);
  return { ports, config: await initContext(lines) };
}

test("makes the accounts that Kubernetes' own bindings for controllers speak of, and nothing a second time", async () => {
  const { ports, config } = await world();
  const { error } = await run(ports, config, { skip: ['addon'] });
  expect(error).toBeUndefined();
  const names = ports.memory
    .objects()
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(names.sort()).toEqual(['kube-system/job-controller', 'kube-system/token-cleaner']);
  expect((await decisions(ports, config))['controller-accounts']).toBe('keep');
});

test('leaves controllers alone that have no accounts of their own', async () => {
  const { ports, config } = await world({
    cluster: 'controllerManager:\n  extraArgs:\n    - { name: use-service-account-credentials, value: "false" }\n',
  });
  const { error } = await run(ports, config, { skip: ['addon'] });
  expect(error).toBeUndefined();
  expect(ports.memory.objects().some(({ kind }) => kind === 'ServiceAccount')).toBe(false);
});
