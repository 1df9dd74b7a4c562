import { expect, test } from 'vitest';
import { derive, textFile, tiny, tinyConfig, workflowOf } from '../test/tiny-workflow.ts';
import { type Event, runWorkflow } from './index.ts';
import { memoryPorts } from './testing/index.ts';

const a = textFile('a');
const b = textFile('b');

const telling = tiny.defineEffect({
  name: 'telling',
  summary: 'Tell',
  writes: { b },
  uses: [],
  run: async ({ progress, finding, result, wait, write }) => {
    progress('it goes on');
    finding({ code: 'TINY_ODD', severity: 'warning', artifact: 'b', message: 'b is odd' });
    result('answer', 42);
    let looks = 0;
    await wait({ subject: 'it', timeoutMs: 9_000, intervalMs: 1_000 }, async () =>
      ++looks > 1 ? { done: true } : { done: false, reason: 'no' },
    );
    await write('b', 'said');
  },
  verify: () => [],
});

const workflow = workflowOf(derive('first', { writes: { a } }), telling);
const run = (report: (event: Event) => void) =>
  runWorkflow({ workflow, config: tinyConfig, ports: memoryPorts(), actor: 'test', report });

const eventsOfRun = async () => {
  const events: Event[] = [];
  await run((event) => void events.push(event));
  return events;
};

test('a report that throws ends the run in the same way, whichever event it is about', async () => {
  const events = await eventsOfRun();
  expect(new Set(events.map(({ type }) => type)).size).toBe(9);
  for (const [index, { type }] of events.entries()) {
    const boom = new Error('boom');
    let calls = 0;
    const ended = run(() => {
      if (calls++ === index) throw boom;
    });
    await expect(ended, type).rejects.toMatchObject({
      code: 'PHASES_INTERNAL',
      message: `Cannot go on as the report of '${type}' failed: boom`,
      cause: boom,
    });
    expect(calls, type).toBe(index + 1);
  }
});

test('a promise of report that is rejected ends the run at the next event', async () => {
  const boom = new Error('boom');
  await expect(run(async () => Promise.reject(boom))).rejects.toMatchObject({ code: 'PHASES_INTERNAL', cause: boom });
});

test('a report that throws does not hide why the run failed', async () => {
  const failing = tiny.defineEffect({
    name: 'failing',
    summary: 'Fail',
    uses: [],
    run: async () => {
      throw new Error('first');
    },
    verify: () => [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'failing', message: 'not yet' }],
  });
  const report = (event: Event) => {
    if (event.type === 'phase-failed') throw new Error('boom');
  };
  const request = { workflow: workflowOf(failing), config: tinyConfig, ports: memoryPorts(), actor: 'test', report };
  await expect(runWorkflow(request)).rejects.toMatchObject({ message: 'Cannot finish failing: first' });
});

test('durations are whole milliseconds', async () => {
  const ports = memoryPorts();
  const clock = { ...ports.clock, monotonicMs: () => ports.clock.monotonicMs() + Math.random() };
  const events: Event[] = [];
  const report = (event: Event) => void events.push(event);
  const result = await runWorkflow({
    ...{ workflow, config: tinyConfig, ports: { ...ports, clock }, actor: 'test', report },
  });
  const durations = [result, ...result.phases, ...events].flatMap((one) => [
    ...('durationMs' in one ? [one.durationMs] : []),
    ...('elapsedMs' in one ? [one.elapsedMs, one.timeoutMs] : []),
  ]);
  expect(durations.length).toBeGreaterThan(6);
  expect(durations.filter((duration) => !Number.isInteger(duration))).toEqual([]);
});
