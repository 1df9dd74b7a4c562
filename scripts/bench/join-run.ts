import { join } from 'node:path';
import {
  collected,
  createMachine,
  groundplaneDirectory,
  joinArgumentsHere,
  joinArgumentsIn,
  kubectlOutput,
  listMachines,
  type Machine,
  prepareInit,
  succeeding,
  waitUntilReady,
} from '@groundplane/testbed';
import type { Measurement, Side } from './benchmark.ts';
import { benchmarkMachineName, deleteLeftover, measureOnMachine, preparedMachine } from './machine-run.ts';
import type { Programs } from './programs.ts';

const clusterName = benchmarkMachineName('cluster');

/** `join` of a machine made for this run alone, as a worker of the one cluster of all runs, which the real kubeadm made. */
export async function runJoin(programs: Programs, side: Side): Promise<Measurement> {
  const controlPlane = listMachines().find(({ name }) => name === clusterName) ?? (await makeCluster(programs));
  const printed = await succeeding(controlPlane, ['kubeadm', 'token', 'create', '--print-join-command']);
  const worker = await preparedMachine(programs, `join-${side}`);
  try {
    const program = side === 'kubeadm' ? 'kubeadm' : join(groundplaneDirectory, 'bin/groundplane');
    const argv = [program, 'join', ...joinArgumentsHere(joinArgumentsIn(printed.stdout))];
    const measurement = await measureOnMachine(worker, argv);
    await kubectlOutput(controlPlane, ['wait', '--for=condition=Ready', '--timeout=60s', `node/${worker.name}`]);
    return measurement;
  } finally {
    await kubectlOutput(controlPlane, ['delete', 'node', worker.name, '--ignore-not-found']);
    await worker.delete();
  }
}

async function makeCluster({ kubernetesVersion }: Programs): Promise<Machine> {
  const machine = await createMachine({ name: clusterName, kubernetesVersion }, () => {});
  await collected(machine, ['kubeadm', 'init', ...(await prepareInit(machine, { kubernetesVersion }))]);
  // A join waits for the controllers; they must not be what is measured.
  await waitUntilReady(machine);
  return machine;
}

/** Removes the cluster, and what a killed run left of it. */
export async function deleteJoinCluster(): Promise<void> {
  await deleteLeftover(clusterName);
}
