import { describe, expect, test } from 'vitest';
import { derive, run, textFile, textObject, textState, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { type AnyPhase, optional, type PhaseStatus, parseJournal, statusOfWorkflow } from './index.ts';
import { type MemoryPorts, memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');
const c = textFile('c');
const made = 'made from nothing';
const journal = '/var/log/journal.jsonl';
const connect = { kubeconfig: a, endpoint: 'as-written' } as const;

type Phase = AnyPhase<typeof tinyConfig>;

async function statusOf(
  phases: readonly Phase[],
  ports: MemoryPorts,
  options: { readonly noCluster?: string; readonly isCut?: boolean } = {},
): Promise<readonly PhaseStatus[]> {
  const { isCut = false, ...rest } = options;
  const text = ports.memory.text(journal);
  const read = text === undefined ? {} : { journal: { entries: parseJournal(text), damagedLines: 0, isCut } };
  const before = ports.memory.writes.length;
  const status = await statusOfWorkflow({
    workflow: workflowOf(...phases),
    config: tinyConfig,
    ports,
    ...read,
    ...rest,
  });
  expect(ports.memory.writes.length).toBe(before);
  return status.phases;
}

const states = (phases: readonly PhaseStatus[]) => Object.fromEntries(phases.map(({ phase, state }) => [phase, state]));

describe('how far a phase is', () => {
  const phase = derive('one', { writes: { a, b: optional(b), c } });

  test.each<[string, Record<string, string>, string, RegExp | undefined]>([
    ['nothing is there', {}, 'missing', /^\/etc\/tiny\/a, \/etc\/tiny\/c are missing$/],
    ['all is there', { a: made, b: made, c: made }, 'done', undefined],
    ['a part is there', { a: made }, 'partly', /^\/etc\/tiny\/c is missing$/],
    ['it says something else', { a: made, b: 'other', c: made }, 'wrong', /b is wrong/],
    ['it does not parse', { a: 'broken', b: made, c: made }, 'wrong', /\/etc\/tiny\/a is not a line/],
  ])('%s', async (_, files, state, reason) => {
    const placed = Object.fromEntries(Object.entries(files).map(([name, text]) => [`/etc/tiny/${name}`, text]));
    const [status] = await statusOf([phase], memoryPorts({ files: placed }));
    expect(status?.state).toBe(state);
    if (reason === undefined) expect(status).not.toHaveProperty('reason');
    else expect(status?.reason).toMatch(reason);
    expect(status?.command).toBe(state === 'done' ? undefined : 'tiny phase one');
  });

  test('what it was made from is gone: it cannot be judged', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/b': made } });
    const phases = await statusOf(
      [derive('one', { writes: { a } }), derive('two', { reads: { a }, writes: { b } })],
      ports,
    );
    expect(states(phases)).toEqual({ one: 'missing', two: 'unknown' });
    expect(phases[1]?.reason).toMatch(/\/etc\/tiny\/a is needed and does not exist/);
  });

  test('it is not asked for', async () => {
    const [status] = await statusOf([derive('one', { writes: { a }, inapplicable: () => 'as it is' })], memoryPorts());
    expect(status).toMatchObject({ state: 'inapplicable', reason: 'as it is', artifacts: [] });
  });

  test('it leaves nothing: nobody can tell', async () => {
    const report = tiny.defineEffect({ name: 'say', summary: 'Say', uses: [], verify: () => [], run: async () => {} });
    expect(await statusOf([report], memoryPorts())).toEqual([]);
  });
});

describe('what somebody may not read', () => {
  test('is unknown, whatever else is there', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/b': made, '/etc/tiny/c': 'made from made from nothing' } });
    const { files } = ports.host;
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const host = {
      ...ports.host,
      files: {
        ...files,
        read: async (path: string) => (path === '/etc/tiny/a' ? Promise.reject(denied) : files.read(path)),
      },
    };
    const phases = await statusOf(
      [
        derive('one', { writes: { a } }),
        derive('two', { writes: { b } }),
        derive('three', { reads: { a }, writes: { c } }),
      ],
      { ...ports, host },
    );
    expect(states(phases)).toEqual({ one: 'unknown', two: 'done', three: 'unknown' });
    expect(phases[0]).toMatchObject({ reason: '/etc/tiny/a: EACCES: permission denied', command: 'tiny phase one' });
    expect(phases[0]?.artifacts).toMatchObject([{ location: '/etc/tiny/a', state: 'unknown' }]);
  });
});

