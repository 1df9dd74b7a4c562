import { GroundplaneError } from '@groundplane/errors';
import type { Secret } from '@groundplane/manifest';
import type { Cluster } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { expect, test } from 'vitest';
import { putSecret, secretReference } from './put-secret.ts';

const wanted: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  type: 'bootstrap.kubernetes.io/token',
  metadata: { name: 'one', namespace: 'kube-system' },
  data: { a: 'MQ==' },
};

async function connected() {
  const { clusters, memory } = memoryPorts();
  return { cluster: await clusters.connect({ kubeconfig: 'any', timeoutMs: 1 }), memory };
}

test('it is created where there is none', async () => {
  const { cluster, memory } = await connected();
  await putSecret(cluster, wanted);
  expect(memory.object(secretReference(wanted))).toMatchObject(wanted);
});

test('what another tool put into it goes, what it says about it stays', async () => {
  const { cluster, memory } = await connected();
  memory.putObject({
    ...wanted,
    metadata: { ...wanted.metadata, labels: { team: 'a' }, ownerReferences: [{ name: 'old', uid: '1' }] },
    data: { a: 'MA==', 'usage-bootstrap-signing': 'dHJ1ZQ==' },
  } as never);
  const owners = [{ name: 'new', uid: '2' }];
  await putSecret(cluster, { ...wanted, metadata: { ...wanted.metadata, ownerReferences: owners } } as Secret);
  const live = memory.object(secretReference(wanted));
  expect(live).toMatchObject({ metadata: { labels: { team: 'a' }, ownerReferences: owners } });
  expect(live?.data).toEqual({ a: 'MQ==' });
});

test('who makes it in the meantime is overruled', async () => {
  const { cluster, memory } = await connected();
  const racing: Cluster = {
    ...cluster,
    async create(object) {
      memory.putObject({ ...wanted, data: { b: 'Mg==' } } as never);
      return cluster.create(object);
    },
  };
  await putSecret(racing, wanted);
  expect(memory.object(secretReference(wanted))?.data).toEqual({ a: 'MQ==' });
});

test('another refusal stays one', async () => {
  const { cluster } = await connected();
  const refusal = new GroundplaneError('CLUSTER_FORBIDDEN', 'Cannot create it', { kind: 'refused' });
  await expect(putSecret({ ...cluster, create: () => Promise.reject(refusal) }, wanted)).rejects.toBe(refusal);
});
