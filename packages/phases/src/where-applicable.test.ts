import { describe, expect, expectTypeOf, test } from 'vitest';
import { decisions, derive, run, textFile, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { whereApplicable } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const local = textFile('local');
const started = textFile('started', { policy: 'converge' });
const makeLocal = derive('local', { writes: { local } });
const elsewhere = derive('local', { writes: { local }, inapplicable: () => 'it is elsewhere' });
const start = derive('start', { reads: { local: whereApplicable(local) }, writes: { started } });

describe('a read that is required where its phase applies', () => {
  test('waits for the phase that makes it', async () => {
    const workflow = workflowOf(makeLocal, start);
    expect(await decisions(workflow, memoryPorts())).toEqual({ local: 'create', start: 'deferred' });
    expect((await run(workflow, memoryPorts())).error).toBeUndefined();
  });

  test('must be there when that phase is skipped: the run stops before its first write', async () => {
    const ports = memoryPorts();
    const { error } = await run(workflowOf(makeLocal, start), ports, { selection: { skip: ['local'] } });
    expect(error).toMatchObject({
      code: 'PHASES_CONFLICT',
      findings: [{ code: 'PHASES_ARTIFACT_MISSING', artifact: '/etc/tiny/local' }],
    });
    expect(ports.memory.writes).toEqual([]);
  });

  test('is held to the verify of that phase when it comes from elsewhere', async () => {
    const skip = { skip: ['local'] };
    const workflow = workflowOf(makeLocal, start);
    const good = memoryPorts({ files: { '/etc/tiny/local': 'made from nothing' } });
    expect((await run(workflow, good, { selection: skip })).error).toBeUndefined();
    const bad = memoryPorts({ files: { '/etc/tiny/local': 'made up' } });
    expect((await run(workflow, bad, { selection: skip })).error).toMatchObject({ findings: [{ code: 'TINY_WRONG' }] });
  });

  test('may be absent where the configuration does not ask for that phase', async () => {
    const ports = memoryPorts();
    expect((await run(workflowOf(elsewhere, start), ports)).error).toBeUndefined();
    expect(ports.memory.text('/etc/tiny/started')).toBe('wanted');
  });

  test('may be absent in a workflow that has no such phase', async () => {
    expect(await decisions(workflowOf(start), memoryPorts())).toEqual({ start: 'create' });
  });

  test('must be made before it is read', () => {
    expect(() => workflowOf(start, makeLocal)).toThrow(/'start' reads 'local', which is written only later by 'local'/);
  });

  test('has a value that may be undefined', () => {
    tiny.definePhase({
      name: 'typed',
      summary: 'Be typed',
      reads: { local: whereApplicable(local) },
      writes: { started },
      render({ inputs, outputs }) {
        expectTypeOf(inputs.local).toEqualTypeOf<string | undefined>();
        return outputs({ started: 'wanted' });
      },
      verify: () => [],
    });
  });
});
