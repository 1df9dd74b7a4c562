import { describe, expect, test } from 'vitest';
import { derive, textFile, textObject, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { type AnyPhase, defineWorkflow, type PhasePlan, predictWorkflow, type Signer } from './index.ts';
import { fakeSigner, type MemoryPorts, memoryPorts } from './testing/index.ts';

type Phase = AnyPhase<typeof tinyConfig>;

const root = textFile('root');
const leaf = textFile('leaf');
const settings = textFile('settings', { policy: 'converge', mode: 0o640 });
const secret = textFile('secret', { policy: 'converge', mode: 0o600, secret: true });
const admin = textFile('admin');
const stored = textObject('stored', { policy: 'converge' });
const state = textFile('state', { policy: 'converge' });
const connect = { kubeconfig: admin, endpoint: 'local' } as const;

async function predict(phases: readonly Phase[], ports: MemoryPorts, signer: Signer = fakeSigner(7)) {
  const before = ports.memory.writes.length;
  const plan = await predictWorkflow({ workflow: workflowOf(...phases), config: tinyConfig, ports, signer });
  expect(ports.memory.writes.length).toBe(before);
  expect(ports.memory.signed).toEqual([]);
  return plan.phases;
}

const decisionsOf = (phases: readonly PhasePlan[]) =>
  Object.fromEntries(phases.map(({ phase, decision }) => [phase, decision]));

const chain = [derive('root', { writes: { root } }), derive('leaf', { reads: { root }, writes: { leaf } })];

describe('a prediction', () => {
  test('goes on with what a phase would have written', async () => {
    const [first, second] = await predict(chain, memoryPorts());
    expect(first).toMatchObject({ decision: 'create', outputs: [{ action: 'created', after: 'made from nothing' }] });
    expect(second).toMatchObject({
      decision: 'create',
      outputs: [{ action: 'created', after: 'made from made from nothing', mode: '0644', owner: 'root:root' }],
    });
  });

  test('shows what a file says now, and with which mode it is left', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/settings': { content: 'other', mode: 0o644 } } });
    const open = { ...settings, maxMode: 0o640 };
    const [phase] = await predict([derive('settings', { writes: { settings: open } })], ports);
    expect(phase?.outputs).toEqual([
      {
        ...{ artifact: 'settings', location: '/etc/tiny/settings', kind: 'file', secret: false },
        ...{ action: 'replaced', before: 'other', after: 'wanted', mode: '0640', owner: 'root:root' },
      },
    ]);
  });

  test('shows nothing of a secret', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/secret': { content: 'hidden', mode: 0o600 } } });
    const phases = await predict([derive('secret', { writes: { secret } })], ports);
    expect(phases[0]?.outputs).toMatchObject([{ action: 'replaced', secret: true, mode: '0600' }]);
    expect(JSON.stringify(phases)).not.toMatch(/hidden|wanted/);
  });

  test('does not run effects, and keeps what they have rendered', async () => {
    let ran = false;
    const effect = tiny.defineEffect({
      name: 'start',
      summary: 'Start',
      writes: { state },
      uses: ['host'],
      render: ({ outputs }) => outputs({ state: 'rendered' }),
      verify: () => [],
      run: async () => {
        ran = true;
      },
    });
    const after = derive('leaf', { reads: { state }, writes: { leaf } });
    const phases = await predict([effect, after], memoryPorts());
    expect(ran).toBe(false);
    expect(phases[1]?.outputs).toMatchObject([{ after: 'made from rendered' }]);
  });

  test('says of what only the run of an effect makes that it waits for it, unless the effect foresees it', async () => {
    const effect = (foresees: boolean): Phase =>
      tiny.defineEffect({
        name: 'start',
        summary: 'Start',
        writes: { state },
        uses: [],
        verify: () => [],
        run: async () => {},
        ...(foresees ? { foresee: () => ({ outputs: { state: 'foreseen' } }) } : {}),
      });
    const after = derive('leaf', { reads: { state }, writes: { leaf } });
    expect(decisionsOf(await predict([effect(false), after], memoryPorts()))).toEqual({
      start: 'act',
      leaf: 'deferred',
    });
    const [start, made] = await predict([effect(true), after], memoryPorts());
    expect(start?.outputs).toMatchObject([{ action: 'created', after: 'foreseen' }]);
    expect(made?.outputs).toMatchObject([{ after: 'made from foreseen' }]);
  });

  test.each([
    ['an error', { findings: [{ code: 'X', severity: 'error', artifact: 'a', message: 'no' }] }, 'conflict'],
    ['nothing', {}, 'keep'],
    ['work', { reason: 'there is work' }, 'act'],
  ] as const)('an effect that is asked at its turn only foresees %s', async (_, foreseen, decision) => {
    const phase = tiny.defineEffect({
      name: 'check',
      summary: 'Check',
      uses: [],
      verifyOnlyAtTurn: true,
      verify: () => {
        throw new TypeError('Cannot be asked now');
      },
      foresee: () => foreseen,
      run: async () => {},
    });
    expect(decisionsOf(await predict([phase], memoryPorts()))).toEqual({ check: decision });
  });

  test('an effect that wants to change something while it foresees is refused', async () => {
    const phase = tiny.defineEffect({
      name: 'check',
      summary: 'Check',
      writes: { state },
      uses: ['host'],
      verify: () => [],
      foresee: async ({ ports }) => {
        await ports.host.files.write('/etc/tiny/state', new Uint8Array(), { mode: 0o644 });
        return {};
      },
      run: async () => {},
    });
    const ports = memoryPorts();
    const request = { workflow: workflowOf(phase), config: tinyConfig, ports, signer: fakeSigner(1) };
    await expect(predictWorkflow(request)).rejects.toMatchObject({ code: 'PHASES_UNDECLARED' });
    expect(ports.memory.writes).toEqual([]);
  });

  test('holds what would be written to the verify of its phase', async () => {
    const phase = { ...derive('root', { writes: { root } }) };
    const wrong = [{ code: 'X', severity: 'error', artifact: 'root', message: 'it is wrong' }] as const;
    const [, second] = await predict(
      [phase, { ...derive('leaf', { reads: { root }, writes: { leaf } }), verify: async () => wrong }],
      memoryPorts(),
    );
    expect(second).toMatchObject({ decision: 'conflict', findings: wrong });
  });
});

