import type { Finding } from '@groundplane/errors';
import { outputsOf } from './declarations.ts';
import { evaluateSelection, type PhaseEvaluation } from './evaluate-selection.ts';
import type { Decision } from './events.ts';
import { lookingWorld } from './looking-world.ts';
import type { AnyPhase } from './phase.ts';
import { type PlannedOutput, plannedOutput } from './planned-output.ts';
import type { SuppliedPorts } from './ports.ts';
import { requireRequest } from './require-arguments.ts';
import type { Selection } from './selection.ts';
import { namedSigner } from './signer-answer.ts';
import { lookUntilStopped } from './stopping.ts';
import type { Workflow } from './workflow.ts';
import type { World } from './world.ts';

export interface WorkflowRequest<C> {
  readonly workflow: Workflow<C>;
  /** Complete and resolved: every random or detected value is fixed. */
  readonly config: C;
  readonly ports: SuppliedPorts;
  readonly selection?: Selection;
  readonly signal?: AbortSignal;
}

export interface PhasePlan {
  readonly phase: string;
  readonly summary: string;
  /** `unknown`: what it goes by cannot be looked at, or not by this user. */
  readonly decision: Decision | 'unknown';
  /** True if it changes nothing by itself and is run every time: a report. */
  readonly report: boolean;
  readonly reason?: string;
  /** Name of the signer that would be asked for its certificate, where it is not this program itself. */
  readonly signer?: string;
  readonly outputs: readonly PlannedOutput[];
  readonly findings: readonly Finding[];
}

export interface Plan {
  readonly workflow: string;
  /** `evaluated` from what is there, so that what depends on what is still to be made is deferred; `predicted` to the end. */
  readonly basis: 'evaluated' | 'predicted';
  readonly phases: readonly PhasePlan[];
}

/** Decisions after which nothing may be written. */
const blocking: ReadonlySet<PhasePlan['decision']> = new Set(['conflict', 'external']);
const working: ReadonlySet<PhasePlan['decision']> = new Set(['create', 'complete', 'replace', 'act']);

/** True if running this plan would stop before its first write. */
export function isBlocked(plan: Plan): boolean {
  return plan.phases.some((phase) => blocking.has(phase.decision));
}

/** True if running this plan would change something. */
export function hasWork(plan: Plan): boolean {
  return plan.phases.some(({ decision, report }) => working.has(decision) && !report);
}

/** True if something that the plan depends on could not be looked at. */
export function hasUnknowns(plan: Plan): boolean {
  return plan.phases.some(({ decision, outputs }) => decision === 'unknown' || outputs.some(isUnknown));
}

function isUnknown({ action }: PlannedOutput): boolean {
  return action === 'unknown';
}

/**
 * Says what a run would do, phase by phase. Writes nothing, signs nothing, needs no rights beyond reading.
 *
 * @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts, PHASES_UNKNOWN_PHASE; TypeError for arguments of other types
 */
export async function planWorkflow<C>(request: WorkflowRequest<C>): Promise<Plan> {
  requireRequest(request);
  return lookUntilStopped(`plan ${request.workflow.name}`, request, async (ports) => {
    const world = lookingWorld({ ...request, ports });
    const evaluations = await evaluateSelection(request, world, { now: ports.clock.now(), looking: true });
    return planOf(request, evaluations, { world, basis: 'evaluated' });
  });
}

/** What was decided, as plain data for others. */
export function planOf<C>(
  { workflow, config, ports }: WorkflowRequest<C>,
  evaluations: readonly PhaseEvaluation<C>[],
  { world, basis }: { readonly world: World; readonly basis: Plan['basis'] },
): Plan {
  return {
    workflow: workflow.name,
    basis,
    phases: evaluations.map(({ phase, evaluation }) => ({
      phase: phase.name,
      summary: phase.summary,
      decision: evaluation.unknown && evaluation.decision === 'deferred' ? 'unknown' : evaluation.decision,
      report: isReport(phase, config),
      ...(evaluation.reason === undefined ? {} : { reason: evaluation.reason }),
      ...namedSigner(evaluation.request?.request, ports.signer),
      outputs: evaluation.outputs.map((output) => plannedOutput(output, world)),
      findings: evaluation.findings,
    })),
  };
}

/** True for a phase that only says something, each time. */
export function isReport<C>(phase: AnyPhase<C>, config: C): boolean {
  return phase.everyTime(config) && Object.keys(outputsOf(phase)).length === 0 && phase.removes.length === 0;
}
