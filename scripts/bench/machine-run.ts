import { readFileSync } from 'node:fs';
import { createMachine, installGroundplane, listMachines, type Machine } from '@groundplane/testbed';
import type { Measurement } from './benchmark.ts';
import { measurementIn, measureProgram } from './measured-run.ts';
import type { Programs } from './programs.ts';

const prefix = 'bench-';
const commandTimeoutMs = 600_000;

export function benchmarkMachineName(purpose: string): string {
  return `${prefix}${purpose}`;
}

/** Whether a machine was made for a benchmark. */
export function isBenchmarkMachine(name: string): boolean {
  return name.startsWith(prefix);
}

/** A fresh machine, both programs on it and at rest. One of that name that a killed run left behind goes first. */
export async function preparedMachine(programs: Programs, purpose: string): Promise<Machine> {
  const name = benchmarkMachineName(purpose);
  await deleteLeftover(name);
  const machine = await createMachine({ name, kubernetesVersion: programs.kubernetesVersion }, () => {});
  try {
    // All machines get the same files, so that none has more to write back while it works.
    await installGroundplane(machine, programs.archive);
    await machine.writeFile('/root/measure.pl', readFileSync(measureProgram));
    await settle(machine);
    return machine;
  } catch (cause) {
    await machine.delete();
    throw cause;
  }
}

/** Runs a command on a machine made by {@link preparedMachine}, and measures it. @throws Error with what it said if it fails */
export async function measureOnMachine(machine: Machine, argv: readonly string[]): Promise<Measurement> {
  const output = await machine.exec(['perl', '/root/measure.pl', ...argv], { timeoutMs: commandTimeoutMs });
  return measurementIn(output, argv);
}

export async function deleteLeftover(name: string): Promise<void> {
  for (const machine of listMachines()) if (machine.name === name) await machine.delete();
}

/** Waits until booting is over, and until what was written so far is on the disk: etcd waits for the disk. */
async function settle(machine: Machine): Promise<void> {
  // Its code tells whether a unit failed; the kubelet, which has no configuration yet, does.
  await machine.exec(['systemctl', 'is-system-running', '--wait'], { timeoutMs: 60_000 });
  await machine.exec(['sync']);
}
