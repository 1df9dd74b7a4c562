import { describe, expect, test } from 'vitest';
import { decisions, derive, run, textFile, textState, tiny, workflowOf } from '../test/tiny-workflow.ts';
import type { Selection } from './selection.ts';
import { memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');
const secret = textFile('secret', { secret: true, mode: 0o600 });

describe('runWorkflow', () => {
  test('reports what it does, in order', async () => {
    const { events, result } = await run(workflowOf(derive('one', { writes: { a } })), memoryPorts());
    expect(events).toEqual([
      { type: 'workflow-started', workflow: 'tiny', phases: ['one'] },
      { type: 'phase-started', phase: 'one', summary: 'Do one' },
      { type: 'artifact', phase: 'one', artifact: 'a', location: '/etc/tiny/a', action: 'created' },
      { type: 'phase-finished', phase: 'one', decision: 'create', durationMs: 0 },
      { type: 'workflow-finished', workflow: 'tiny', durationMs: 0 },
    ]);
    expect(result?.phases).toEqual([
      {
        phase: 'one',
        decision: 'create',
        durationMs: 0,
        artifacts: [{ artifact: 'a', location: '/etc/tiny/a', action: 'created' }],
      },
    ]);
  });

  test('stops before the first write if anything is in conflict, also far behind', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/b': 'made up' } });
    const { error, events } = await run(
      workflowOf(derive('one', { writes: { a } }), derive('two', { writes: { b } })),
      ports,
    );
    expect(error).toMatchObject({
      code: 'PHASES_CONFLICT',
      kind: 'conflict',
      findings: [{ code: 'TINY_WRONG', artifact: 'b' }],
    });
    expect(events).toEqual([
      { type: 'finding', phase: 'two', finding: expect.objectContaining({ code: 'TINY_WRONG' }) },
    ]);
    expect(ports.memory.writes).toEqual([]);
  });

  test('names the phases that it was asked for, or the workflow', async () => {
    const messageOf = async (selection: Selection) => {
      const ports = memoryPorts({ files: { '/etc/tiny/b': 'made up' } });
      const { error } = await run(workflowOf(derive('two', { writes: { b } })), ports, { selection });
      return (error as Error).message;
    };
    expect(await messageOf({ only: ['two'] })).toMatch(/^Cannot run two of tiny: /);
    expect(await messageOf({})).toMatch(/^Cannot run tiny: /);
  });

  test('writes a secret before what was made from it, whatever the order of the declaration', async () => {
    const ports = memoryPorts();
    await run(workflowOf(derive('one', { writes: { a, secret } })), ports);
    expect(ports.memory.writes.map(({ location }) => location)).toEqual(['/etc/tiny/secret', '/etc/tiny/a']);
  });

  test('fails if what a phase left does not verify, or is not there', async () => {
    const forgetful = tiny.defineEffect({
      name: 'forgetful',
      summary: 'Forget',
      writes: { a },
      uses: [],
      run: async () => {},
      verify: () => [],
    });
    const { error } = await run(workflowOf(forgetful), memoryPorts());
    expect(error).toMatchObject({
      code: 'PHASES_VERIFY_FAILED',
      findings: [{ code: 'PHASES_ARTIFACT_MISSING', artifact: '/etc/tiny/a' }],
    });
  });

  test('reports a warning once, be it found while planning, at the turn or afterwards', async () => {
    const warning = { code: 'TINY_WARNING', severity: 'warning', artifact: 'a', message: 'hm' } as const;
    const warned = { ...derive('one', { writes: { a } }), verify: async () => [warning] };
    const late = {
      ...derive('two', { reads: { a }, writes: { b } }),
      verify: async () => [{ ...warning, artifact: 'b' }],
    };
    const { events } = await run(workflowOf(warned, late), memoryPorts());
    const found = events.flatMap((event) => (event.type === 'finding' ? [[event.phase, event.finding.artifact]] : []));
    expect(found).toEqual([
      ['one', 'a'],
      ['two', 'b'],
    ]);
  });

  test('a failure of a port becomes an internal error that names the phase', async () => {
    const ports = memoryPorts();
    ports.memory.failAt(1, { when: 'before', how: 'fail' });
    const { error, events } = await run(workflowOf(derive('one', { writes: { a } })), ports);
    expect(error).toMatchObject({
      code: 'PHASES_INTERNAL',
      kind: 'internal',
      message: expect.stringContaining('Cannot finish one'),
    });
    expect(events.at(-1)).toMatchObject({ type: 'phase-failed', phase: 'one', code: 'PHASES_INTERNAL' });
  });

  test('removes what is to go after the phase has done its work', async () => {
    const ready = textState('ready');
    const ports = memoryPorts({ files: { '/etc/tiny/b': 'ticket' } });
    let seen: string | undefined;
    const user = tiny.defineEffect({
      name: 'user',
      summary: 'Use b up',
      writes: { ready },
      removes: [b],
      uses: [],
      run: async () => {
        seen = ports.memory.text('/etc/tiny/b');
      },
      verify: () =>
        seen === undefined ? [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'user', message: 'not yet' }] : [],
    });
    const { result } = await run(workflowOf(user), ports);
    expect(seen).toBe('ticket');
    expect(ports.memory.paths()).toEqual([]);
    expect(result?.phases[0]?.artifacts).toEqual([{ artifact: 'b', location: '/etc/tiny/b', action: 'removed' }]);
  });

  test('a removal alone does not make an effect act again', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/b': 'ticket' } });
    let acted = 0;
    const user = tiny.defineEffect({
      name: 'user',
      summary: 'Use b up',
      removes: [b],
      uses: [],
      run: async () => void acted++,
      verify: () => [],
    });
    expect(await decisions(workflowOf(user), ports)).toEqual({ user: 'act' });
    await run(workflowOf(user), ports);
    expect([acted, ports.memory.paths()]).toEqual([0, []]);
  });

  test('what an effect writes is kept if it is the same already', async () => {
    const writer = tiny.defineEffect({
      name: 'writer',
      summary: 'Write a and b',
      writes: { a, b },
      uses: [],
      run: async ({ write }) => {
        await write('a', 'one');
        await write('b', 'two');
      },
      verify: () => [],
    });
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'one' } });
    const { result } = await run(workflowOf(writer), ports);
    expect(result?.phases[0]?.artifacts.map(({ artifact, action }) => [artifact, action])).toEqual([
      ['a', 'kept'],
      ['b', 'created'],
    ]);
    expect(ports.memory.writes).toEqual([{ action: 'write', location: '/etc/tiny/b' }]);
  });
});

