import {
  createMachine,
  initConfigPath,
  installGroundplane,
  joinArgumentsIn,
  kubectlOutput,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
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

/** @returns what was printed at the end, with the join command in it */
type Bootstrap = (machine: Machine, args: readonly string[]) => Promise<string>;

async function madeBy(name: string, bootstrap: Bootstrap): Promise<ClusterObjects> {
  const machine = await createMachine({ name });
  machines.push(machine);
  await installGroundplane(machine);
  const printed = await bootstrap(machine, await prepareInit(machine));
  await waitUntilReady(machine);
  const cluster = {
    controlPlane: machine,
    workers: [],
    joinArguments: joinArgumentsIn(printed),
    kubectl: (args: readonly string[]) => kubectlOutput(machine, args),
  };
  return clusterObjects(cluster);
}

const whole: Bootstrap = async (machine, args) => (await succeeding(machine, [program, 'init', ...args])).stdout;

const alone: Bootstrap = async (machine, args) => {
  const { stdout } = await succeeding(machine, [program, 'phases', 'list', '-o', 'json']);
  const list = JSON.parse(stdout) as {
    readonly phases: readonly { readonly phase: string; readonly hidden: boolean }[];
  };
  const phases = list.phases.filter(({ hidden }) => !hidden).map(({ phase }) => phase);
  expect(phases.length).toBeGreaterThan(28);
  let printed = '';
  for (const phase of phases) {
    const words = phase === 'preflight' ? args : ['--config', initConfigPath];
    printed = (await succeeding(machine, [program, 'init', 'phase', ...phase.split('/'), ...words])).stdout;
  }
  return printed;
};

let theirs: ClusterObjects;
let ours: ClusterObjects;
beforeAll(async () => {
  theirs = await madeBy('alone-whole', whole);
  ours = await madeBy('alone-phases', alone);
}, 600_000);

it('each phase in its own process, in order, makes the same cluster as init', () => {
  expect(theirs.size).toBeGreaterThan(200);
  expect(objectDifferences(ours, theirs)).toEqual([]);
});
