import type { Clock } from '@groundplane/phases';

/** An attempt's end: a value, or a fault that says whether another attempt makes sense and when at the earliest. */
export type Outcome<T, F> =
  | { readonly value: T }
  | { readonly fault: F; readonly again: boolean; readonly notBeforeMs?: number };

export interface Exhausted<F> {
  readonly fault: F;
  readonly attempts: number;
  readonly elapsedMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 500;
/** Of a pause, so that nodes that wait for the same server do not come in step. */
const jitter = 0.25;
const growth = 1.6;

/**
 * Tries at once, then after pauses that grow from 50 to 500 ms, until an attempt ends well, its fault will not pass, or the
 * deadline comes. At least one attempt is made.
 *
 * @param attempt is told how many milliseconds are left
 */
export async function retryUntil<T, F>(
  attempt: (remainingMs: number) => Promise<Outcome<T, F>>,
  options: { readonly clock: Clock; readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly value: T } | { readonly exhausted: Exhausted<F> }> {
  const { clock, timeoutMs, signal } = options;
  const start = clock.monotonicMs();
  let pauseMs = firstPauseMs;
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const outcome = await attempt(Math.max(0, timeoutMs - (clock.monotonicMs() - start)));
    if ('value' in outcome) return outcome;
    const elapsedMs = clock.monotonicMs() - start;
    const wantedMs = Math.max(pauseMs * (1 + jitter * Math.random()), outcome.notBeforeMs ?? 0);
    if (!outcome.again || elapsedMs + Math.min(wantedMs, pauseMs) >= timeoutMs) {
      return { exhausted: { fault: outcome.fault, attempts, elapsedMs } };
    }
    await clock.sleep(Math.min(wantedMs, timeoutMs - elapsedMs), signal === undefined ? {} : { signal });
    pauseMs = Math.min(longestPauseMs, pauseMs * growth);
  }
}
