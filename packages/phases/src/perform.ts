import { errorsOf, type Finding, messageOf } from '@groundplane/errors';
import { type Artifact, artifactOf } from './artifact.ts';
import { leftoverFinding } from './artifact-findings.ts';
import { unavailability } from './capabilities.ts';
import { outputsOf } from './declarations.ts';
import { engineFindings, phasesError } from './error-codes.ts';
import { isSatisfied } from './evaluate-outputs.ts';
import type { Evaluation, OutputPlan } from './evaluation.ts';
import type { ArtifactAction } from './events.ts';
import { guardedPorts } from './guarded-ports.ts';
import { inspectPhase } from './inspect.ts';
import { issuedValues } from './issue-ahead.ts';
import { digestOf } from './journal.ts';
import { sparingJudged } from './judged-answer.ts';
import { observedPorts } from './observed-ports.ts';
import type { AnyPhase, ErasedCapabilities } from './phase.ts';
import type { Leftover } from './ports.ts';
import type { Session } from './session.ts';
import { namedSigner } from './signer-answer.ts';
import { waiter } from './wait.ts';
import { placeOf, type World } from './world.ts';

/** What was done to one artifact. */
export interface PerformedArtifact {
  readonly artifact: string;
  readonly location: string;
  readonly action: ArtifactAction;
}

/** @param by who certified it, if it is somebody else */
type Note = (
  artifact: Artifact<unknown>,
  action: ArtifactAction,
  bytes?: Uint8Array,
  by?: { readonly signer?: string },
) => Promise<void>;

/**
 * Does what was decided: writes the outputs, lets an effect act, removes what is to go, and holds the result to the phase's verify.
 * Removals come last, as what is removed may be needed until the phase has done its work.
 */
export async function perform<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  session: Session<C>,
): Promise<readonly PerformedArtifact[]> {
  const { world } = session;
  const done: PerformedArtifact[] = [];
  const note: Note = async (artifact, action, bytes, by) => {
    const location = placeOf(world, artifact);
    done.push({ artifact: artifact.id, location, action });
    session.report({ type: 'artifact', phase: phase.name, artifact: artifact.id, location, action });
    if (action !== 'kept') await writeJournal(phase, { artifact, location, action, bytes, ...by }, session);
  };
  const { request: pending, state } = evaluation;
  const bySigner = namedSigner(pending?.request, session.request.ports.signer);
  const issued = pending && (await issuedValues(phase, { pending, state }, session));
  for (const output of keysFirst(evaluation.outputs)) {
    const { artifact } = output;
    const step = stepFor(output, issued?.values);
    if (step === 'kept') await note(artifact, 'kept');
    else if (step !== undefined) {
      const { bytes } = await world.store(artifact, step.value, phase.connect);
      await note(
        artifact,
        step.action,
        bytes,
        output.action === 'pending' && step.value !== issued?.key ? bySigner : {},
      );
    }
  }
  if (evaluation.acts) await act(phase, evaluation, session, note);
  for (const output of evaluation.outputs.filter(({ action }) => action === 'removed')) {
    if (await removeOutput(output, phase, session)) await note(output.artifact, 'removed');
  }
  if (evaluation.decision !== 'keep' && evaluation.decision !== 'inapplicable')
    await verifyAfter(sparingJudged(phase, issued?.judged), session);
  return done;
}

/**
 * Secrets before what was made from them: a certificate without its key could not be completed after a kill, a key without its
 * certificate can.
 */
function keysFirst(outputs: readonly OutputPlan[]): readonly OutputPlan[] {
  return outputs.toSorted(
    (one, other) => Number(other.artifact.secret ?? false) - Number(one.artifact.secret ?? false),
  );
}

function stepFor(
  output: OutputPlan,
  issued: Readonly<Record<string, unknown>> | undefined,
): 'kept' | { readonly action: ArtifactAction; readonly value: unknown } | undefined {
  switch (output.action) {
    case 'kept':
      return 'kept';
    case 'created':
    case 'replaced':
    case 'extended':
      return { action: output.action, value: output.value };
    case 'pending': {
      const value = issued?.[output.key];
      if (value === undefined) return undefined;
      return { action: output.existing.state === 'absent' ? 'created' : 'replaced', value };
    }
    default:
      return undefined;
  }
}

