import { type Finding, hasErrors, warningsOf } from '@groundplane/errors';
import { inspectPhase } from './inspect.ts';
import { lookingWorld } from './looking-world.ts';
import type { Unseen } from './phase.ts';
import type { WorkflowRequest } from './plan.ts';
import { requireRequest } from './require-arguments.ts';
import { selectPhases } from './selection.ts';
import { type PhaseStatus, statusOfInspected } from './status.ts';
import { lookUntilStopped, signalOf } from './stopping.ts';

export interface PhaseVerdict {
  readonly phase: string;
  readonly summary: string;
  /** `invalid` there are errors · `unknown` there are none, but not all could be looked at · `inapplicable` the configuration does not ask for it. */
  readonly verdict: 'valid' | 'invalid' | 'unknown' | 'inapplicable';
  /** Why it is inapplicable. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  /** What could not be looked at, and why: no rights, no answer. */
  readonly unseen: readonly Unseen[];
}

export interface VerifyRequest<C> extends WorkflowRequest<C> {
  /**
   * Why a verdict that is not good is none, as it goes by what nobody knows: then it is unknown.
   *
   * @param status how far the phase is by the same look
   */
  readonly doubt?: ((status: PhaseStatus) => Promise<string | undefined>) | undefined;
}

/**
 * Holds what is there to the verify of every selected phase, whoever made it. Changes nothing.
 *
 * @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts, PHASES_UNKNOWN_PHASE; TypeError for arguments of other types
 */
export async function verifyWorkflow<C>(request: VerifyRequest<C>): Promise<readonly PhaseVerdict[]> {
  requireRequest(request);
  return lookUntilStopped(`verify ${request.workflow.name}`, request, (ports) => verdictsOf({ ...request, ports }));
}

async function verdictsOf<C>(request: VerifyRequest<C>): Promise<readonly PhaseVerdict[]> {
  const { workflow, config, ports } = request;
  const world = lookingWorld(request);
  const options = { now: ports.clock.now(), signal: signalOf(request), looking: true };
  const verdicts: PhaseVerdict[] = [];
  for (const phase of selectPhases(workflow, request.selection)) {
    const { name, summary } = phase;
    const reason = phase.inapplicable(config);
    if (reason !== undefined) {
      verdicts.push({ phase: name, summary, verdict: 'inapplicable', reason, findings: [], unseen: [] });
      continue;
    }
    const looked = await inspectPhase(phase, config, world, options);
    const { findings, unseen } = looked;
    const doubt =
      request.doubt !== undefined && hasErrors(findings)
        ? await request.doubt(await statusOfInspected(phase, looked, { request, world }))
        : undefined;
    if (doubt !== undefined) {
      const doubted = { artifact: name, location: name, reason: doubt };
      const rest = { findings: warningsOf(findings), unseen: [...unseen, doubted] };
      verdicts.push({ phase: name, summary, verdict: 'unknown', ...rest });
      continue;
    }
    const verdict = hasErrors(findings) ? 'invalid' : unseen.length > 0 ? 'unknown' : 'valid';
    verdicts.push({ phase: name, summary, verdict, findings, unseen });
  }
  return verdicts;
}
