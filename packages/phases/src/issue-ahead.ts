import { artifactOf } from './artifact.ts';
import { needsOf, outputsOf } from './declarations.ts';
import { evaluate } from './evaluate.ts';
import { pendingOutputs } from './evaluate-selection.ts';
import type { Evaluation } from './evaluation.ts';
import { type JudgedAnswer, judgeAnswer } from './judged-answer.ts';
import { type AnyPhase, draftOf } from './phase.ts';
import type { SigningRequest } from './ports.ts';
import { withRememberedLoads } from './remembered-loads.ts';
import type { Session } from './session.ts';
import { answerUntil, askSigner, storable, unusableAnswer } from './signer-answer.ts';

/** What the signer's answer completes. */
export interface IssuedValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** The key of the answer, as it is. Secret. */
  readonly key: string;
  /** Absent for an effect, whose verify is about more than what it writes. */
  readonly judged?: JudgedAnswer;
}

/**
 * The values that the signer's answer completes, held to what the phase asks of them.
 *
 * @throws GroundplaneError PHASES_SIGNER_ANSWER
 */
export async function issuedValues<C>(
  phase: AnyPhase<C>,
  { pending, state }: { readonly pending: NonNullable<Evaluation['request']>; readonly state: Evaluation['state'] },
  session: Session<C>,
): Promise<IssuedValues> {
  if (!session.issued.has(phase.name)) await issueAhead(phase, pending.request, session);
  const ahead = session.issued.get(phase.name);
  const isAhead = ahead !== undefined && sameRequest(ahead.request, pending.request);
  const asked = isAhead ? ahead.answer : askSigner(session.request.ports.signer, [pending.request])[0];
  if (asked === undefined) throw new TypeError(`Cannot complete '${phase.name}' as nothing was asked for`);
  const answer = await answerUntil(asked, session.signal, pending.request.name);
  session.reportFindings(phase.name, answer.remarks ?? []);
  let draft: ReturnType<typeof draftOf>;
  try {
    draft = draftOf(await pending.draft.complete(answer), phase.name);
  } catch (error) {
    throw unusableAnswer(phase.name, error);
  }
  if (draft.kind !== 'values') throw new TypeError(`Cannot complete '${phase.name}' as it asked the signer twice`);
  const { values } = draft;
  const outputs: Record<string, unknown> = { ...state.outputs };
  for (const [key, entry] of Object.entries(outputsOf(phase))) {
    const value = values[key];
    if (value !== undefined) outputs[key] = storable(phase.name, artifactOf(entry), value);
  }
  const { key } = answer;
  if (phase.kind === 'effect') return { values, key };
  return { values, key, judged: await judgeAnswer(phase, { inputs: state.inputs, outputs }, session) };
}

/**
 * Has this request issued together with those of all later phases whose inputs are there already: keys are made in parallel, and while
 * later ones are made, the phases of earlier ones go on.
 */
async function issueAhead<C>(phase: AnyPhase<C>, request: SigningRequest, session: Session<C>): Promise<void> {
  const { planned, now, signal, issued } = session;
  const world = withRememberedLoads(session.world);
  const batch: { readonly name: string; readonly request: SigningRequest }[] = [{ name: phase.name, request }];
  const at = planned.findIndex((entry) => entry.phase === phase);
  const deferred = new Set(planned.slice(at, at + 1).flatMap((entry) => pendingOutputs(phase, entry.evaluation)));
  for (const later of planned.slice(at + 1)) {
    let { evaluation } = later;
    const isReady = needsOf(later.phase).every((need) => !deferred.has(artifactOf(need).id));
    // Of the others the plan says the request already, or that there is none.
    if (evaluation.decision === 'deferred' && isReady && isOfFiles(later.phase)) {
      const options = { now, deferred, planning: true, signal };
      evaluation = await evaluate(later.phase, session.request.config, world, options);
    }
    if (evaluation.request !== undefined && isOfFiles(later.phase) && !issued.has(later.phase.name)) {
      batch.push({ name: later.phase.name, request: evaluation.request.request });
    }
    for (const id of pendingOutputs(later.phase, evaluation)) deferred.add(id);
  }
  const answers = askSigner(
    session.request.ports.signer,
    batch.map((entry) => entry.request),
  );
  batch.forEach((entry, index) => {
    const answer = answers[index];
    if (answer !== undefined) issued.set(entry.name, { request: entry.request, answer });
  });
}

function isOfFiles<C>(phase: AnyPhase<C>): boolean {
  return phase.kind === 'pure' && phase.connect === undefined;
}

function sameRequest(one: SigningRequest, other: SigningRequest): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
