import type { Event } from '@groundplane/phases';

type Waiting = Extract<Event, { type: 'waiting' }>;

/** While a reason stays the same, it is said again after this many milliseconds. */
const repeatMs = 15_000;
/** Reasons that change faster than this are not all said. */
const leastMs = 2_000;

/**
 * Decides which waiting events become lines where no terminal shows them live: the first one, a reason that is new
 * (but not faster than one can read), and the same one every quarter of a minute.
 *
 * @returns a filter that remembers what it let through last
 */
export function waitingFilter(): (event: Waiting) => boolean {
  let last: Waiting | undefined;
  return (event) => {
    const sinceMs = last === undefined ? 0 : event.elapsedMs - last.elapsedMs;
    const another = last === undefined || last.phase !== event.phase || last.subject !== event.subject;
    const said = another || (last?.reason !== event.reason && sinceMs >= leastMs) || sinceMs >= repeatMs;
    if (said) last = event;
    return said;
  };
}
