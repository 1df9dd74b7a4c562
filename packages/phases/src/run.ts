import { errorsOf, isGroundplaneError, messageOf } from '@groundplane/errors';
import { announceKeys } from './announce-keys.ts';
import { phasesError } from './error-codes.ts';
import { evaluate } from './evaluate.ts';
import { evaluateSelection } from './evaluate-selection.ts';
import type { Evaluation } from './evaluation.ts';
import type { ArtifactAction, Decision, Product, Report } from './events.ts';
import type { JournalUser } from './journal.ts';
import { perform } from './perform.ts';
import type { AnyPhase } from './phase.ts';
import type { WorkflowRequest } from './plan.ts';
import { planningWorld } from './planning-world.ts';
import type { Clock } from './ports.ts';
import { requireRequest } from './require-arguments.ts';
import { createSession, findingKey, type Session } from './session.ts';
import { lookUntilStopped } from './stopping.ts';
import { worldOfTurn } from './turn-world.ts';

export interface RunRequest<C> extends WorkflowRequest<C> {
  readonly report?: Report;
  /** Who runs it, for the journal: `groundplane 0.1.0 (pid 12)`. */
  readonly actor: string;
  /** The user who called that program, for the journal. */
  readonly user?: JournalUser;
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
  /** What the phases handed back, in order. */
  readonly results: readonly Product[];
}

/**
 * Plans the selection, stops before the first write if anything is in conflict, then runs phase after phase.
 *
 * @throws GroundplaneError PHASES_CONFLICT or PHASES_EXTERNAL (nothing was written), PHASES_WAIT_TIMEOUT, PHASES_VERIFY_FAILED,
 * PHASES_UNREADABLE, PHASES_ABORTED, and what the ports throw
 */
export async function runWorkflow<C>(request: RunRequest<C>): Promise<RunResult> {
  requireRequest(request);
  const { clock } = request.ports;
  const start = clock.monotonicMs();
  const now = clock.now();
  const planned = await lookUntilStopped(`run ${titleOf(request)}`, request, (ports) =>
    evaluateSelection(request, planningWorld(request.workflow, request.config, ports), { now }),
  );
  const session = createSession(request, planned, now);
  const { report } = session;
  for (const { phase, evaluation } of planned) session.reportFindings(phase.name, evaluation.findings);
  stopIfBlocked(
    titleOf(request),
    planned.map(({ evaluation }) => evaluation),
  );

  announceKeys(planned, { config: request.config, signer: request.ports.signer });
  report({ type: 'workflow-started', workflow: request.workflow.name, phases: planned.map(({ phase }) => phase.name) });
  const phases: PhaseResult[] = [];
  for (const { phase } of planned) phases.push(await runPhase(phase, sessionOfTurn(phase, session)));
  const durationMs = since(start, clock);
  report({ type: 'workflow-finished', workflow: request.workflow.name, durationMs });
  return { workflow: request.workflow.name, durationMs, phases, results: session.results };
}

/** Whole milliseconds. */
function since(start: number, clock: Clock): number {
  return Math.round(clock.monotonicMs() - start);
}

/** An effect that writes by itself changes what the engine does not see. */
function sessionOfTurn<C>(phase: AnyPhase<C>, session: Session<C>): Session<C> {
  return phase.render === undefined ? session : { ...session, world: worldOfTurn(session.world) };
}

/** What is run, for messages: the workflow, or those of its phases that were asked for. */
function titleOf<C>({ workflow, selection }: RunRequest<C>): string {
  const only = selection?.only ?? [];
  return only.length === 0 ? workflow.name : `${only.join(', ')} of ${workflow.name}`;
}

/** @throws GroundplaneError with all error findings of the evaluations that block */
function stopIfBlocked(title: string, evaluations: readonly Evaluation[]): void {
  const blocked = evaluations.filter(({ decision }) => decision === 'conflict' || decision === 'external');
  if (blocked.length === 0) return;
  const all = blocked.flatMap((evaluation) => errorsOf(evaluation.findings));
  const findings = [...new Map(all.map((finding) => [findingKey(finding), finding])).values()];
  const code = blocked.every(({ decision }) => decision === 'external') ? 'PHASES_EXTERNAL' : 'PHASES_CONFLICT';
  throw phasesError(code, `Cannot run ${title}: ${findings.map((finding) => finding.message).join('; ')}`, {
    findings,
    hint: [...new Set(findings.flatMap((finding) => finding.hint ?? []))].join('\n'),
  });
}

async function runPhase<C>(phase: AnyPhase<C>, session: Session<C>): Promise<PhaseResult> {
  const { report, world, signal, request, now } = session;
  const { clock } = request.ports;
  const start = clock.monotonicMs();
  if (signal.aborted) throw phasesError('PHASES_ABORTED', `Cannot run ${phase.name} as the run was told to stop`);
  try {
    report({ type: 'phase-started', phase: phase.name, summary: phase.summary });
    const evaluation = await evaluate(phase, request.config, world, {
      now,
      deferred: new Set(),
      planning: false,
      signal,
    });
    session.reportFindings(phase.name, evaluation.findings);
    stopIfBlocked(phase.name, [evaluation]);
    if (evaluation.decision === 'deferred') {
      throw phasesError(
        'PHASES_UNREADABLE',
        `Cannot run ${phase.name} as something it needs cannot be told: ${evaluation.reason ?? 'unknown'}`,
      );
    }
    const artifacts = await perform(phase, evaluation, session);
    session.requireNothingLeft();
    const durationMs = since(start, clock);
    report({ type: 'phase-finished', phase: phase.name, decision: evaluation.decision, durationMs });
    return { phase: phase.name, decision: evaluation.decision, durationMs, artifacts };
  } catch (error) {
    const failure = isGroundplaneError(error)
      ? error
      : phasesError('PHASES_INTERNAL', `Cannot finish ${phase.name}: ${messageOf(error)}`, { cause: error });
    session.tell({
      type: 'phase-failed',
      phase: phase.name,
      code: failure.code,
      message: failure.message,
      durationMs: since(start, clock),
    });
    throw failure;
  }
}
