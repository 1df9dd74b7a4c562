import { messageOf } from '@groundplane/errors';
import { phasesError } from './error-codes.ts';
import type { Event, Report } from './events.ts';

/** The events of one run, on their way to whoever listens. */
export interface Reporting {
  /** @throws GroundplaneError PHASES_INTERNAL if the listener failed, now or at an earlier event; it is not called any more then */
  readonly report: Report;
  /** For events of a run that ends with an error anyway, which says more. */
  readonly tell: Report;
}

/** One listener's failure ends the run in one way, whichever event it is about. */
export function reportingTo(listener: Report = () => {}): Reporting {
  let failure: Error | undefined;
  const fail = ({ type }: Event, cause: unknown) => {
    failure ??= phasesError('PHASES_INTERNAL', `Cannot go on as the report of '${type}' failed: ${messageOf(cause)}`, {
      cause,
    });
  };
  const report: Report = (event) => {
    if (failure !== undefined) throw failure;
    try {
      // Whoever gives an async function means it to be called; its rejection comes too late for this event.
      const answer: unknown = listener(event);
      Promise.resolve(answer).catch((cause: unknown) => fail(event, cause));
    } catch (cause) {
      fail(event, cause);
    }
    if (failure !== undefined) throw failure;
  };
  return {
    report,
    tell(event) {
      try {
        report(event);
      } catch {}
    },
  };
}
