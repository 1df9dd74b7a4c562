import { describe, expect, test } from 'vitest';
import { run, tiny, workflowOf } from '../test/tiny-workflow.ts';
import type { Event } from './index.ts';
import { memoryPorts } from './testing/index.ts';

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

  test('that has begun before has what is left of the time, and says the whole', async () => {
    const ports = memoryPorts();
    const begun = ports.clock.monotonicMs() - 15_000;
    const waited = tiny.defineEffect({
      name: 'waiting',
      summary: 'Wait',
      uses: [],
      run: ({ wait }) =>
        wait({ subject: 'the thing', timeoutMs: 20_000, begunMs: begun, intervalMs: 1_000 }, async () => ({
          done: false,
          reason: 'no',
        })),
      verify: () => [{ code: 'TINY_UNDONE', severity: 'error', artifact: 'waiting', message: 'no' }],
    });
    const { events, error } = await run(workflowOf(waited), ports);
    expect(waits(events)).toEqual([['no', 15_000]]);
    expect(error).toMatchObject({ message: 'Cannot go on as the thing was not there within 20 s: no' });
    expect(ports.clock.monotonicMs() - begun).toBe(20_000);
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
