import { GroundplaneError } from '@groundplane/errors';
import { type Event, type PhasePlan, planWorkflow, runWorkflow, type Selection } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { type JoinContext, joinWorkflow } from '../src/index.ts';
import type { Ran } from './init-run.ts';

/** Phase → decision. */
export async function joinDecisions(
  ports: MemoryPorts,
  config: JoinContext,
): Promise<Readonly<Record<string, PhasePlan['decision']>>> {
  const { phases } = await planWorkflow({ workflow: joinWorkflow, config, ports });
  return Object.fromEntries(phases.map(({ phase, decision }) => [phase, decision]));
}

/** Runs phases of join and gives back what was reported and changed, whether the run failed or not. */
export async function runJoin(ports: MemoryPorts, config: JoinContext, selection: Selection = {}): Promise<Ran> {
  const events: Event[] = [];
  const before = ports.memory.writes.length;
  const changes = () => ports.memory.writes.slice(before).map(({ action, location }) => `${action} ${location}`);
  const report = (event: Event) => void events.push(event);
  try {
    const result = await runWorkflow({ workflow: joinWorkflow, config, ports, selection, report, actor: 'test' });
    return { result, events, changes: changes() };
  } catch (error) {
    if (!(error instanceof GroundplaneError)) throw error;
    return { error, events, changes: changes() };
  }
}
