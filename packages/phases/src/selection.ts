import { artifactOf } from './artifact.ts';
import { phasesError } from './error-codes.ts';
import type { AnyPhase } from './phase.ts';
import type { Workflow } from './workflow.ts';

/** Which phases to run. Names are full (`certs/ca`) or a whole sub-tree (`certs`); case does not matter. */
export interface Selection {
  /** Only these; absent means all. */
  readonly only?: readonly string[];
  /** Not these. */
  readonly skip?: readonly string[];
}

/**
 * The phases that a selection stands for, in the workflow's order. A hidden phase comes along when a selected one reads what it writes.
 *
 * @throws GroundplaneError PHASES_UNKNOWN_PHASE
 */
export function selectPhases<C>(workflow: Workflow<C>, selection: Selection = {}): readonly AnyPhase<C>[] {
  const { phases } = workflow;
  const only = selection.only?.map((name) => normalise(workflow, name));
  const skip = (selection.skip ?? []).map((name) => normalise(workflow, name));
  const chosen = new Set(
    phases.filter(
      (phase) =>
        (only === undefined || only.some((name) => covers(name, phase.name))) &&
        !skip.some((name) => covers(name, phase.name)),
    ),
  );
  const wanted = new Set([...chosen].flatMap((phase) => Object.values(phase.reads).map((read) => artifactOf(read).id)));
  for (const phase of phases) {
    if (!phase.hidden || skip.some((name) => covers(name, phase.name))) continue;
    if (Object.values(phase.writes).some((entry) => wanted.has(artifactOf(entry).id))) chosen.add(phase);
  }
  return phases.filter((phase) => chosen.has(phase));
}

function normalise<C>(workflow: Workflow<C>, name: string): string {
  // `all` is a command-line selector for a parent's children (kubeadm cmd/phases/workflow/runner.go).
  const wanted = name.toLowerCase().replace(/\/all$/, '');
  if (!workflow.phases.some((phase) => covers(wanted, phase.name))) {
    const known = workflow.phases.filter((phase) => !phase.hidden).map((phase) => phase.name);
    throw phasesError('PHASES_UNKNOWN_PHASE', `invalid phase name: ${name}`, {
      hint: `Phases of ${workflow.name}: ${known.join(', ')}`,
    });
  }
  return wanted;
}

function covers(name: string, phase: string): boolean {
  return phase === name || phase.startsWith(`${name}/`);
}
