import { artifactOf } from './artifact.ts';
import { needsOf } from './declarations.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';
import { requireSelection } from './require-arguments.ts';
import type { Workflow } from './workflow.ts';

/** Which phases to run. Names are full (`certs/ca`) or a whole sub-tree (`certs`); case does not matter. */
export interface Selection {
  /** Only these; absent means all. */
  readonly only?: readonly string[];
  /** Not these. */
  readonly skip?: readonly string[];
}

/**
 * The phases that a selection stands for, in the workflow's order. A hidden phase comes along exactly when a selected one needs
 * what it writes, or when it is named; one whose outputs no phase needs is treated like the others, as long as one of those that it
 * serves is not skipped.
 *
 * @throws GroundplaneError PHASES_UNKNOWN_PHASE; TypeError for a selection of another type
 */
export function selectPhases<C>(workflow: Workflow<C>, selection: Selection = {}): readonly AnyPhase<C>[] {
  requireSelection(`select phases of ${workflow.name}`, selection);
  const { phases } = workflow;
  const only = selection.only?.map((name) => normalise(workflow, name));
  const skip = (selection.skip ?? []).map((name) => normalise(workflow, name));
  const skipped = (phase: AnyPhase<C>) => skip.some((name) => covers(name, phase.name));
  const needed = idsNeededBy(phases);
  const onDemand = (phase: AnyPhase<C>) => phase.hidden && writesAnyOf(phase, needed);
  const useless = ({ serves }: AnyPhase<C>) =>
    serves?.every((name) => phases.some((phase) => phase.name === name && skipped(phase))) ?? false;
  const chosen = new Set(
    phases.filter((phase) => {
      if (skipped(phase)) return false;
      return only === undefined ? !onDemand(phase) && !useless(phase) : only.some((name) => covers(name, phase.name));
    }),
  );
  for (let grown = true; grown; ) {
    const wanted = idsNeededBy([...chosen]);
    const found = phases.filter(
      (phase) => phase.hidden && !chosen.has(phase) && !skipped(phase) && writesAnyOf(phase, wanted),
    );
    for (const phase of found) chosen.add(phase);
    grown = found.length > 0;
  }
  return phases.filter((phase) => chosen.has(phase));
}

function idsNeededBy(phases: readonly AnyPhase<never>[]): ReadonlySet<string> {
  return new Set(phases.flatMap((phase) => needsOf(phase).map((need) => artifactOf(need).id)));
}

function writesAnyOf(phase: AnyPhase<never>, ids: ReadonlySet<string>): boolean {
  return Object.values(phase.writes).some((entry) => ids.has(artifactOf(entry).id));
}

function normalise<C>(workflow: Workflow<C>, name: string): string {
  const wanted = phaseName(name);
  if (!workflow.phases.some((phase) => covers(wanted, phase.name))) {
    const known = workflow.phases.filter((phase) => !phase.hidden).map((phase) => phase.name);
    throw phasesError('PHASES_UNKNOWN_PHASE', `invalid phase name: ${name}`, {
      hint: `Phases of ${workflow.name}: ${known.join(', ')}`,
    });
  }
  return wanted;
}

/**
 * The name of a phase or sub-tree that people mean. `all` is a command-line selector for a parent's children (kubeadm
 * cmd/phases/workflow/runner.go), so that `certs/ALL` is `certs`.
 */
export function phaseName(text: string): string {
  return text.toLowerCase().replace(/\/all$/, '');
}

/**
 * Whether a phase is what a name stands for, or in its sub-tree.
 *
 * @param name as {@link phaseName} returns it
 */
export function covers(name: string, phase: string): boolean {
  return phase === name || phase.startsWith(`${name}/`);
}
