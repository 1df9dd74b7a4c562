import type { Clock } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import { retryUntil } from './retry-until.ts';

/** A clock that only moves when somebody sleeps. */
function manualClock(): Clock & { readonly sleeps: number[]; advance(ms: number): void } {
  let now = 1000;
  const sleeps: number[] = [];
  return {
    sleeps,
    advance: (ms) => {
      now += ms;
    },
    now: () => new Date(now),
    monotonicMs: () => now,
    sleep: async (ms, { signal } = {}) => {
      signal?.throwIfAborted();
      sleeps.push(ms);
      now += ms;
    },
  };
}

const failing = { fault: 'down', again: true };

describe('retryUntil', () => {
  it('makes one attempt when it ends well', async () => {
    const clock = manualClock();
    expect(await retryUntil(async () => ({ value: 1 }), { clock, timeoutMs: 0 })).toEqual({ value: 1 });
    expect(clock.sleeps).toEqual([]);
  });

  it('makes one attempt when the deadline has come already', async () => {
    const clock = manualClock();
    const result = await retryUntil(async () => failing, { clock, timeoutMs: 0 });
    expect(result).toEqual({ exhausted: { fault: 'down', attempts: 1, elapsedMs: 0 } });
  });

  it('gives up at once on a fault that will not pass', async () => {
    const clock = manualClock();
    const result = await retryUntil(async () => ({ fault: 'refused', again: false }), { clock, timeoutMs: 60_000 });
    expect(result).toEqual({ exhausted: { fault: 'refused', attempts: 1, elapsedMs: 0 } });
  });

  it('pauses 50 ms at first, then longer up to half a second, a quarter of it by chance', async () => {
    const clock = manualClock();
    const result = await retryUntil(async () => failing, { clock, timeoutMs: 20_000 });
    const [first = 0, second = 0] = clock.sleeps;
    expect(first).toBeGreaterThanOrEqual(50);
    expect(first).toBeLessThanOrEqual(62.5);
    expect(second).toBeGreaterThanOrEqual(80);
    expect(Math.max(...clock.sleeps)).toBeLessThanOrEqual(625);
    expect(clock.sleeps.at(-2)).toBeGreaterThanOrEqual(500);
    expect(new Set(clock.sleeps.slice(8, -1)).size).toBeGreaterThan(1);
    if ('value' in result) throw new Error('it cannot end well');
    expect(result.exhausted.elapsedMs).toBeLessThanOrEqual(20_000);
    expect(result.exhausted.elapsedMs).toBeGreaterThan(19_000);
  });

  it('waits as long as the server says', async () => {
    const clock = manualClock();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      return attempts === 1 ? { ...failing, notBeforeMs: 3000 } : { value: 'up' };
    };
    expect(await retryUntil(attempt, { clock, timeoutMs: 20_000 })).toEqual({ value: 'up' });
    expect(clock.sleeps).toEqual([3000]);
  });

  it('tells an attempt how much time is left', async () => {
    const clock = manualClock();
    const left: number[] = [];
    const attempt = async (remainingMs: number) => {
      left.push(remainingMs);
      clock.advance(400);
      return failing;
    };
    await retryUntil(attempt, { clock, timeoutMs: 1000 });
    expect(left[0]).toBe(1000);
    expect(left[1]).toBeLessThanOrEqual(550);
    expect(left.every((ms) => ms >= 0)).toBe(true);
  });

  it('throws the reason of a signal that aborts', async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const reason = new Error('enough');
    const attempt = async () => {
      controller.abort(reason);
      return failing;
    };
    await expect(retryUntil(attempt, { clock, timeoutMs: 1000, signal: controller.signal })).rejects.toBe(reason);
  });
});
