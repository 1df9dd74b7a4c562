import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createMachine,
  groundplaneDirectory,
  installGroundplane,
  kubectlOn,
  listMachines,
  type Machine,
  prepareInit,
} from '@groundplane/testbed';
import { type Measurement, type Side, sides } from './benchmark.ts';
import { measurementIn, measureProgram } from './measured-run.ts';
import type { Programs } from './programs.ts';

const machineName = (side: Side) => `bench-${side}`;

/** Whether a machine was made by {@link runInit}. */
export function isBenchmarkMachine(name: string): boolean {
  return sides.some((side) => machineName(side) === name);
}

const initTimeoutMs = 600_000;

/** `init` on a machine made for this run alone; the machine is gone afterwards. */
export async function runInit(programs: Programs, side: Side): Promise<Measurement> {
  await deleteLeftover(side);
  const machine = await createMachine(
    { name: machineName(side), kubernetesVersion: programs.kubernetesVersion },
    () => {},
  );
  try {
    const argv = [
      ...commands[side](programs),
      ...(await prepareInit(machine, { kubernetesVersion: programs.kubernetesVersion })),
    ];
    // Both machines get the same files, so that neither has more to write back while it works.
    await installGroundplane(machine, programs.archive);
    await machine.writeFile('/root/measure.pl', readFileSync(measureProgram));
    await settle(machine);
    const output = await machine.exec(['perl', '/root/measure.pl', ...argv], { timeoutMs: initTimeoutMs });
    const measurement = measurementIn(output, argv);
    await checkNode(machine, side);
    return measurement;
  } finally {
    await machine.delete();
  }
}

const commands: Readonly<Record<Side, (programs: Programs) => readonly string[]>> = {
  kubeadm: ({ missingPhases }) => [
    'kubeadm',
    'init',
    ...(missingPhases.length > 0 ? [`--skip-phases=${missingPhases.join(',')}`] : []),
  ],
  groundplane: () => [join(groundplaneDirectory, 'bin/groundplane'), 'init'],
};

/** What a run that was killed left behind. */
async function deleteLeftover(side: Side): Promise<void> {
  for (const machine of listMachines()) if (machine.name === machineName(side)) await machine.delete();
}

/** Waits until booting is over, and until what was written so far is on the disk: etcd waits for the disk. */
async function settle(machine: Machine): Promise<void> {
  // Its code tells whether a unit failed; the kubelet, which has no configuration yet, does.
  await machine.exec(['systemctl', 'is-system-running', '--wait'], { timeoutMs: 60_000 });
  await machine.exec(['sync']);
}

/** @throws Error if there is no control plane with this node after `init` */
async function checkNode(machine: Machine, side: Side): Promise<void> {
  const labels = '--selector=node-role.kubernetes.io/control-plane';
  const { stdout, stderr } = await kubectlOn(machine, ['get', 'nodes', labels, '-o', 'name'], { timeoutMs: 30_000 });
  if (stdout.trim() === `node/${machine.name}`) return;
  throw new Error(`cannot compare as init of ${side} left no control-plane node ${machine.name}: ${stdout}${stderr}`);
}
