import { withObstacles } from './obstacles.ts';
import type { SuppliedPorts } from './ports.ts';
import { withRememberedLoads } from './remembered-loads.ts';
import type { Workflow } from './workflow.ts';
import { createWorld, type World } from './world.ts';

/** How long planning waits for an API server that does not answer, in milliseconds. */
const apiTimeoutMs = 2_000;

/** The world as it is while a plan is made: nothing is changed, so one moment's picture of it will do. */
export function planningWorld<C>(workflow: Workflow<C>, config: C, ports: SuppliedPorts): World {
  return withRememberedLoads(presentWorld(workflow, config, ports));
}

/** The same, looked at anew by each question. */
export function presentWorld<C>(workflow: Workflow<C>, config: C, ports: SuppliedPorts): World {
  return withObstacles(createWorld(workflow, config, ports, { apiTimeoutMs }));
}
