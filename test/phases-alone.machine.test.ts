import {
  bootstrapCluster,
  collected,
  createMachine,
  initConfigPath,
  type Machine,
  type RunOn,
} from '@groundplane/testbed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClusterObjects, clusterObjects } from './cluster-objects.ts';
import { objectDifferences } from './object-differences.ts';

/** The same cluster twice: by `init`, and phase by phase, each in a process of its own. */

const machines: Machine[] = [];
const program = 'groundplane';

afterAll(async () => {
  for (const machine of machines) await machine.delete();
}, 120_000);

async function madeBy(name: string, run?: RunOn): Promise<ClusterObjects> {
  const machine = await createMachine({ name });
  machines.push(machine);
  return clusterObjects(await bootstrapCluster({ controlPlane: machine, tool: program, ...(run && { run }) }));
}

/** Runs the phases of init instead of it. @returns what the last one printed, with the join command in it */
const alone: RunOn = async (machine, [, , ...args]) => {
  const list = JSON.parse(await collected(machine, [program, 'phases', 'list', '-o', 'json'])) as {
    readonly phases: readonly { readonly phase: string; readonly hidden: boolean }[];
  };
  const phases = list.phases.filter(({ hidden }) => !hidden).map(({ phase }) => phase);
  expect(phases.length).toBeGreaterThan(28);
  let printed = '';
  for (const phase of phases) {
    const words = phase === 'preflight' ? args : ['--config', initConfigPath];
    printed = await collected(machine, [program, 'init', 'phase', ...phase.split('/'), ...words]);
  }
  return printed;
};

let theirs: ClusterObjects;
let ours: ClusterObjects;
beforeAll(async () => {
  theirs = await madeBy('alone-whole');
  ours = await madeBy('alone-phases', alone);
}, 600_000);

it('each phase in its own process, in order, makes the same cluster as init', () => {
  expect(theirs.size).toBeGreaterThan(200);
  expect(objectDifferences(ours, theirs)).toEqual([]);
});
