import { type Finding, warningsOf } from '@groundplane/errors';
import type { Plan } from '@groundplane/phases';
import { findingLines } from './people-lines.ts';

/** What the plan says about one phase, as a future tense word. */
const planWords: Readonly<Record<Plan['phases'][number]['decision'], string>> = {
  create: 'create',
  keep: 'keep',
  complete: 'complete',
  replace: 'replace',
  act: 'act',
  conflict: 'conflict',
  external: 'needs signing',
  deferred: 'decided later',
  inapplicable: 'not needed',
};

/** What would become of one artifact; what stays as it is goes without saying. */
const outputWords: Readonly<Partial<Record<Plan['phases'][number]['outputs'][number]['action'], string>>> = {
  created: 'create',
  replaced: 'replace',
  extended: 'extend',
  removed: 'remove',
  pending: 'make',
};

/** A plan for people: a line per phase, then what it would do to which artifact, and warnings. What stands against it is told with the error. */
export function planLines(plan: Plan): readonly string[] {
  const nameWidth = Math.max(0, ...plan.phases.map(({ phase }) => phase.length));
  return plan.phases.flatMap(({ phase, decision, reason, outputs, findings }) => [
    `  ${phase.padEnd(nameWidth)}  ${planWords[decision]}${reason === undefined ? '' : `: ${reason}`}`,
    ...outputs.flatMap(({ location, action }) =>
      outputWords[action] === undefined ? [] : [`      ${outputWords[action]} ${location}`],
    ),
    ...distinct(warningsOf(findings))
      .flatMap(findingLines)
      .map((line) => `      ${line}`),
  ]);
}

/** The findings without repetition: several outputs of a phase may need the same thing. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