describe('what a phase hands back', () => {
  const handing = (options: { readonly failing?: true } = {}) =>
    tiny.defineEffect({
      name: 'handing',
      summary: 'Hand something back',
      writes: { a },
      uses: [],
      everyTime: () => true,
      run: async ({ result, write }) => {
        await write('a', 'made');
        result('greeting', { text: 'hello', to: ['a', 'b'] });
        result('password', 'swordfish', { secret: true });
        if (options.failing) throw new Error('late');
      },
      verify: () => [],
    });
  const products = [
    { phase: 'handing', name: 'greeting', value: { text: 'hello', to: ['a', 'b'] } },
    { phase: 'handing', name: 'password', value: 'swordfish', secret: true },
  ];

  test('is reported when it is there, and listed in the result', async () => {
    const { events, result } = await run(workflowOf(derive('one', { writes: { b } }), handing()), memoryPorts());
    expect(events.filter(({ type }) => type === 'result')).toEqual(
      products.map((product) => ({ type: 'result', ...product })),
    );
    expect(events.findIndex(({ type }) => type === 'result')).toBeLessThan(
      events.findIndex((event) => event.type === 'phase-finished' && event.phase === 'handing'),
    );
    expect(result?.results).toEqual(products);
  });

  test('is an empty list where nothing is handed back', async () => {
    const { result } = await run(workflowOf(derive('one', { writes: { a } })), memoryPorts());
    expect(result?.results).toEqual([]);
  });

  test('was reported although the phase failed afterwards', async () => {
    const { events, error } = await run(workflowOf(handing({ failing: true })), memoryPorts());
    expect(error).toMatchObject({ code: 'PHASES_INTERNAL' });
    expect(events.filter(({ type }) => type === 'result')).toHaveLength(2);
  });

  test('is not in the journal', async () => {
    const ports = memoryPorts();
    const journal = '/var/lib/tiny/journal.jsonl';
    await run(workflowOf(handing()), ports, { journal });
    expect(ports.memory.text(journal)).toContain('"phase":"handing"');
    expect(ports.memory.text(journal)).not.toMatch(/swordfish|hello/);
  });

  test('comes from a run only: verifying hands nothing back', async () => {
    const eager = tiny.defineEffect({
      name: 'eager',
      summary: 'Hand back too early',
      writes: { ready: textState('ready') },
      uses: [],
      run: async () => {},
      verify: (context) => {
        (context as unknown as { result(name: string, value: string): void }).result('greeting', 'hello');
        return [];
      },
    });
    const { error, result } = await run(workflowOf(eager), memoryPorts());
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ message: expect.stringContaining('Cannot act while verifying') });
  });
});

describe('abort', () => {
  test('ends the run before the next phase', async () => {
    const controller = new AbortController();
    const ports = memoryPorts();
    const { error } = await run(workflowOf(derive('one', { writes: { a } }), derive('two', { writes: { b } })), ports, {
      signal: controller.signal,
      onEvent: (event) => void (event.type === 'phase-finished' && controller.abort()),
    });
    expect(error).toMatchObject({ code: 'PHASES_ABORTED', message: 'Cannot run two as the run was told to stop' });
    expect(ports.memory.paths()).toEqual(['/etc/tiny/a']);
  });
});
