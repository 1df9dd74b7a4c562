import { GroundplaneError } from '@groundplane/errors';
import {
  type Event,
  type PhasePlan,
  type Plan,
  planWorkflow,
  type RunResult,
  runWorkflow,
  type Selection,
} from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { type InitContext, initWorkflow } from '../src/index.ts';

/** Plans phases of init. */
export function plan(ports: MemoryPorts, config: InitContext, selection: Selection = {}): Promise<Plan> {
  return planWorkflow({ workflow: initWorkflow, config, ports, selection });
}

/** Phase → decision. */
export async function decisions(
  ports: MemoryPorts,
  config: InitContext,
  selection: Selection = {},
): Promise<Readonly<Record<string, PhasePlan['decision']>>> {
  const { phases } = await plan(ports, config, selection);
  return Object.fromEntries(phases.map(({ phase, decision }) => [phase, decision]));
}

export interface Ran {
  readonly result?: RunResult;
  readonly error?: GroundplaneError;
  readonly events: readonly Event[];
  /** What was changed, in order: `write /etc/kubernetes/admin.conf`. */
  readonly changes: readonly string[];
}

/** Runs phases of init and gives back what was reported and changed, whether the run failed or not. */
export async function run(ports: MemoryPorts, config: InitContext, selection: Selection = {}): Promise<Ran> {
  const events: Event[] = [];
  const before = ports.memory.writes.length;
  const changes = () => ports.memory.writes.slice(before).map(({ action, location }) => `${action} ${location}`);
  const report = (event: Event) => void events.push(event);
  try {
    const result = await runWorkflow({ workflow: initWorkflow, config, ports, selection, report, actor: 'test' });
    return { result, events, changes: changes() };
  } catch (error) {
    if (!(error instanceof GroundplaneError)) throw error;
    return { error, events, changes: changes() };
  }
}
