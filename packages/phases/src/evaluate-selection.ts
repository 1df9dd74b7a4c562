import { type Finding, hasErrors } from '@groundplane/errors';
import { artifactOf, type Read } from './artifact.ts';
import { creatorsOf, needsOf, outputsOf } from './declarations.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { type InspectOptions, inspectForeign } from './inspect.ts';
import type { AnyPhase } from './phase.ts';
import type { WorkflowRequest } from './plan.ts';
import { selectPhases } from './selection.ts';
import { signalOf } from './stopping.ts';
import { placeOf, type World } from './world.ts';

export interface PhaseEvaluation<C> {
  readonly phase: AnyPhase<C>;
  readonly evaluation: Evaluation;
}

export interface SelectionOptions<C> {
  readonly now: Date;
  /** As in {@link EvaluateOptions}. */
  readonly looking?: boolean;
  readonly predicted?: ReadonlySet<string>;
  /** Told of each evaluation before the next phase is evaluated; answers what has become of it. */
  readonly settle?: (phase: AnyPhase<C>, evaluation: Evaluation) => Promise<Evaluation>;
}

/** Evaluates the selection in order, carrying along what earlier phases are going to write. */
export async function evaluateSelection<C>(
  request: WorkflowRequest<C>,
  world: World,
  { settle = async (_, evaluation) => evaluation, ...given }: SelectionOptions<C>,
): Promise<readonly PhaseEvaluation<C>[]> {
  const { workflow, config } = request;
  const options = { ...given, signal: signalOf(request) };
  const selected = selectPhases(workflow, request.selection);
  const foreign = await foreignFindings(request, selected, world, options);
  const deferred = new Set<string>();
  const doubtful = new Set<string>();
  const refused = new Set<string>();
  const evaluations: PhaseEvaluation<C>[] = [];
  for (const phase of selected) {
    const own = await evaluate(phase, config, world, { ...options, deferred, doubtful, refused, planning: true });
    const needs = own.decision === 'inapplicable' ? [] : needsOf(phase);
    const inherited = needs.flatMap((need): readonly Finding[] => {
      const findings = foreign.get(artifactOf(need).id) ?? [];
      return isDispensable(need, world) ? findings.map((finding) => ({ ...finding, severity: 'warning' })) : findings;
    });
    const evaluation = await settle(phase, {
      ...own,
      decision: hasErrors(inherited) ? 'conflict' : own.decision,
      findings: [...own.findings, ...new Set(inherited)],
    });
    for (const id of pendingOutputs(phase, evaluation)) {
      deferred.add(id);
      if (evaluation.unknown) doubtful.add(id);
      if (evaluation.decision === 'conflict') refused.add(id);
    }
    evaluations.push({ phase, evaluation });
  }
  return evaluations;
}

/** Ids of the artifacts whose values are known only after the phase ran. */
export function pendingOutputs<C>(phase: AnyPhase<C>, evaluation: Evaluation): readonly string[] {
  if (evaluation.decision === 'keep' || evaluation.decision === 'inapplicable') return [];
  if (evaluation.pending !== undefined) return evaluation.pending;
  const settled = new Set(
    evaluation.outputs
      .filter(({ action }) => action === 'kept' || action === 'absent')
      .map(({ artifact }) => artifact.id),
  );
  return Object.values(outputsOf(phase))
    .map((entry) => artifactOf(entry).id)
    .filter((id) => !settled.has(id));
}

/**
 * A replaced phase is held to the same test as ours: what selected phases need, but no selected phase writes, must pass the
 * verify of the phase that would have written it. Of effects, whose verify is about more than their outputs, it is the part that
 * is about these alone; phases whose outputs are in a cluster that may not be there yet are left out.
 */
async function foreignFindings<C>(
  { workflow, config }: WorkflowRequest<C>,
  selected: readonly AnyPhase<C>[],
  world: World,
  options: InspectOptions,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const creators = creatorsOf(workflow.phases);
  const running = selected.filter((phase) => phase.inapplicable(config) === undefined);
  const remade = new Set(creatorsOf(running).keys());
  const needed = new Set(running.flatMap((phase) => needsOf(phase).map((need) => artifactOf(need).id)));
  const result = new Map<string, readonly Finding[]>();
  for (const creator of workflow.phases) {
    if (selected.includes(creator) || creator.connect !== undefined) continue;
    if (creator.kind !== 'pure' && creator.verifyOutputs === undefined) continue;
    const ids = [...needed].filter((id) => creators.get(id) === creator.name);
    if (ids.length === 0) continue;
    const findings = await inspectForeign(creator, config, world, { ...options, remade });
    for (const id of ids) result.set(id, creator.kind === 'pure' ? findings : findingsOn(id, creator, findings, world));
  }
  return result;
}

/** Outputs of an effect have less to do with one another: who reads one of them is told about that one. */
function findingsOn<C>(
  id: string,
  creator: AnyPhase<C>,
  findings: readonly Finding[],
  world: World,
): readonly Finding[] {
  const places = Object.values(outputsOf(creator))
    .map(artifactOf)
    .filter((artifact) => artifact.id === id)
    .map((artifact) => placeOf(world, artifact));
  return findings.filter(({ artifact }) => places.includes(artifact));
}

/** True for what may be absent and is replaced where it differs: a phase that only looks at it can do without. */
function isDispensable(need: Read, world: World): boolean {
  return world.mayBeAbsent(need) && artifactOf(need).policy === 'converge';
}
