import { timeText } from '@groundplane/errors';

interface NoAnswer extends Error {
  /** Says of which of our limits it tells, as no error of the system does. */
  readonly waitedMs: number;
}

/** What a request ends with that got no answer in its time. */
export function noAnswer(waitedMs: number): NoAnswer {
  return Object.assign(new Error(`no answer within ${timeText(waitedMs)}`), { code: 'ETIMEDOUT', waitedMs });
}

export function isNoAnswer(thrown: unknown): thrown is NoAnswer {
  return thrown instanceof Error && 'waitedMs' in thrown;
}
