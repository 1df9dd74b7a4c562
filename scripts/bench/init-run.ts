import { join } from 'node:path';
import { groundplaneDirectory, kubectlOn, type Machine, prepareInit, succeeding } from '@groundplane/testbed';
import type { Measurement, Side } from './benchmark.ts';
import { measureOnMachine, preparedMachine } from './machine-run.ts';
import type { Programs } from './programs.ts';

const commands: Readonly<Record<Side, readonly string[]>> = {
  kubeadm: ['kubeadm', 'init'],
  groundplane: [join(groundplaneDirectory, 'bin/groundplane'), 'init'],
};

/** Whether the machine has its pod network before `init`; mostly it comes as an addon afterwards, and the node is Ready then. */
export type PodNetwork = 'there' | 'still to come';

/** `init` on a machine made for this run alone; the machine is gone afterwards. */
export async function runInit(programs: Programs, side: Side, podNetwork: PodNetwork): Promise<Measurement> {
  const machine = await preparedMachine(programs, side);
  try {
    if (podNetwork === 'still to come') await succeeding(machine, ['find', '/etc/cni/net.d', '-type', 'f', '-delete']);
    const { kubernetesVersion } = programs;
    const argv = [...commands[side], ...(await prepareInit(machine, { kubernetesVersion }))];
    const measurement = await measureOnMachine(machine, argv);
    await checkNode(machine, side);
    return measurement;
  } finally {
    await machine.delete();
  }
}

/** @throws Error if there is no control plane with this node after `init`, or the addons are not there */
async function checkNode(machine: Machine, side: Side): Promise<void> {
  const labels = '--selector=node-role.kubernetes.io/control-plane';
  const names = await kubectlOn(machine, ['get', 'nodes', labels, '-o', 'name'], { timeoutMs: 30_000 });
  const addons = ['get', '-n', 'kube-system', 'daemonset/kube-proxy', 'deployment/coredns', '-o', 'name'];
  const objects = await kubectlOn(machine, addons, { timeoutMs: 30_000 });
  if (names.stdout.trim() === `node/${machine.name}` && objects.code === 0) return;
  const found = `${names.stdout}${names.stderr}${objects.stdout}${objects.stderr}`;
  throw new Error(
    `cannot compare as init of ${side} left no control-plane node ${machine.name} with its addons: ${found}`,
  );
}
