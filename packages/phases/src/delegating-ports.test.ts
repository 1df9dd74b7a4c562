import { describe, expect, test } from 'vitest';
import { classPorts } from '../test/class-ports.ts';
import { derive, textFile, textObject, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import {
  delegatingCluster,
  delegatingPorts,
  planWorkflow,
  predictWorkflow,
  runWorkflow,
  type SuppliedPorts,
  statusOfWorkflow,
  verifyWorkflow,
} from './index.ts';
import { fakeSigner, type MemoryPorts, memoryPorts } from './testing/index.ts';

const admin = textFile('admin');
const note = textFile('note', { policy: 'converge' });
const stored = textObject('stored', { policy: 'converge' });
const connect = { kubeconfig: admin, endpoint: 'local' } as const;

/** Asks each port for something, and changes what it may. */
const asking = tiny.defineEffect({
  name: 'asking',
  summary: 'Ask all ports',
  reads: { admin },
  writes: { stored, note },
  connect,
  uses: ['host', 'cluster', 'clusters', 'runtime', 'clock', 'entropy', 'signer'],
  run: async ({ ports: { host, cluster, runtime, clock, entropy } }) => {
    await host.files.write('/etc/tiny/note', new TextEncoder().encode(await host.facts.hostName()), { mode: 0o600 });
    await host.services.restart('kubelet');
    await runtime.pullImage((await runtime.version()).name);
    await clock.sleep(entropy.bytes(1).length);
    await cluster.apply({ apiVersion: 'v1', kind: 'Text', metadata: { name: 'stored' }, text: 'wanted' });
  },
  verify: async ({ ports: { host, cluster, runtime, signer } }) => {
    const { active } = await host.services.status('kubelet');
    await host.mounts.table();
    await cluster.probe('/livez', { timeoutMs: 1 });
    expect(signer.canIssue({ name: 'x', algorithm: 'RSA-2048' })).toBe(true);
    const isPulled = await runtime.imageExists('containerd');
    return active && isPulled
      ? []
      : [{ code: 'TINY_WRONG', severity: 'error', artifact: 'kubelet', message: 'not asked' }];
  },
});

test('ports that are instances of classes do as well as objects', async () => {
  const memory = memoryPorts();
  const ports = classPorts(memory);
  const request = { workflow: workflowOf(derive('admin', { writes: { admin } }), asking), config: tinyConfig, ports };
  const decisionsOf = ({ phases }: Awaited<ReturnType<typeof planWorkflow>>) =>
    phases.map(({ decision, reason }) => [decision, reason]);
  expect(decisionsOf(await planWorkflow(request))).toEqual([
    ['create', undefined],
    ['deferred', 'reads what is still to be made: admin'],
  ]);
  const predicting = { ...request, signer: fakeSigner(7) };
  expect(decisionsOf(await predictWorkflow(predicting))[0]).toEqual(['create', undefined]);
  await runWorkflow({ ...request, actor: 'test' });
  expect(memory.memory.text('/etc/tiny/note')).toBe(await memory.host.facts.hostName());
  for (const plan of [await planWorkflow(request), await predictWorkflow(predicting)])
    expect(decisionsOf(plan)).toEqual([
      ['keep', undefined],
      ['keep', undefined],
    ]);
  expect((await verifyWorkflow(request)).map(({ verdict }) => verdict)).toEqual(['valid', 'valid']);
  const { phases } = await statusOfWorkflow(request);
  expect(phases.map(({ state }) => state)).toEqual(['done', 'done']);
});

test('a cluster that is an instance of a class', async () => {
  const memory = memoryPorts();
  const cluster = await classPorts(memory).clusters.connect({ kubeconfig: '', timeoutMs: 1 });
  const object = { apiVersion: 'v1', kind: 'Text', metadata: { name: 'a' } };
  const plain = { ...delegatingCluster(cluster) };
  await plain.create(object);
  expect(await plain.get({ apiVersion: 'v1', kind: 'Text', name: 'a' })).toMatchObject(object);
});

describe('what a port answers', () => {
  type Change = (ports: MemoryPorts) => SuppliedPorts;
  const withFacts =
    (facts: object): Change =>
    (ports) => ({ ...ports, host: { ...ports.host, facts: { ...ports.host.facts, ...facts } } });
  const withFiles =
    (files: object): Change =>
    (ports) => ({ ...ports, host: { ...ports.host, files: { ...ports.host.files, ...files } } });

  test.each<[string, Change, (ports: SuppliedPorts) => unknown, string]>([
    [
      'nothing',
      withFacts({ hostName: async () => undefined }),
      ({ host }) => host.facts.hostName(),
      'Cannot use what host.facts.hostName answers as it is not a text: undefined',
    ],
    [
      'no method',
      withFacts({ hostName: undefined }),
      ({ host }) => host.facts.hostName(),
      'Cannot call host.facts.hostName as the port has no such method',
    ],
    [
      'another type of what is answered at once',
      withFacts({ uid: () => 'root' }),
      async ({ host }) => host.facts.uid(),
      'Cannot use what host.facts.uid answers as it is not a number: a text',
    ],
    [
      'another type of a field',
      withFiles({ read: async () => ({ kind: 'file', mode: 0o600, uid: 0, gid: 0, size: 6, bytes: 'secret' }) }),
      ({ host }) => host.files.read('/etc/key'),
      'Cannot use what host.files.read /etc/key answers as its bytes is not a Uint8Array: a text',
    ],
    [
      'another type in a list',
      (ports) => ({ ...ports, runtime: { ...ports.runtime, sandboxes: async () => [{ id: 'a', name: 7 }] as never } }),
      ({ runtime }) => runtime.sandboxes(),
      'Cannot use what runtime.sandboxes answers as its [0].name is not a text: 7',
    ],
  ])('is refused by name where it is %s', async (_, change, ask, message) => {
    const ports = delegatingPorts(change(memoryPorts()));
    await expect(ask(ports)).rejects.toThrow(new TypeError(message));
  });

  test('ends a plan with what came, and where from', async () => {
    const ports = withFiles({ read: async () => 'a file' })(memoryPorts());
    const request = { workflow: workflowOf(derive('admin', { writes: { admin } })), config: tinyConfig, ports };
    await expect(planWorkflow(request)).rejects.toThrow(
      /^Cannot use what host\.files\.\w+ \S+ answers as it is not an object: a text$/,
    );
  });
});
