import { errorsOf, type Finding } from '@groundplane/errors';
import { noCapabilities } from './capabilities.ts';
import type { AnyPhase } from './phase.ts';
import type { Clock } from './ports.ts';
import type { Session } from './session.ts';
import { refusedAnswer } from './signer-answer.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a phase's verify says about what a signer's answer makes of its outputs. */
export interface JudgedAnswer {
  readonly inputs: Values;
  readonly outputs: Values;
  readonly findings: readonly Finding[];
}

/** How far the clock of a signer may be ahead, in milliseconds. */
const clockSkewMs = 60_000;

/** By which time an answer of a signer is judged: it may begin with the moment in which it was signed, by a clock that is ahead of this one. */
export function momentOfAnswer(clock: Pick<Clock, 'now'>): Date {
  return new Date(clock.now().getTime() + clockSkewMs);
}

/**
 * Holds what a signer's answer makes of the outputs to the phase's own verify before any of it is written.
 *
 * @throws GroundplaneError PHASES_SIGNER_ANSWER with its errors as findings, and what was asked
 */
export async function judgeAnswer<C>(
  phase: AnyPhase<C>,
  { inputs, outputs }: Omit<JudgedAnswer, 'findings'>,
  { request: { config, ports }, signal }: Session<C>,
): Promise<JudgedAnswer> {
  const now = momentOfAnswer(ports.clock);
  const findings = await phase.verify({ config, now, inputs, outputs }, noCapabilities({ signal }));
  const errors = errorsOf(findings);
  if (errors.length === 0) return { inputs, outputs, findings };
  const codes = new Set(errors.map(({ code }) => code));
  const demands = Object.values(await phase.demands(config)).flatMap((all) => all ?? []);
  const asked = demands.filter(({ code, severity }) => severity === 'error' && code !== undefined && codes.has(code));
  const signer = ports.signer.name;
  throw refusedAnswer(phase.name, { signer, errors, demands: [...new Set(asked.map(({ text }) => text))] });
}

/** The phase whose verify is not asked again about what it was asked about already: what was read back is what was judged. */
export function sparingJudged<C>(phase: AnyPhase<C>, judged: JudgedAnswer | undefined): AnyPhase<C> {
  if (judged === undefined) return phase;
  return {
    ...phase,
    verify: async (state, capabilities) =>
      isSame(state.inputs, judged.inputs) && isSame(state.outputs, judged.outputs)
        ? judged.findings
        : phase.verify(state, capabilities),
  };
}

/** Texts are compared as such; of anything else only what is the same object is. */
function isSame(one: Values, other: Values): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => Object.is(one[key], other[key]));
}
