import { hasErrors } from '@groundplane/errors';
import { announceKeys } from './announce-keys.ts';
import { readOnlyCapabilities, unavailability } from './capabilities.ts';
import { evaluateSelection } from './evaluate-selection.ts';
import type { Evaluation, OutputPlan } from './evaluation.ts';
import { inspectPhase } from './inspect.ts';
import { lookingWorld } from './looking-world.ts';
import { type AnyPhase, draftOf } from './phase.ts';
import { type Plan, planOf, type WorkflowRequest } from './plan.ts';
import { modeAfter } from './planned-output.ts';
import type { Signer } from './ports.ts';
import { type PredictedWorld, predictedWorld } from './predicted-world.ts';
import { requireRequest } from './require-arguments.ts';
import { findingKey } from './session.ts';
import { standInSigner } from './stand-in-signer.ts';
import { lookUntilStopped, signalOf } from './stopping.ts';

export interface PredictionRequest<C> extends WorkflowRequest<C> {
  /** Makes keys and certificates in this process, for the prediction alone. The ports' own signer is only asked what it could issue. */
  readonly signer: Signer;
}

/**
 * Says what a run would do to its end: each phase is evaluated in the world that the phases before it would have left, which is kept in
 * memory. Requests are answered with keys that are thrown away, effects are not run, and of what only they or others make it is said that
 * it is not known. Writes nothing, uses no key that is there, needs no rights beyond reading.
 *
 * @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts, PHASES_UNKNOWN_PHASE; TypeError for arguments of other types
 */
export async function predictWorkflow<C>(request: PredictionRequest<C>): Promise<Plan> {
  requireRequest(request);
  return lookUntilStopped(`predict ${request.workflow.name}`, request, (ports) => predicted({ ...request, ports }));
}

async function predicted<C>(request: PredictionRequest<C>): Promise<Plan> {
  const { workflow, config, ports, signer } = request;
  const now = ports.clock.now();
  const real = lookingWorld(request);
  const planned = await evaluateSelection(request, real, { now, looking: true });
  announceKeys(planned, { config, signer });
  const prediction = predictedWorld(real, { localEndpoint: workflow.localEndpoint?.(config) });
  const answer = standInSigner(signer);
  const evaluations = await evaluateSelection(request, prediction.world, {
    now,
    looking: true,
    predicted: prediction.changed,
    settle: (phase, evaluation) => settle(phase, evaluation, { request, now, prediction, answer }),
  });
  return planOf(request, evaluations, { world: prediction.world, basis: 'predicted' });
}

interface Course<C> {
  readonly request: PredictionRequest<C>;
  readonly now: Date;
  readonly prediction: PredictedWorld;
  readonly answer: ReturnType<typeof standInSigner>;
}

/** Lays over the world what the phase would leave, and says what became of its evaluation. */
async function settle<C>(phase: AnyPhase<C>, evaluation: Evaluation, course: Course<C>): Promise<Evaluation> {
  const { decision, unknown } = evaluation;
  if (decision === 'conflict' || decision === 'external' || decision === 'inapplicable' || unknown) return evaluation;
  const foreseen = phase.kind === 'effect' ? await foresee(phase, evaluation, course) : evaluation;
  if (foreseen.decision === 'keep' || foreseen.decision === 'deferred') return foreseen;
  const { outputs, faithful } = await answered(foreseen, course);
  for (const output of outputs) leave(output, course);
  const pending = outputs.filter(({ action }) => action === 'pending').map(({ artifact }) => artifact.id);
  const settled = { ...foreseen, outputs, pending };
  return phase.kind === 'pure' && faithful ? held(phase, settled, course) : settled;
}

/** Holds what would be there to the phase's own verify, as the run does after it has written. */
async function held<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  { request, now, prediction }: Course<C>,
): Promise<Evaluation> {
  const options = { now, signal: signalOf(request), looking: true };
  const { findings } = await inspectPhase(phase, request.config, prediction.world, options);
  const decision = hasErrors(findings) ? 'conflict' : evaluation.decision;
  const known = new Set(evaluation.findings.map(findingKey));
  const added = findings.filter((finding) => !known.has(findingKey(finding)));
  return { ...evaluation, decision, findings: [...evaluation.findings, ...added] };
}

/** Asks an effect what it would find and leave. */
async function foresee<C>(phase: AnyPhase<C>, evaluation: Evaluation, course: Course<C>): Promise<Evaluation> {
  if (phase.foresee === undefined) return evaluation;
  const { request, now, prediction } = course;
  const signal = signalOf(request);
  const state = { config: request.config, now, ...evaluation.state };
  try {
    const capabilities = await readOnlyCapabilities(phase, prediction.world, { signal });
    const { findings = [], reason, outputs = {} } = await phase.foresee(state, capabilities);
    const values = outputs as Readonly<Record<string, unknown>>;
    const rows = evaluation.outputs.map(
      (row): OutputPlan =>
        row.action === 'pending' && values[row.key] !== undefined ? { ...row, value: values[row.key] } : row,
    );
    const all = { ...evaluation, outputs: rows, findings: [...evaluation.findings, ...findings] };
    const { reason: _, ...rest } = all;
    if (hasErrors(findings)) return { ...rest, decision: 'conflict' };
    if (reason !== undefined) return { ...all, decision: 'act', acts: true, reason };
    // What there is to write says whether it acts; without that, what it foresees.
    if (rows.length > 0 && !phase.verifyOnlyAtTurn) return all;
    return { ...rest, decision: 'keep' };
  } catch (thrown) {
    return { ...evaluation, decision: 'deferred', unknown: true, reason: unavailability(thrown) };
  }
}

/** The outputs with what a signer's answer completes. */
async function answered<C>(
  { outputs, request }: Evaluation,
  { answer }: Course<C>,
): Promise<{ readonly outputs: readonly OutputPlan[]; readonly faithful: boolean }> {
  if (request === undefined) return { outputs: outputs.map(known), faithful: true };
  const { faithful, ...issued } = await answer(request.request);
  const draft = draftOf(await request.draft.complete(issued), request.request.name);
  if (draft.kind !== 'values')
    throw new TypeError(`Cannot predict '${request.request.name}' as it asks the signer twice`);
  const { values } = draft;
  const completed = outputs.map((row) => (row.action === 'pending' ? { ...row, value: values[row.key] } : row));
  return { outputs: completed.map(known), faithful };
}

/** What the signer or the phase itself makes is a creation or a replacement like any other, once it is known. */
function known(row: OutputPlan): OutputPlan {
  if (row.action !== 'pending' || row.value === undefined) return row;
  return { ...row, action: row.existing.state === 'absent' ? 'created' : 'replaced' };
}

/** Lays over the world what is known of the output. */
function leave<C>(output: OutputPlan, { now, prediction: { world, set } }: Course<C>): void {
  const { artifact, action, value } = output;
  if (action === 'removed') set(artifact, { state: 'absent' });
  if (action !== 'created' && action !== 'replaced' && action !== 'extended') return;
  const { kind } = world.locate(artifact);
  const mode = Number.parseInt(modeAfter(output, kind), 8);
  const status = { mode, uid: 0, gid: 0, modifiedMs: now.getTime() };
  if (kind === 'directory') {
    set(artifact, { state: 'present', value: undefined, status: { ...status, kind, size: 0 } });
    return;
  }
  const bytes = artifact.format.serialize(value);
  const parsed = { state: 'present', value: artifact.format.parse(bytes), bytes } as const;
  set(artifact, kind === 'file' ? { ...parsed, status: { ...status, kind, size: bytes.length } } : parsed);
}
