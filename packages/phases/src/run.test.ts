import { describe, expect, test, vi } from 'vitest';
import { sampleConfig, samplePhases, sampleWorkflow, sampleWorld } from '../test/sample-workflow.ts';
import { decisions, derive, run, textFile, textState, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { type Event, parseJournal, runWorkflow } from './index.ts';
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

describe('undo', () => {
  const failing = (undo: () => Promise<void>) =>
    tiny.defineEffect({
      name: 'failing',
      summary: 'Fail',
      uses: [],
      run: async () => {
        throw new Error('first');
      },
      undo,
      verify: () => [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'failing', message: 'not yet' }],
    });

  test('takes back what run did before it failed', async () => {
    const undo = vi.fn(async () => {});
    const { events, error } = await run(workflowOf(failing(undo)), memoryPorts());
    expect(undo).toHaveBeenCalledOnce();
    expect(error).toMatchObject({ message: 'Cannot finish failing: first' });
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['phase-undone', 'phase-failed']);
  });

  test('that fails itself does not hide why run failed', async () => {
    const { events, error } = await run(workflowOf(failing(() => Promise.reject(new Error('second')))), memoryPorts());
    expect(error).toMatchObject({ message: 'Cannot finish failing: first' });
    expect(events).toContainEqual({ type: 'progress', phase: 'failing', message: 'Cannot undo failing: second' });
    expect(events.some(({ type }) => type === 'phase-undone')).toBe(false);
  });

  test('goes on after the run was told to stop', async () => {
    const controller = new AbortController();
    let aborted: boolean | undefined;
    const waiting = tiny.defineEffect({
      name: 'waiting',
      summary: 'Wait',
      uses: [],
      run: ({ wait }) =>
        wait({ subject: 'it', timeoutMs: 9_000, intervalMs: 1_000 }, async () => ({ done: false, reason: 'no' })),
      undo: async ({ signal, wait }) => {
        await wait({ subject: 'that', timeoutMs: 1_000, intervalMs: 1_000 }, async () => ({ done: true }));
        aborted = signal.aborted;
      },
      verify: () => [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'waiting', message: 'not yet' }],
    });
    const ports = memoryPorts({ onSleep: () => controller.abort() });
    const { error } = await run(workflowOf(waiting), ports, { signal: controller.signal });
    expect(error).toMatchObject({ code: 'PHASES_ABORTED' });
    expect(aborted).toBe(false);
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

describe('the journal', () => {
  const journal = '/var/log/journal.jsonl';

  test('says who made what, when, with which digest', async () => {
    const ports = memoryPorts({ files: { '/etc/tiny/a': 'made from nothing' } });
    await run(workflowOf(derive('one', { writes: { a } }), derive('two', { writes: { b } })), ports, { journal });
    expect(parseJournal(ports.memory.text(journal) ?? '')).toEqual([
      {
        time: '2026-01-01T00:00:00.000Z',
        actor: 'test',
        workflow: 'tiny',
        phase: 'two',
        artifact: 'b',
        location: '/etc/tiny/b',
        action: 'created',
        // printf 'made from nothing' | sha256sum
        digest: 'sha256:304dab8e762e9bc2b5f83d6b0f77160760cc26f5046e2adcf90a668513b5c9c5',
      },
    ]);
    expect(ports.memory.mode(journal)).toBe(0o600);
  });

  test('that cannot be written does not stop the run', async () => {
    const ports = memoryPorts({ files: { '/var/log': 'in the way' } });
    const { error, events } = await run(workflowOf(derive('one', { writes: { a, b } })), ports, { journal });
    expect(error).toBeUndefined();
    const found = events.flatMap((event) => (event.type === 'finding' ? [event.finding] : []));
    expect(found).toMatchObject([{ code: 'PHASES_JOURNAL_UNWRITABLE', severity: 'warning', artifact: journal }]);
  });

  test('leaves out a line that a crash cut short', () => {
    expect(parseJournal('{"phase":"one"}\n{"pha')).toEqual([{ phase: 'one' }]);
  });
});

describe('issuing', () => {
  test('asks once for everything whose inputs are there: the CA alone, then all that it signs', async () => {
    const ports = sampleWorld();
    await runWorkflow({ workflow: sampleWorkflow(), config: sampleConfig, ports, actor: 'test' });
    expect(ports.memory.signed.map((requests) => requests.map(({ name }) => name))).toEqual([
      ['ca'],
      ['server', 'client'],
    ]);
  });

  test('asks for two roots at once', async () => {
    const rootOf = (name: string) => {
      const file = textFile(name);
      return tiny.definePhase({
        name,
        summary: `Make ${name}`,
        writes: { file },
        render: ({ issue, outputs }) => issue({ name, algorithm: 'RSA-2048' }, ({ key }) => outputs({ file: key })),
        verify: () => [],
      });
    };
    const ports = memoryPorts();
    await run(workflowOf(rootOf('first'), derive('between', { writes: { b } }), rootOf('second')), ports);
    expect(ports.memory.signed.map((requests) => requests.map(({ name }) => name))).toEqual([['first', 'second']]);
    expect(ports.memory.text('/etc/tiny/first')).not.toEqual(ports.memory.text('/etc/tiny/second'));
  });

  test('completes a certificate whose key is there with that key', async () => {
    const ports = sampleWorld();
    const request = { workflow: sampleWorkflow(samplePhases.slice(0, 3)), config: sampleConfig, ports, actor: 'test' };
    await runWorkflow(request);
    const key = ports.memory.text('/etc/sample/server.key');
    ports.memory.remove('/etc/sample/server.crt');
    const result = await runWorkflow(request);
    expect(result.phases.map(({ decision }) => decision)).toEqual(['keep', 'complete', 'keep']);
    expect(ports.memory.text('/etc/sample/server.key')).toBe(key);
  });
});

describe('waiting', () => {
  const waiting = (look: () => string | undefined, explain?: () => Promise<readonly string[]>) =>
    tiny.defineEffect({
      name: 'waiting',
      summary: 'Wait',
      uses: [],
      run: ({ wait }) =>
        wait({ subject: 'the thing', timeoutMs: 20_000, intervalMs: 1_000, ...(explain && { explain }) }, async () => {
          const reason = look();
          return reason === undefined ? { done: true } : { done: false, reason };
        }),
      verify: () =>
        look() === undefined ? [] : [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'waiting', message: 'no' }],
    });
  const waits = (events: readonly Event[]) =>
    events.flatMap((event) => (event.type === 'waiting' ? [[event.reason, event.elapsedMs]] : []));

  test('tells the reason when it changes, and every five seconds', async () => {
    const ports = memoryPorts();
    const start = ports.clock.monotonicMs();
    const look = () => {
      const seconds = (ports.clock.monotonicMs() - start) / 1000;
      if (seconds < 3) return 'no container';
      return seconds < 15 ? 'not ready' : undefined;
    };
    const { events, error } = await run(workflowOf(waiting(look)), ports);
    expect(error).toBeUndefined();
    expect(waits(events)).toEqual([
      ['no container', 0],
      ['not ready', 3_000],
      ['not ready', 8_000],
      ['not ready', 13_000],
    ]);
  });

  test('ends with the subject, the last reason and an explanation', async () => {
    const { error } = await run(
      workflowOf(
        waiting(
          () => 'not ready',
          async () => ['its last words'],
        ),
      ),
      memoryPorts(),
    );
    expect(error).toMatchObject({
      code: 'PHASES_WAIT_TIMEOUT',
      kind: 'timeout',
      message: 'Cannot go on as the thing was not there within 20 s: not ready',
      details: { subject: 'the thing', reason: 'not ready', timeoutMs: 20_000, explanation: ['its last words'] },
      hint: 'its last words',
    });
  });

  test('an explanation that fails hides nothing', async () => {
    const { error } = await run(
      workflowOf(
        waiting(
          () => 'not ready',
          () => Promise.reject(new Error('no')),
        ),
      ),
      memoryPorts(),
    );
    expect(error).toMatchObject({ code: 'PHASES_WAIT_TIMEOUT', details: { explanation: [] } });
  });
});
