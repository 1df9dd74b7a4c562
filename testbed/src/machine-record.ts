import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chooseSubnet, type TestbedIdentity } from './testbed-identity.ts';

/** What is written down about a machine, beside its disk. */
export interface MachineRecord {
  readonly name: string;
  /** Number in the testbed, from 0, which gives the addresses. */
  readonly index: number;
  readonly subnet: number;
  readonly kubernetesVersion: string;
  /** Read-only folders of the root, uppermost first. */
  readonly layers: readonly string[];
  /** The process that is making the machine, until it is made. */
  readonly creator?: number;
}

/** The files and folders of one machine. */
export function machinePaths(identity: TestbedIdentity, name: string) {
  const directory = join(identity.stateDirectory, name);
  return {
    directory,
    record: join(directory, 'machine.json'),
    upper: join(directory, 'upper'),
    work: join(directory, 'work'),
    /** Where the overlay is mounted on the host. */
    root: join(directory, 'root'),
    containerd: join(directory, 'containerd'),
    bundle: join(directory, 'bundle'),
    console: join(directory, 'console.log'),
    network: join(identity.runDirectory, 'network', name),
  } as const;
}

/** runc's own state. Its container ids are the machine names. */
export function runcState(identity: TestbedIdentity): string {
  return join(identity.runDirectory, 'runc');
}

export function writeRecord(identity: TestbedIdentity, record: MachineRecord): void {
  const { record: file, directory } = machinePaths(identity, record.name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** The record of a machine, or undefined when there is no such machine. */
export function readRecord(identity: TestbedIdentity, name: string): MachineRecord | undefined {
  try {
    return JSON.parse(readFileSync(machinePaths(identity, name).record, 'utf8')) as MachineRecord;
  } catch {
    return undefined;
  }
}

/** Names of all folders of machines, whole or not. */
export function machineFolders(identity: TestbedIdentity): readonly string[] {
  if (!existsSync(identity.stateDirectory)) return [];
  return readdirSync(identity.stateDirectory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The records of all machines, by index. */
export function readRecords(identity: TestbedIdentity): readonly MachineRecord[] {
  return machineFolders(identity)
    .flatMap((name) => readRecord(identity, name) ?? [])
    .sort((a, b) => a.index - b.index);
}

/** The lowest number that no machine has. */
export function freeIndex(records: readonly MachineRecord[]): number {
  const taken = new Set(records.map((record) => record.index));
  let index = 0;
  while (taken.has(index)) index++;
  return index;
}

/** The subnet of this testbed: the one its machines have, else a free one. Call with all testbeds locked. */
export function subnetOf(identity: TestbedIdentity): number {
  const own = readRecords(identity)[0];
  if (own) return own.subnet;
  const parent = dirname(identity.stateDirectory);
  const others = existsSync(parent) ? readdirSync(parent).filter((id) => id !== identity.id) : [];
  const taken = others.flatMap((id) =>
    readRecords({ ...identity, id, stateDirectory: join(parent, id) }).map((record) => record.subnet),
  );
  return chooseSubnet(identity.subnetSeed, new Set(taken));
}
