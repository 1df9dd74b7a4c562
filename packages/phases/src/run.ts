import { errorsOf, type Finding, GroundplaneError, isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Artifact, artifactOf } from './artifact.ts';
import { phasesError } from './error-codes.ts';
import { type Evaluation, evaluate, loadMap, readOnlyCapabilities, valuesOf } from './evaluate.ts';
import type { ArtifactAction, Decision, Report } from './events.ts';
import { guardedPorts } from './guarded-ports.ts';
import { appendToJournal, digestOf } from './journal.ts';
import { type AnyPhase, draftOf, type ErasedCapabilities } from './phase.ts';
import { evaluateAll, type PhaseEvaluation, pendingOutputs, type WorkflowRequest } from './plan.ts';
import type { Issued, SigningRequest } from './ports.ts';
import { waiter } from './wait.ts';
import { createWorld, placeOf, planningApiTimeoutMs, type World } from './world.ts';

export interface RunRequest<C> extends WorkflowRequest<C> {
  readonly report?: Report;
  /** Who runs it, for the journal: `groundplane 0.1.0 (pid 12)`. */
  readonly actor: string;
  /** Path of the journal on this node; none is kept without. */
  readonly journal?: string;
}

export interface PhaseResult {
  readonly phase: string;
  readonly decision: Decision;
  readonly durationMs: number;
  readonly artifacts: readonly {
    readonly artifact: string;
    readonly location: string;
    readonly action: ArtifactAction;
  }[];
}

export interface RunResult {
  readonly workflow: string;
  readonly durationMs: number;
  readonly phases: readonly PhaseResult[];
}

/**
 * Plans the selection, stops before the first write if anything is in conflict, then runs phase after phase.
 *
 * @throws GroundplaneError PHASES_CONFLICT or PHASES_EXTERNAL (nothing was written), PHASES_WAIT_TIMEOUT, PHASES_VERIFY_FAILED,
 * PHASES_UNREADABLE, PHASES_ABORTED, and what the ports throw
 */
export async function runWorkflow<C>(request: RunRequest<C>): Promise<RunResult> {
  const report = request.report ?? (() => {});
  const { clock } = request.ports;
  const start = clock.monotonicMs();
  const now = clock.now();
  const planned = await evaluateAll(
    request,
    createWorld(request.workflow, request.config, request.ports, { apiTimeoutMs: planningApiTimeoutMs }),
    now,
  );
  for (const { phase, evaluation } of planned)
    for (const finding of evaluation.findings) report({ type: 'finding', phase: phase.name, finding });
  stopIfBlocked(
    request.workflow.name,
    planned.map(({ evaluation }) => evaluation),
  );

  report({ type: 'workflow-started', workflow: request.workflow.name, phases: planned.map(({ phase }) => phase.name) });
  const session = createSession(request, planned, now, report);
  const phases: PhaseResult[] = [];
  for (const { phase } of planned) phases.push(await runPhase(phase, session));
  const durationMs = clock.monotonicMs() - start;
  report({ type: 'workflow-finished', workflow: request.workflow.name, durationMs });
  return { workflow: request.workflow.name, durationMs, phases };
}

/** @throws GroundplaneError with all error findings of the evaluations that block */
function stopIfBlocked(workflow: string, evaluations: readonly Evaluation[]): void {
  const blocked = evaluations.filter(({ decision }) => decision === 'conflict' || decision === 'external');
  if (blocked.length === 0) return;
  const findings = unique(blocked.flatMap((evaluation) => errorsOf(evaluation.findings)));
  const code = blocked.every(({ decision }) => decision === 'external') ? 'PHASES_EXTERNAL' : 'PHASES_CONFLICT';
  throw phasesError(code, `Cannot run ${workflow} as ${findings.map((finding) => finding.message).join('; ')}`, {
    findings,
    hint: [...new Set(findings.flatMap((finding) => finding.hint ?? []))].join('\n'),
  });
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [
    ...new Map(findings.map((finding) => [`${finding.code} ${finding.artifact} ${finding.message}`, finding])).values(),
  ];
}

interface Session<C> {
  readonly request: RunRequest<C>;
  readonly planned: readonly PhaseEvaluation<C>[];
  readonly world: World;
  readonly now: Date;
  readonly report: Report;
  readonly signal: AbortSignal;
  /** Answers that were asked for ahead of their phase, by phase name. */
  readonly issued: Map<string, { readonly request: SigningRequest; readonly answer: Issued }>;
}