describe('objects', () => {
  const workflow = (localEndpoint: string) =>
    defineWorkflow<typeof tinyConfig>({
      ...{ name: 'tiny', summary: 'Do something tiny', layout: workflowOf().layout },
      localEndpoint: () => localEndpoint,
      phases: [
        derive('admin', { writes: { admin } }),
        tiny.definePhase({
          name: 'upload',
          summary: 'Upload',
          writes: { stored },
          connect,
          render: ({ outputs }) => outputs({ stored: { text: 'wanted' } }),
          verify: () => [],
        }),
      ],
    });
  const ask = (answers: boolean) => {
    const ports = memoryPorts({ probe: () => (answers ? { status: 401, text: '' } : { text: 'refused' }) });
    const request = { workflow: workflow('https://192.0.2.1:6443'), config: tinyConfig, ports, signer: fakeSigner(1) };
    return predictWorkflow(request).then(({ phases }) => phases);
  };

  test('are created in a cluster that is still to be made', async () => {
    const phases = await ask(false);
    expect(decisionsOf(phases)).toEqual({ admin: 'create', upload: 'create' });
    expect(JSON.parse(phases[1]?.outputs[0]?.after ?? '')).toMatchObject({ kind: 'Text', text: 'wanted' });
  });

  test('are not known where a cluster answers that can be asked only with what is still to be made', async () => {
    const [, uploaded] = await ask(true);
    expect(uploaded).toMatchObject({
      decision: 'unknown',
      reason: expect.stringContaining('/etc/tiny/admin'),
    });
  });
});

describe('what may not be read', () => {
  const denied = (paths: readonly string[]) => {
    const ports = memoryPorts({
      files: { '/etc/tiny/root': 'made from nothing', '/etc/tiny/leaf': 'made from made from nothing' },
    });
    const { files } = ports.host;
    const read: typeof files.read = async (path) => {
      if (!paths.includes(path)) return files.read(path);
      throw new Error(`Cannot read ${path} as permission is denied`, {
        cause: Object.assign(new Error(), { code: 'EACCES' }),
      });
    };
    return { ...ports, host: { ...ports.host, files: { ...files, read } } };
  };

  test('is unknown, and so is what depends on it', async () => {
    const phases = await predict(chain, denied(['/etc/tiny/root']));
    expect(decisionsOf(phases)).toEqual({ root: 'unknown', leaf: 'unknown' });
    expect(phases[0]?.outputs).toMatchObject([{ action: 'unknown', reason: expect.stringContaining('denied') }]);
    expect(phases[1]?.reason).toBe('depends on what is not known: root');
  });

  test('does not hide the rest', async () => {
    const phases = await predict(chain, denied(['/etc/tiny/leaf']));
    expect(decisionsOf(phases)).toEqual({ root: 'keep', leaf: 'unknown' });
  });
});
