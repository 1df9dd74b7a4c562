import { type Finding, hasErrors } from '@groundplane/errors';
import { inspectPhase } from './inspect.ts';
import type { Unseen } from './phase.ts';
import type { WorkflowRequest } from './plan.ts';
import { planningWorld } from './planning-world.ts';
import { selectPhases } from './selection.ts';

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

/** Holds what is there to the verify of every selected phase, whoever made it. Changes nothing. */
export async function verifyWorkflow<C>(request: WorkflowRequest<C>): Promise<readonly PhaseVerdict[]> {
  const { workflow, config, ports } = request;
  const world = planningWorld(workflow, config, ports);
  const signal = request.signal ?? new AbortController().signal;
  const options = { now: ports.clock.now(), signal, looking: true };
  const verdicts: PhaseVerdict[] = [];
  for (const phase of selectPhases(workflow, request.selection)) {
    const { name, summary } = phase;
    const reason = phase.inapplicable(config);
    if (reason !== undefined) {
      verdicts.push({ phase: name, summary, verdict: 'inapplicable', reason, findings: [], unseen: [] });
      continue;
    }
    const { findings, unseen } = await inspectPhase(phase, config, world, options);
    const verdict = hasErrors(findings) ? 'invalid' : unseen.length > 0 ? 'unknown' : 'valid';
    verdicts.push({ phase: name, summary, verdict, findings, unseen });
  }
  return verdicts;
}
