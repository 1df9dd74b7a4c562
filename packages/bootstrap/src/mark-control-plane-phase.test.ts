import { GroundplaneError } from '@groundplane/errors';
import type { Cluster, ClusterObject } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld, nodeReference } from '../test/init-world.ts';

const selection = { only: ['mark-control-plane'] };
const wanted = {
  metadata: {
    labels: {
      'kubernetes.io/hostname': 'node-a',
      'node-role.kubernetes.io/control-plane': '',
      'node.kubernetes.io/exclude-from-external-load-balancers': '',
    },
  },
  spec: { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
};

/** A finished node, as it was before it was marked; the ports' cluster is changed by `change`. */
async function unmarked(change: (cluster: Cluster, ports: MemoryPorts) => Partial<Cluster> = () => ({})) {
  const ports = initWorld();
  const config = await initContext();
  await run(ports, config, { skip: ['mark-control-plane'] });
  const { connect } = ports.clusters;
  const clusters: MemoryPorts['clusters'] = {
    connect: async (options) => {
      const cluster = await connect(options);
      return { ...cluster, ...change(cluster, ports) };
    },
  };
  return { ports: { ...ports, clusters }, config };
}

test('labels and taint are added, and told in the words of kubeadm', async () => {
  const { ports, config } = await unmarked();
  const { events, changes } = await run(ports, config, selection);
  expect(changes).toEqual(['patch Node node-a']);
  expect(ports.memory.object(nodeReference)).toMatchObject(wanted);
  expect(events.flatMap((event) => (event.type === 'progress' ? [event.message] : []))).toEqual([
    'Marking the node node-a as control-plane by adding the labels: [node-role.kubernetes.io/control-plane node.kubernetes.io/exclude-from-external-load-balancers]',
    'Marking the node node-a as control-plane by adding the taints [node-role.kubernetes.io/control-plane:NoSchedule]',
  ]);
});

test('it waits for the kubelet to register the node and to label it', async () => {
  const steps: ClusterObject[] = [];
  const ports = initWorld({
    onSleep({ putObject }) {
      const next = steps.shift();
      if (next !== undefined) putObject(next);
    },
  });
  const config = await initContext();
  await run(ports, config, { skip: ['mark-control-plane'] });
  const node = ports.memory.object(nodeReference) as ClusterObject;
  ports.memory.removeObject(nodeReference);
  steps.push({ ...node, metadata: { name: 'node-a' } }, node);
  const { error, events } = await run(ports, config, selection);
  expect(error).toBeUndefined();
  expect(events.flatMap((event) => (event.type === 'waiting' ? [event.reason] : []))).toEqual([
    'the kubelet has not registered it',
    'it has no label kubernetes.io/hostname yet',
  ]);
  expect(ports.memory.object(nodeReference)).toMatchObject(wanted);
});

test('what others change meanwhile is not lost', async () => {
  let once = true;
  const { ports, config } = await unmarked((cluster, { memory }) => ({
    async patch(reference, body, options) {
      if (once) {
        once = false;
        const live = memory.object(nodeReference) as ClusterObject;
        memory.putObject({ ...live, spec: { taints: [{ key: 'other', effect: 'NoExecute' }] } });
      }
      return cluster.patch(reference, body, options);
    },
  }));
  expect((await run(ports, config, selection)).error).toBeUndefined();
  const { spec } = ports.memory.object(nodeReference) as unknown as {
    readonly spec: { readonly taints: readonly unknown[] };
  };
  expect(spec.taints).toEqual([...wanted.spec.taints, { key: 'other', effect: 'NoExecute' }]);
});

test('a node that somebody deletes meanwhile is told', async () => {
  const { ports, config } = await unmarked((_, { memory }) => ({
    patch: async (reference) => {
      memory.removeObject(nodeReference);
      throw new GroundplaneError('CLUSTER_CONFLICT', `Cannot patch ${reference.name}`, { kind: 'conflict' });
    },
  }));
  const { error } = await run(ports, config, selection);
  expect(error).toMatchObject({ code: 'BOOTSTRAP_NODE_VANISHED', message: expect.stringMatching(/: node-a$/) });
});
