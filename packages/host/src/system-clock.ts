import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@groundplane/phases';

/** The clock of this machine. A sleep whose signal aborts rejects with the signal's reason. */
export function systemClock(): Clock {
  return {
    now: () => new Date(),
    // `performance` would have Node.js load its measuring tools.
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    async sleep(ms, { signal } = {}) {
      try {
        await delay(ms, undefined, signal === undefined ? {} : { signal });
      } catch (thrown) {
        throw signal?.aborted === true ? signal.reason : thrown;
      }
    },
  };
}
