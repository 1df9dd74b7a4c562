import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@groundplane/phases';

/** The clock of the machine. That of @groundplane/host is not used: this package does not depend on it. */
export const clock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, { signal } = {}) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};
