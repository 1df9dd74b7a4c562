import type { Finding } from '@groundplane/errors';
import type { Decision, Event } from '@groundplane/phases';
import { durationText } from './duration-text.ts';
import { type RenderedLine, toStderr, toStdout } from './rendered-line.ts';
import { shownText } from './shown-text.ts';

/** What a finished phase did, in one word. */
export const decisionWords: Readonly<Record<Decision, string>> = {
  create: 'created',
  keep: 'kept',
  complete: 'completed',
  replace: 'replaced',
  act: 'done',
  conflict: 'in conflict',
  external: 'needs signing',
  deferred: 'deferred',
  inapplicable: 'not needed',
};

const wordWidth = Math.max(...Object.values(decisionWords).map((word) => word.length));

export interface PeopleContext {
  /** Width of the column of phase names. */
  readonly nameWidth: number;
}

/** The lines that an event adds for people. Waiting is shown elsewhere: live, or through a filter. */
export function peopleLines(event: Event, { nameWidth }: PeopleContext): readonly RenderedLine[] {
  const row = (phase: string, word: string, durationMs: number) =>
    toStdout(`  ${phase.padEnd(nameWidth)}  ${word.padEnd(wordWidth)}  ${durationText(durationMs)}`);
  switch (event.type) {
    case 'phase-finished':
      return [row(event.phase, decisionWords[event.decision], event.durationMs)];
    case 'phase-failed':
      return [row(event.phase, 'failed', event.durationMs)];
    case 'phase-undone':
      return [toStdout(`  ${event.phase.padEnd(nameWidth)}  undone`)];
    case 'progress':
      return [toStdout(`  ${event.phase}: ${event.message}`)];
    case 'waiting':
      return [toStdout(`  ${waitingText(event)}`)];
    case 'finding':
      // Errors end the run, and are told with the error that ends it.
      return event.finding.severity === 'error' ? [] : findingLines(event.finding).map(toStderr);
    case 'workflow-finished':
      return [toStdout(`Finished ${event.workflow} in ${durationText(event.durationMs)}`)];
    case 'result':
      return resultNames[event.name] === undefined
        ? []
        : [toStdout(`  ${event.phase}: ${resultNames[event.name]} ${event.value}`)];
    case 'workflow-started':
    case 'phase-started':
    case 'artifact':
      return [];
  }
}

/** Products that are told as they come. Join commands are told at the end, with what to do with them. */
const resultNames: Readonly<Record<string, string>> = { bootstrapToken: 'token', certificateKey: 'certificate key' };

/** What is awaited, why it is not there yet, and how long that may go on. */
export function waitingText(event: Extract<Event, { type: 'waiting' }>): string {
  const time = `${durationText(event.elapsedMs)} of ${durationText(event.timeoutMs)}`;
  return `${event.phase}: waiting for ${event.subject} (${time}): ${event.reason}`;
}

/**
 * A finding: severity, code, what it is about, what is wrong, and how to mend it. One of a preflight check has the form of
 * kubeadm, with the name that `--ignore-preflight-errors` takes.
 */
export function findingLines(finding: Finding): readonly string[] {
  const { severity, code, hint } = finding;
  const text = isPreflight(finding) ? preflightText(finding) : `${severity} ${code}: ${namedMessage(finding)}`;
  return [text, ...(hint === undefined ? [] : indented(hint, '  '))];
}

/** The message of a finding with the file, object or field that it is about, which not every message names. */
export function namedMessage({ artifact, message }: Pick<Finding, 'artifact' | 'message'>): string {
  return shownText(artifact === '' || message.includes(artifact) ? message : `${artifact}: ${message}`);
}

/** True for the finding of a preflight check, whose artifact is the name of the check. */
export function isPreflight({ code }: Pick<Finding, 'code'>): boolean {
  return code.startsWith('PREFLIGHT_');
}

/** A preflight finding as kubeadm prints it (preflight/checks.go). */
export function preflightText({ severity, artifact, message }: Omit<Finding, 'code' | 'hint'>): string {
  return shownText(`[${severity.toUpperCase()} ${artifact}]: ${message}`);
}

/** The lines of a text, each behind `by`; none for the empty text. */
export function indented(text: string, by: string): readonly string[] {
  if (text === '') return [];
  return text.split('\n').map((line) => `${by}${line}`);
}
