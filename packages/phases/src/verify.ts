import type { Finding } from '@groundplane/errors';
import { inspectPhase } from './inspect.ts';
import type { WorkflowRequest } from './plan.ts';
import { planningWorld } from './planning-world.ts';
import { selectPhases } from './selection.ts';

export interface PhaseVerdict {
  readonly phase: string;
  readonly findings: readonly Finding[];
}

/** Holds what is there to the verify of every selected phase, whoever made it. Changes nothing. */
export async function verifyWorkflow<C>(request: WorkflowRequest<C>): Promise<readonly PhaseVerdict[]> {
  const { workflow, config, ports } = request;
  const world = planningWorld(workflow, config, ports);
  const options = { now: ports.clock.now(), signal: request.signal ?? new AbortController().signal };
  const verdicts: PhaseVerdict[] = [];
  for (const phase of selectPhases(workflow, request.selection)) {
    if (phase.inapplicable(config) !== undefined) continue;
    const { findings } = await inspectPhase(phase, config, world, options);
    verdicts.push({ phase: phase.name, findings });
  }
  return verdicts;
}
