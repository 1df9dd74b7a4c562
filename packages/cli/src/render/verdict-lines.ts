import type { PhaseVerdict } from '@groundplane/phases';
import { unseenRow, warningRows } from './plan-lines.ts';

const words: Readonly<Record<PhaseVerdict['verdict'], string>> = {
  valid: 'valid',
  invalid: 'not valid',
  unknown: 'unknown',
  inapplicable: 'not needed',
};

/**
 * Verdicts for people: a line per phase, then warnings and what could not be looked at, which is told at the end where many things have
 * one reason. Errors are told with the error that ends it.
 */
export function verdictLines(phases: readonly PhaseVerdict[]): readonly string[] {
  const width = Math.max(0, ...phases.map(({ phase }) => phase.length));
  const shared = sharedReasons(phases);
  return [
    ...phases.flatMap(({ phase, verdict, reason, findings, unseen }) => [
      `  ${phase.padEnd(width)}  ${words[verdict]}${reason === undefined ? '' : `: ${reason}`}`,
      ...warningRows(findings),
      ...new Set(unseen.filter((one) => !shared.has(one.reason)).map(unseenRow)),
    ]),
    ...[...shared].map(([reason, count]) => `  ? ${count} things cannot be looked at: ${reason}`),
  ];
}

/** The reasons that several things have, with how many these are. */
function sharedReasons(phases: readonly PhaseVerdict[]): ReadonlyMap<string, number> {
  const places = new Map<string, Set<string>>();
  for (const { reason, location } of phases.flatMap(({ unseen }) => unseen))
    places.set(reason, (places.get(reason) ?? new Set()).add(location));
  return new Map([...places].filter(([, { size }]) => size > 1).map(([reason, { size }]) => [reason, size]));
}
