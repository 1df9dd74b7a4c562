import type { PhaseVerdict } from '@groundplane/phases';
import { unseenRow, warningRows } from './plan-lines.ts';

const words: Readonly<Record<PhaseVerdict['verdict'], string>> = {
  valid: 'valid',
  invalid: 'not valid',
  unknown: 'unknown',
  inapplicable: 'not needed',
};

/** Verdicts for people: a line per phase, then warnings and what could not be looked at. Errors are told with the error that ends it. */
export function verdictLines(phases: readonly PhaseVerdict[]): readonly string[] {
  const width = Math.max(0, ...phases.map(({ phase }) => phase.length));
  return phases.flatMap(({ phase, verdict, reason, findings, unseen }) => [
    `  ${phase.padEnd(width)}  ${words[verdict]}${reason === undefined ? '' : `: ${reason}`}`,
    ...warningRows(findings),
    ...new Set(unseen.map(unseenRow)),
  ]);
}