async function act<C>(phase: AnyPhase<C>, evaluation: Evaluation, session: Session<C>, note: Note): Promise<void> {
  const { request, now } = session;
  const state = { config: request.config, now, ...evaluation.state };
  const writer =
    (world: World): ErasedCapabilities['write'] =>
    async (key, value) => {
      const entry = outputsOf(phase)[key];
      if (entry === undefined)
        throw phasesError('PHASES_UNDECLARED', `Cannot write '${key}' as phase '${phase.name}' does not declare it`);
      const artifact = artifactOf(entry);
      const before = await world.load(artifact, phase.connect);
      if (before.state === 'present' && isSatisfied(artifact, value, before)) return note(artifact, 'kept');
      const action = before.state === 'absent' ? 'created' : 'replaced';
      await note(artifact, action, (await world.store(artifact, value, phase.connect)).bytes);
    };
  const capabilities = async (of: Session<C>): Promise<ErasedCapabilities> => ({
    ports: observedPorts(await guardedPorts(phase, of.world, 'read-write'), {
      phase,
      world: of.world,
      since: now,
      note: ({ artifact, location, action, bytes }) => writeJournal(phase, { artifact, location, action, bytes }, of),
    }),
    signal: of.signal,
    progress: (message) => of.report({ type: 'progress', phase: phase.name, message }),
    finding: (finding) => of.reportFindings(phase.name, [finding]),
    result: (name, value, options) => of.handBack({ phase: phase.name, name, value, ...options }),
    wait: waiter(phase.name, { clock: of.world.ports.clock, report: of.report, signal: of.signal }),
    write: writer(of.world),
  });
  const own = await capabilities(session);
  try {
    await phase.run?.(state, own);
    session.requireNothingLeft();
  } catch (error) {
    if (phase.undo === undefined) throw error;
    try {
      await phase.undo(state, await capabilities(session.undoing()));
      session.tell({ type: 'phase-undone', phase: phase.name });
    } catch (second) {
      const message = `Cannot undo ${phase.name}: ${messageOf(second)}`;
      session.tell({ type: 'progress', phase: phase.name, message });
    }
    throw error;
  }
}

/** @returns false if something of it is still there, which was told */
async function removeOutput<C>(output: OutputPlan, phase: AnyPhase<C>, session: Session<C>): Promise<boolean> {
  let leftovers: readonly Leftover[];
  try {
    leftovers = await session.world.remove(output.artifact, phase.connect);
  } catch (thrown) {
    if (!phase.bestEffort) throw thrown;
    leftovers = [{ path: output.location, reason: unavailability(thrown) }];
  }
  if (leftovers.length === 0) return true;
  const finding = leftoverFinding(output.location, leftovers);
  if (!phase.bestEffort) throw phasesError('PHASES_REMOVAL_INCOMPLETE', finding.message, { findings: [finding] });
  session.reportFindings(phase.name, [{ ...finding, severity: 'warning' }]);
  return false;
}

/** Reads back what the phase left and holds it to the phase's own verify. */
async function verifyAfter<C>(phase: AnyPhase<C>, session: Session<C>): Promise<void> {
  const { request, world, now, signal } = session;
  const inspection = await inspectPhase(phase, request.config, world, { now, signal });
  const findings = phase.bestEffort
    ? inspection.findings.map((finding): Finding => ({ ...finding, severity: 'warning' }))
    : inspection.findings;
  session.reportFindings(phase.name, findings);
  const errors = errorsOf(findings);
  if (errors.length === 0) return;
  throw phasesError(
    'PHASES_VERIFY_FAILED',
    `Cannot go on as what ${phase.name} left does not verify: ${errors.map((finding) => finding.message).join('; ')}`,
    { findings: errors },
  );
}

/** Secrets with a lifetime are tokens, or hold some: whoever has a digest of one could try all that it may be. */
function isGuessable({ secret, policy }: Artifact<unknown>): boolean {
  return secret === true && policy === 'ephemeral';
}

interface JournalNote extends Omit<PerformedArtifact, 'artifact'> {
  readonly artifact: Artifact<unknown>;
  readonly bytes?: Uint8Array | undefined;
  readonly signer?: string;
}

async function writeJournal<C>(
  phase: AnyPhase<C>,
  { artifact, location, action, bytes, signer }: JournalNote,
  session: Session<C>,
): Promise<void> {
  const { request, journal } = session;
  const { ports, actor, user, workflow } = request;
  if (journal === undefined) return;
  const entry = {
    time: ports.clock.now().toISOString(),
    actor,
    ...(user === undefined ? {} : { user }),
    workflow: workflow.name,
    phase: phase.name,
    artifact: artifact.id,
    location,
    action,
    ...(bytes === undefined || isGuessable(artifact) ? {} : { digest: await digestOf(bytes) }),
    ...(signer === undefined ? {} : { signer }),
  };
  try {
    await journal.append(entry);
  } catch (error) {
    session.reportFindings(phase.name, [
      {
        code: engineFindings.journal,
        severity: 'warning',
        artifact: request.journal ?? '',
        message: `Cannot write to the journal ${request.journal}: ${messageOf(error)}`,
      },
    ]);
  }
}
