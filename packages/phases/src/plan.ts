import type { Finding } from '@groundplane/errors';
import { evaluateSelection } from './evaluate-selection.ts';
import type { OutputAction } from './evaluation.ts';
import type { Decision } from './events.ts';
import { planningWorld } from './planning-world.ts';
import type { SuppliedPorts } from './ports.ts';
import type { Selection } from './selection.ts';
import type { Workflow } from './workflow.ts';

export interface WorkflowRequest<C> {
  readonly workflow: Workflow<C>;
  /** Complete and resolved: every random or detected value is fixed. */
  readonly config: C;
  readonly ports: SuppliedPorts;
  readonly selection?: Selection;
  readonly signal?: AbortSignal;
}

export interface PlannedOutput {
  readonly artifact: string;
  readonly location: string;
  readonly action: OutputAction;
  readonly secret: boolean;
}

export interface PhasePlan {
  readonly phase: string;
  readonly summary: string;
  readonly decision: Decision;
  readonly reason?: string;
  readonly outputs: readonly PlannedOutput[];
  readonly findings: readonly Finding[];
}

export interface Plan {
  readonly workflow: string;
  readonly phases: readonly PhasePlan[];
}

/** Decisions after which nothing may be written. */
const blocking: ReadonlySet<Decision> = new Set(['conflict', 'external']);

/** True if running this plan would stop before its first write. */
export function isBlocked(plan: Plan): boolean {
  return plan.phases.some((phase) => blocking.has(phase.decision));
}

/** Says what a run would do, phase by phase. Writes nothing, signs nothing, needs no rights beyond reading. */
export async function planWorkflow<C>(request: WorkflowRequest<C>): Promise<Plan> {
  const world = planningWorld(request.workflow, request.config, request.ports);
  const evaluations = await evaluateSelection(request, world, request.ports.clock.now());
  return {
    workflow: request.workflow.name,
    phases: evaluations.map(({ phase, evaluation }) => ({
      phase: phase.name,
      summary: phase.summary,
      decision: evaluation.decision,
      ...(evaluation.reason === undefined ? {} : { reason: evaluation.reason }),
      outputs: evaluation.outputs.map(({ artifact, location, action }) => ({
        artifact: artifact.id,
        location,
        action,
        secret: artifact.secret === true,
      })),
      findings: evaluation.findings,
    })),
  };
}