function createSession<C>(
  request: RunRequest<C>,
  planned: readonly PhaseEvaluation<C>[],
  now: Date,
  report: Report,
): Session<C> {
  return {
    request,
    planned,
    now,
    report,
    world: createWorld(request.workflow, request.config, request.ports),
    signal: request.signal ?? new AbortController().signal,
    issued: new Map(),
  };
}

async function runPhase<C>(phase: AnyPhase<C>, session: Session<C>): Promise<PhaseResult> {
  const { report, world, signal, request, now } = session;
  const { clock } = request.ports;
  const start = clock.monotonicMs();
  if (signal.aborted) throw phasesError('PHASES_ABORTED', `Cannot run ${phase.name} as the run was told to stop`);
  report({ type: 'phase-started', phase: phase.name, summary: phase.summary });
  try {
    const evaluation = await evaluate(phase, request.config, world, {
      now,
      deferred: new Set(),
      planning: false,
      signal,
    });
    stopIfBlocked(phase.name, [evaluation]);
    if (evaluation.decision === 'deferred') {
      throw phasesError(
        'PHASES_UNREADABLE',
        `Cannot run ${phase.name} as something it needs cannot be told: ${evaluation.reason ?? 'unknown'}`,
      );
    }
    const artifacts = await perform(phase, evaluation, session);
    const durationMs = clock.monotonicMs() - start;
    report({ type: 'phase-finished', phase: phase.name, decision: evaluation.decision, durationMs });
    return { phase: phase.name, decision: evaluation.decision, durationMs, artifacts };
  } catch (error) {
    const known = isGroundplaneError(error);
    report({
      type: 'phase-failed',
      phase: phase.name,
      code: known ? error.code : 'INTERNAL',
      message: messageOf(error),
      durationMs: clock.monotonicMs() - start,
    });
    throw known
      ? error
      : new GroundplaneError('PHASES_INTERNAL', `Cannot finish ${phase.name}: ${messageOf(error)}`, {
          kind: 'internal',
          cause: error,
        });
  }
}

async function perform<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  session: Session<C>,
): Promise<PhaseResult['artifacts']> {
  const done: { artifact: string; location: string; action: ArtifactAction }[] = [];
  const note = async (artifact: Artifact<unknown>, action: ArtifactAction, bytes?: Uint8Array): Promise<void> => {
    const location = placeOf(session.world, artifact);
    done.push({ artifact: artifact.id, location, action });
    session.report({ type: 'artifact', phase: phase.name, artifact: artifact.id, location, action });
    if (action !== 'kept') await journal(phase, artifact, location, action, bytes, session);
  };
  const values = evaluation.request === undefined ? undefined : await answered(phase, evaluation, session);
  for (const output of evaluation.outputs) {
    if (output.action === 'removed') {
      await session.world.remove(output.artifact, phase.connect);
      await note(output.artifact, 'removed');
    } else if (output.action === 'kept') {
      await note(output.artifact, 'kept');
    } else if (output.action === 'created' || output.action === 'replaced' || output.action === 'extended') {
      await note(
        output.artifact,
        output.action,
        await session.world.store(output.artifact, output.value, phase.connect),
      );
    } else if (output.action === 'pending' && values !== undefined) {
      const value = values[output.key];
      if (value === undefined) continue;
      const action = output.existing.state === 'absent' ? 'created' : 'replaced';
      await note(output.artifact, action, await session.world.store(output.artifact, value, phase.connect));
    }
  }
  const worked = evaluation.decision !== 'keep' && evaluation.decision !== 'inapplicable';
  if (worked && phase.run !== undefined) await act(phase, evaluation, session, note);
  if (worked) await verifyAfter(phase, session);
  return done;
}

/** The values that the signer's answer completes. */
async function answered<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  session: Session<C>,
): Promise<Readonly<Record<string, unknown>>> {
  const pending = evaluation.request;
  if (pending === undefined) throw new TypeError(`Cannot complete '${phase.name}' as it asked for nothing`);
  if (!session.issued.has(phase.name)) await issueAhead(phase, pending.request, session);
  const ahead = session.issued.get(phase.name);
  const answer =
    ahead !== undefined && sameRequest(ahead.request, pending.request)
      ? ahead.answer
      : (await session.request.ports.signer.issue([pending.request]))[0];
  if (answer === undefined) throw new TypeError(`Cannot complete '${phase.name}' as the signer returned no answer`);
  const draft = draftOf(await pending.draft.complete(answer));
  if (draft.kind !== 'values') throw new TypeError(`Cannot complete '${phase.name}' as it asked the signer twice`);
  return draft.values;
}

