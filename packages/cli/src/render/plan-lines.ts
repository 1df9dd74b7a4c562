import { type Finding, warningsOf } from '@groundplane/errors';
import type { PhasePlan, Plan, PlannedOutput } from '@groundplane/phases';
import { diffLines } from './diff-lines.ts';
import { findingLines } from './people-lines.ts';

/** What the plan says about one phase, as a future tense word. */
const planWords: Readonly<Record<PhasePlan['decision'], string>> = {
  create: 'create',
  keep: 'keep',
  complete: 'complete',
  replace: 'replace',
  act: 'act',
  conflict: 'conflict',
  external: 'needs signing',
  deferred: 'decided later',
  inapplicable: 'not needed',
  unknown: 'unknown',
};

/** What would become of one artifact; what stays as it is goes without saying. */
const outputWords: Readonly<Partial<Record<PlannedOutput['action'], string>>> = {
  created: 'create',
  replaced: 'replace',
  extended: 'extend',
  removed: 'remove',
  pending: 'make',
  unknown: '?',
};

/**
 * A plan for people: a line per phase, then what it would do to which artifact, with the difference, and warnings; then how many phases
 * would do what. What stands against it is told with the error.
 */
export function planLines(plan: Plan): readonly string[] {
  const nameWidth = Math.max(0, ...plan.phases.map(({ phase }) => phase.length));
  // Several phases may look at one thing.
  const said = new Set<string>();
  const isNew = (finding: Finding) => !said.has(JSON.stringify(finding)) && said.add(JSON.stringify(finding));
  return [
    ...plan.phases.flatMap(({ phase, decision, reason, signer, outputs, findings }) => [
      `  ${phase.padEnd(nameWidth)}  ${planWords[decision]}${reason === undefined ? '' : `: ${reason}`}`,
      ...(signer === undefined ? [] : [`      ask the signer '${signer}'`]),
      // What the phase itself gives as its reason is not said again.
      ...outputs.filter((output) => reason === undefined || output.reason !== reason).flatMap(outputLines),
      ...warningRows(findings.filter(isNew)),
    ]),
    tallyLine(plan),
  ];
}

function outputLines(output: PlannedOutput): readonly string[] {
  const { location, action, mode, owner, secret, reason = '' } = output;
  const word = outputWords[action];
  if (word === undefined) return [];
  if (action === 'unknown') return [unseenRow({ location, reason })];
  const notes = [
    ...(mode === undefined || owner === undefined ? [] : [`${mode} ${owner}`]),
    ...(secret && action !== 'removed' ? ['secret, not shown'] : []),
  ];
  return [
    `      ${word} ${location}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    ...diffLines(output).map((line) => `        ${line}`),
  ];
}

/** What could not be looked at, and why; the reason may name it itself. */
export function unseenRow({ location, reason }: { readonly location: string; readonly reason: string }): string {
  return `      ? ${reason.includes(location) ? reason : `${location}: ${reason}`}`;
}

/** The warnings among what was found about a phase, below its line. */
export function warningRows(findings: readonly Finding[]): readonly string[] {
  return distinct(warningsOf(findings))
    .flatMap(findingLines)
    .map((line) => `      ${line}`);
}

/** `Plan: 12 create, 3 keep`, most frequent first. */
function tallyLine({ phases }: Plan): string {
  const counts = new Map<string, number>();
  for (const { decision } of phases) counts.set(planWords[decision], (counts.get(planWords[decision]) ?? 0) + 1);
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([word, count]) => `${count} ${word}`);
  return `Plan: ${parts.join(', ')}`;
}

/** The findings without repetition: several outputs, or phases, may need the same thing. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
