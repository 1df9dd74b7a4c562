import { describe, expect, test, vi } from 'vitest';
import { run, tiny, workflowOf } from '../test/tiny-workflow.ts';
import { memoryPorts } from './testing/index.ts';

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
