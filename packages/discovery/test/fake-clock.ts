import type { DiscoveryClock } from '../src/discovery-ports.ts';

/** A clock on which time passes by sleeping and by {@link FakeClock.pass} alone. */
export interface FakeClock extends DiscoveryClock {
  readonly pauses: readonly number[];
  pass(ms: number): void;
}

export function fakeClock(start = new Date('2026-11-30T12:00:00Z')): FakeClock {
  let elapsed = 0;
  const pauses: number[] = [];
  return {
    pauses,
    pass: (ms) => {
      elapsed += ms;
    },
    now: () => new Date(start.getTime() + elapsed),
    monotonicMs: () => elapsed,
    sleep: async (ms, { signal } = {}) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      elapsed += ms;
    },
  };
}
