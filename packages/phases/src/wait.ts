import { phasesError } from './error-codes.ts';
import type { Report } from './events.ts';
import type { Look, WaitOptions } from './phase.ts';
import type { Clock } from './ports.ts';

/** How often a waiting event is repeated while its reason stays the same, in milliseconds. */
const repeatMs = 5_000;

interface Surroundings {
  readonly clock: Clock;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** The `wait` of one phase: looks until done, reports reasons, and ends with an explanation. */
export function waiter(phase: string, { clock, report, signal }: Surroundings) {
  return async (options: WaitOptions, look: () => Promise<Look>): Promise<void> => {
    const { subject, timeoutMs, intervalMs, begunMs: start = clock.monotonicMs() } = options;
    let reported: { reason: string; at: number } | undefined;
    for (;;) {
      if (signal.aborted)
        throw phasesError('PHASES_ABORTED', `Cannot go on waiting for ${subject} as the run was told to stop`);
      const result = await look();
      if (result.done) return;
      const elapsedMs = clock.monotonicMs() - start;
      if (elapsedMs >= timeoutMs) {
        const lines = await explanation(options);
        throw phasesError(
          'PHASES_WAIT_TIMEOUT',
          `Cannot go on as ${subject} was not there within ${Math.round(timeoutMs / 1000)} s: ${result.reason}`,
          {
            details: { subject, reason: result.reason, timeoutMs, explanation: lines },
            ...(lines.length > 0 ? { hint: lines.join('\n') } : {}),
          },
        );
      }
      if (reported === undefined || reported.reason !== result.reason || elapsedMs - reported.at >= repeatMs) {
        const whole = { elapsedMs: Math.round(elapsedMs), timeoutMs: Math.round(timeoutMs) };
        report({ type: 'waiting', phase, subject, reason: result.reason, ...whole });
        reported = { reason: result.reason, at: elapsedMs };
      }
      await clock.sleep(Math.min(intervalMs, timeoutMs - elapsedMs), { signal }).catch(() => {});
    }
  };
}

async function explanation(options: WaitOptions): Promise<readonly string[]> {
  try {
    return (await options.explain?.()) ?? [];
  } catch {
    return [];
  }
}