/** Has this request issued together with those of all later phases whose inputs are there already, so that keys are made in parallel. */
async function issueAhead<C>(phase: AnyPhase<C>, request: SigningRequest, session: Session<C>): Promise<void> {
  const { planned, world, now, signal, issued } = session;
  const batch: { readonly name: string; readonly request: SigningRequest }[] = [{ name: phase.name, request }];
  const at = planned.findIndex((entry) => entry.phase === phase);
  const deferred = new Set<string>();
  planned.slice(at).forEach((entry) => {
    if (entry.phase === phase) for (const id of pendingOutputs(phase, entry.evaluation)) deferred.add(id);
  });
  for (const later of planned.slice(at + 1)) {
    if (later.phase.kind === 'pure' && later.phase.connect === undefined) {
      const evaluation = await evaluate(later.phase, session.request.config, world, {
        now,
        deferred,
        planning: true,
        signal,
      });
      if (evaluation.request !== undefined) batch.push({ name: later.phase.name, request: evaluation.request.request });
    }
    for (const id of pendingOutputs(later.phase, later.evaluation)) deferred.add(id);
  }
  const answers = await session.request.ports.signer.issue(batch.map((entry) => entry.request));
  batch.forEach((entry, index) => {
    const answer = answers[index];
    if (answer !== undefined) issued.set(entry.name, { request: entry.request, answer });
  });
}

function sameRequest(one: SigningRequest, other: SigningRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function act<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  session: Session<C>,
  note: (artifact: Artifact<unknown>, action: ArtifactAction, bytes?: Uint8Array) => Promise<void>,
): Promise<void> {
  const { request, world, now, report, signal } = session;
  const state = { config: request.config, now, ...evaluation.state };
  const capabilities: ErasedCapabilities = {
    ports: await guardedPorts(phase, world),
    signal,
    progress: (message) => report({ type: 'progress', phase: phase.name, message }),
    wait: waiter(phase.name, request.ports.clock, report, signal),
    write: async (key, value) => {
      const entry = { ...phase.writes, ...phase.amends }[key];
      if (entry === undefined)
        throw phasesError('PHASES_UNDECLARED', `Cannot write '${key}' as phase '${phase.name}' does not declare it`);
      const artifact = artifactOf(entry);
      const before = await world.load(artifact, phase.connect);
      await note(
        artifact,
        before.state === 'absent' ? 'created' : 'replaced',
        await world.store(artifact, value, phase.connect),
      );
    },
  };
  try {
    await phase.run?.(state, capabilities);
  } catch (error) {
    if (phase.undo !== undefined) {
      await phase.undo(state, capabilities);
      report({ type: 'phase-undone', phase: phase.name });
    }
    throw error;
  }
}

/** Reads back what the phase left and holds it to the phase's own verify. */
async function verifyAfter<C>(phase: AnyPhase<C>, session: Session<C>): Promise<void> {
  const { request, world, now, signal } = session;
  const state = {
    config: request.config,
    now,
    inputs: valuesOf(await loadMap(phase.reads, phase, world)),
    outputs: valuesOf(await loadMap({ ...phase.writes, ...phase.amends }, phase, world)),
  };
  const errors = errorsOf(await phase.verify(state, await readOnlyCapabilities(phase, world, { signal })));
  if (errors.length === 0) return;
  throw phasesError(
    'PHASES_VERIFY_FAILED',
    `Cannot go on as what ${phase.name} left does not verify: ${errors.map((finding) => finding.message).join('; ')}`,
    {
      findings: errors,
    },
  );
}

async function journal<C>(
  phase: AnyPhase<C>,
  artifact: Artifact<unknown>,
  location: string,
  action: ArtifactAction,
  bytes: Uint8Array | undefined,
  session: Session<C>,
): Promise<void> {
  const { request } = session;
  if (request.journal === undefined) return;
  await appendToJournal(request.ports.host.files, request.journal, {
    time: request.ports.clock.now().toISOString(),
    actor: request.actor,
    workflow: request.workflow.name,
    phase: phase.name,
    artifact: artifact.id,
    location,
    action,
    ...(bytes === undefined ? {} : { digest: await digestOf(bytes) }),
  });
}
