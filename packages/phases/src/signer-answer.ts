import { type Finding, isGroundplaneError, messageOf } from '@groundplane/errors';
import type { Artifact } from './artifact.ts';
import { phasesError } from './error-codes.ts';
import type { Issued, Signer, SigningRequest } from './signer-port.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Asks a signer, whatever it is: one that throws, or gives what is no list of promises, has given answers that fail. None of them is an
 * unhandled rejection, as the turn of its phase may never come.
 */
export function askSigner(signer: Signer, requests: readonly SigningRequest[]): readonly Promise<Issued>[] {
  let answers: unknown;
  try {
    answers = signer.issue(requests);
  } catch (error) {
    answers = requests.map(() => Promise.reject(error));
  }
  if (!Array.isArray(answers)) {
    // A promise for all of them is a mistake that is easily made.
    Promise.resolve(answers).catch(() => {});
    answers = [];
  }
  return requests.map(({ name }, index) => {
    const answer = Promise.resolve((answers as readonly unknown[])[index]).then((issued) => answerOf(name, issued));
    answer.catch(() => {});
    return answer;
  });
}

/** Who certifies what is asked for, where that is not this program itself; keys alone nobody else makes. */
export function namedSigner(request: SigningRequest | undefined, { name }: Signer): { readonly signer?: string } {
  return request?.certificate === undefined || name === undefined ? {} : { signer: name };
}

function answerOf(name: string, answer: unknown): Issued {
  const { key, certificate } = (answer ?? {}) as Partial<Issued>;
  if (typeof key === 'string' && (certificate === undefined || typeof certificate === 'string'))
    return answer as Issued;
  throw signerError(name, 'the signer gave no answer that holds a key');
}

/** @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts: a signer knows nothing of it, and may take for ever */
export async function answerUntil<T>(answer: Promise<T>, signal: AbortSignal, name: string): Promise<T> {
  try {
    return await untilStopped(signal, () => answer);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    throw phasesError('PHASES_ABORTED', `Cannot go on waiting for the signer's ${name} as the run was told to stop`);
  }
}

/**
 * Holds a value that comes from a signer to the format of its artifact before it is stored, where it would stand in the way of the next run.
 *
 * @returns the value as a later reader finds it
 * @throws GroundplaneError PHASES_SIGNER_ANSWER
 */
export function storable(phase: string, artifact: Artifact<unknown>, value: unknown): unknown {
  try {
    return artifact.format.parse(artifact.format.serialize(value));
  } catch (error) {
    throw signerError(phase, `the signer's answer is no ${artifact.format.name}: ${messageOf(error)}`, error);
  }
}

/** What the phase makes of the answer fails where that is not what it says it is. */
export function unusableAnswer(phase: string, error: unknown): unknown {
  return isGroundplaneError(error)
    ? error
    : signerError(phase, `the signer's answer cannot be used: ${messageOf(error)}`, error);
}

interface RefusedAnswer {
  /** How messages call it, if it has a name. */
  readonly signer: string | undefined;
  readonly errors: readonly Finding[];
  /** What was asked, as sentences. */
  readonly demands: readonly string[];
}

/** What the phase makes of the answer is not what it asks of its artifacts. How to mend a file that is there is of no use: there is none. */
export function refusedAnswer(phase: string, { signer, errors, demands }: RefusedAnswer): Error {
  const called = signer === undefined ? 'the signer' : `the signer '${signer}'`;
  const messages = errors.map(({ message }) => message).join('; ');
  const asked = demands.length === 0 ? '' : `; what is asked: ${demands.join('; ')}`;
  return phasesError(
    'PHASES_SIGNER_ANSWER',
    `Cannot go on with ${phase} as the answer of ${called} is not what was asked of it: ${messages}${asked}`,
    { hint: nothingWritten, findings: errors.map(({ hint: _, ...finding }) => ({ ...finding, hint: nothingWritten })) },
  );
}

const nothingWritten = 'Nothing of it was written; run it again when the signer is in order';

function signerError(name: string, why: string, cause?: unknown) {
  return phasesError('PHASES_SIGNER_ANSWER', `Cannot go on with ${name} as ${why}`, {
    hint: nothingWritten,
    ...(cause === undefined ? {} : { cause }),
  });
}