describe('what is in a cluster', () => {
  const o = textObject('o', { policy: 'converge' });
  const objects = derive('objects', { reads: {}, writes: { o }, connect });
  const first = derive('one', { writes: { a } });
  const more = derive('more', { writes: { p: textObject('p', { policy: 'converge' }) }, connect });
  const live = { apiVersion: 'v1', kind: 'Text', metadata: { name: 'o' } };

  test('is unknown while the API server does not answer, which is asked once', async () => {
    let asked = 0;
    const ports = memoryPorts({
      files: { '/etc/tiny/a': made },
      apiRefusal: () => {
        asked++;
        return 'connection refused';
      },
    });
    const phases = await statusOf([first, objects, more], ports);
    expect(states(phases)).toEqual({ one: 'done', objects: 'unknown', more: 'unknown' });
    expect(phases[1]?.reason).toMatch(/the API server does not answer: connection refused/);
    expect(asked).toBe(1);
  });

  test('is missing where there can be no cluster, and nobody is asked', async () => {
    const ports = memoryPorts({
      files: { '/etc/tiny/a': made },
      apiRefusal: () => {
        throw new Error('asked');
      },
    });
    const phases = await statusOf([first, objects], ports, { noCluster: 'etcd holds nothing' });
    expect(phases[1]).toMatchObject({
      state: 'missing',
      reason: 'etcd holds nothing',
      artifacts: [{ location: 'Text o', state: 'absent' }],
    });
  });

  test.each<[string, readonly object[], string, readonly string[]]>([
    ['ours', [{ manager: 'groundplane' }], 'ours', ['groundplane']],
    ['somebody else’s', [{ manager: 'kubeadm' }], 'others', ['kubeadm']],
    [
      'ours, with a status',
      [{ manager: 'groundplane' }, { manager: 'cni', subresource: 'status' }],
      'ours',
      ['cni', 'groundplane'],
    ],
    [
      'ours, with what Kubernetes adds',
      [{ manager: 'groundplane' }, { manager: 'kube-controller-manager' }],
      'ours',
      ['groundplane', 'kube-controller-manager'],
    ],
    [
      'ours, changed by a person',
      [{ manager: 'kubectl-edit' }, { manager: 'groundplane' }],
      'changed',
      ['groundplane', 'kubectl-edit'],
    ],
  ])('is %s by its managers', async (_, managedFields, origin, managers) => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': made } });
    ports.memory.putObject({ ...live, metadata: { name: 'o', managedFields }, text: 'wanted' } as never);
    const [, status] = await statusOf([first, objects], ports);
    expect(status?.artifacts).toMatchObject([{ state: 'present', origin, managers }]);
  });
});

describe('effects', () => {
  const effect = (undone: boolean, writes: Record<string, unknown>, amends: Record<string, unknown> = {}) =>
    tiny.defineEffect({
      name: 'effect',
      summary: 'Do',
      reads: {},
      writes: writes as never,
      amends: amends as never,
      uses: [],
      verify: () => (undone ? [{ code: 'UNDONE', severity: 'error', artifact: 'x', message: 'it does not run' }] : []),
      run: async () => {},
    });
  const files = { '/etc/tiny/a': made };
  const first = derive('one', { writes: { a } });

  test.each<[string, Phase, string]>([
    ['that is content without the file that it makes', effect(false, { b: textFile('a2') }), 'missing'],
    ['that amends what is there, and has', effect(false, {}, { a }), 'done'],
    ['that amends what is there, and has not', effect(true, {}, { a }), 'missing'],
    ['that has a state alone, and is content', effect(false, { s: textState('s') }), 'done'],
    ['that has a state alone, and is not', effect(true, { s: textState('s') }), 'missing'],
  ])('%s', async (_, phase, state) => {
    const phases = await statusOf([first, phase], memoryPorts({ files }));
    expect(states(phases).effect).toBe(state);
  });

  test('with its files that do not do what they should are done in part', async () => {
    const ports = memoryPorts({ files: { ...files, '/etc/tiny/b': 'x' } });
    expect(states(await statusOf([first, effect(true, { b })], ports)).effect).toBe('partly');
  });

  test('that amends what is not there is missing', async () => {
    const ports = memoryPorts();
    const phases = await statusOf([first, effect(false, {}, { a: optional(a) })], ports);
    expect(phases[1]).toMatchObject({ state: 'missing', reason: '/etc/tiny/a is missing' });
  });
});

describe('who made a file', () => {
  const phases = [derive('one', { writes: { a } }), derive('two', { writes: { b } })];
  const origins = async (ports: MemoryPorts, options = {}) =>
    (await statusOf(phases, ports, options)).map(({ artifacts: [artifact] }) => artifact?.origin);

  test('is told by the journal', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': made } });
    await run(workflowOf(...phases), ports, { journal, user: { uid: 0 } });
    expect(await origins(ports)).toEqual(['others', 'ours']);
    const [, two] = await statusOf(phases, ports);
    expect(two?.artifacts[0]?.entry).toMatchObject({ phase: 'two', action: 'created', user: { uid: 0 } });
    ports.memory.put('/etc/tiny/b', { content: `${made} ` });
    expect(await origins(ports)).toEqual(['others', 'changed']);
  });

  test('is unknown without a journal, and all else is as before', async () => {
    const ports = memoryPorts();
    await run(workflowOf(...phases), ports, { journal });
    const before = await statusOf(phases, ports);
    await ports.host.files.remove(journal);
    expect(await origins(ports)).toEqual(['unknown', 'unknown']);
    const after = await statusOf(phases, ports);
    expect(states(after)).toEqual(states(before));
  });

  test('is unknown where the journal does not go so far back', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': made } });
    await run(workflowOf(...phases), ports, { journal });
    const later = (ports.memory.text(journal) ?? '').replace('2026-01-01', '2999-01-01');
    ports.memory.put(journal, { content: later });
    expect(await origins(ports, { isCut: true })).toEqual(['unknown', 'ours']);
  });

  test('is somebody else where it was removed by us and is there again', async () => {
    const ports = memoryPorts();
    await run(workflowOf(...phases), ports, { journal });
    const text = ports.memory.text(journal) ?? '';
    ports.memory.put(journal, { content: text + text.replaceAll('"created"', '"removed"') });
    expect(await origins(ports)).toEqual(['others', 'others']);
  });
});
