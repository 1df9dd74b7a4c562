import { type Finding, hasErrors } from '@groundplane/errors';
import { artifactOf } from './artifact.ts';
import { type Evaluation, evaluate, loadMap, noCapabilities, type OutputAction, valuesOf } from './evaluate.ts';
import type { Decision } from './events.ts';
import type { AnyPhase } from './phase.ts';
import type { SuppliedPorts } from './ports.ts';
import { type Selection, selectPhases } from './selection.ts';
import { creatorsOf, type Workflow } from './workflow.ts';
import { createWorld, placeOf, planningApiTimeoutMs, type World } from './world.ts';

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
  const world = createWorld(request.workflow, request.config, request.ports, { apiTimeoutMs: planningApiTimeoutMs });
  const evaluations = await evaluateAll(request, world, request.ports.clock.now());
  return {
    workflow: request.workflow.name,
    phases: evaluations.map(({ phase, evaluation }) => ({
      phase: phase.name,
      summary: phase.summary,
      decision: evaluation.decision,
      ...(evaluation.reason === undefined ? {} : { reason: evaluation.reason }),
      outputs: evaluation.outputs.map(describeOutput),
      findings: evaluation.findings,
    })),
  };
}

export function describeOutput(output: Evaluation['outputs'][number]): PlannedOutput {
  return {
    artifact: output.artifact.id,
    location: output.location,
    action: output.action,
    secret: output.artifact.secret === true,
  };
}

export interface PhaseEvaluation<C> {
  readonly phase: AnyPhase<C>;
  readonly evaluation: Evaluation;
}

/** Evaluates the selection in order, carrying along what earlier phases are going to write. */
export async function evaluateAll<C>(
  request: WorkflowRequest<C>,
  world: World,
  now: Date,
): Promise<readonly PhaseEvaluation<C>[]> {
  const { workflow, config } = request;
  const signal = request.signal ?? new AbortController().signal;
  const selected = selectPhases(workflow, request.selection);
  const foreign = await foreignFindings(workflow, selected, config, world, now, signal);
  const deferred = new Set<string>();
  const evaluations: PhaseEvaluation<C>[] = [];
  for (const phase of selected) {
    const own = await evaluate(phase, config, world, { now, deferred, planning: true, signal });
    const inherited =
      own.decision === 'inapplicable'
        ? []
        : Object.values(phase.reads).flatMap((read) => foreign.get(artifactOf(read).id) ?? []);
    const evaluation: Evaluation =
      inherited.length === 0
        ? own
        : {
            ...own,
            decision: hasErrors(inherited) ? 'conflict' : own.decision,
            findings: [...own.findings, ...inherited],
          };
    for (const id of pendingOutputs(phase, evaluation)) deferred.add(id);
    evaluations.push({ phase, evaluation });
  }
  return evaluations;
}

/** Ids of the artifacts whose values are known only after the phase ran. */
export function pendingOutputs<C>(phase: AnyPhase<C>, evaluation: Evaluation): readonly string[] {
  if (evaluation.decision === 'keep' || evaluation.decision === 'inapplicable') return [];
  const ids = Object.values({ ...phase.writes, ...phase.amends }).map((entry) => artifactOf(entry).id);
  const kept = new Set(
    evaluation.outputs.filter((output) => output.action === 'kept').map((output) => output.artifact.id),
  );
  return ids.filter((id) => !kept.has(id));
}

/**
 * A replaced phase is held to the same test as ours: what selected phases read, but no selected phase writes,
 * must pass the verify of the phase that would have written it.
 */
async function foreignFindings<C>(
  workflow: Workflow<C>,
  selected: readonly AnyPhase<C>[],
  config: C,
  world: World,
  now: Date,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const creators = creatorsOf(workflow.phases);
  const chosen = new Set(selected.map((phase) => phase.name));
  const result = new Map<string, readonly Finding[]>();
  const judged = new Map<string, readonly Finding[]>();
  for (const phase of selected) {
    if (phase.inapplicable(config) !== undefined) continue;
    for (const read of Object.values(phase.reads)) {
      const { id } = artifactOf(read);
      const creatorName = creators.get(id);
      if (creatorName === undefined || chosen.has(creatorName) || result.has(id)) continue;
      const creator = workflow.phases.find((candidate) => candidate.name === creatorName);
      if (creator === undefined || creator.kind !== 'pure' || creator.connect !== undefined) continue;
      const known = judged.get(creatorName) ?? (await judge(creator, config, world, now, signal));
      judged.set(creatorName, known);
      result.set(id, known);
    }
  }
  return result;
}

/** The verdict of a phase on what is there, whoever made it. Nothing is said about what is not there. */
async function judge<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  now: Date,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (phase.inapplicable(config) !== undefined) return [];
  const inputs = await loadMap(phase.reads, phase, world);
  const outputs = await loadMap(phase.writes, phase, world);
  const complete = (map: typeof inputs, entries: AnyPhase<C>['reads']) =>
    Object.entries(entries).every(([key, entry]) => 'optional' in entry || map[key]?.state === 'present');
  if (!complete(inputs, phase.reads) || !complete(outputs, phase.writes)) {
    const present = Object.entries(outputs).some(([, loaded]) => loaded.state === 'present');
    if (!present) return [];
    return Object.entries(phase.writes)
      .filter(([key, entry]) => !('optional' in entry) && outputs[key]?.state === 'absent')
      .map(([, entry]) => {
        const artifact = artifactOf(entry);
        const place = placeOf(world, artifact);
        return {
          code: 'PHASES_ARTIFACT_MISSING',
          severity: 'error' as const,
          artifact: place,
          message: `${place} is missing beside the other files of ${phase.name}: ${artifact.description}`,
          hint: `Put a ${artifact.format.name} there, or run the phase ${phase.name}`,
        };
      });
  }
  const state = { config, now, inputs: valuesOf(inputs), outputs: valuesOf(outputs) };
  return phase.verify(state, noCapabilities({ signal }));
}
