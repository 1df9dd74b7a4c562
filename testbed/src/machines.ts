import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { cgroupDirectories, cgroupName, removeCgroups } from './cgroups.ts';
import { defaultKubernetesVersion } from './component-table.ts';
import { cloneContainerdStore, ensureContainerdStore } from './containerd-store.ts';
import { ensureDebianLayer } from './debian-layer.ts';
import { ensureDebianRoot } from './debian-root.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { ensureHostPrograms, requireRoot } from './host-programs.ts';
import type { Machine, MachineState } from './machine.ts';
import { copyIn, copyOut, execInMachine, readMachineFile, writeMachineFile } from './machine-exec.ts';
import { ensureMachineLayer } from './machine-layer.ts';
import {
  bootMachine,
  destroyMachine,
  haltMachine,
  prepareMachine,
  removeShared,
  runcStatus,
  writeHostsFiles,
  writeMachineFiles,
} from './machine-lifecycle.ts';
import {
  freeIndex,
  type MachineRecord,
  machineFolders,
  machinePaths,
  readRecord,
  readRecords,
  subnetOf,
  writeRecord,
} from './machine-record.ts';
import { removeNamespace, setCable } from './network.ts';
import { type Report, reportToStderr } from './progress.ts';
import {
  addresses,
  checkMachineName,
  machineLimit,
  type TestbedIdentity,
  testbedIdentity,
} from './testbed-identity.ts';

export interface CreateMachineOptions {
  /** Host name: lower case letters, digits and inner hyphens. */
  readonly name: string;
  /** Which kubeadm, kubelet, kubectl and images the machine has, without `v`. */
  readonly kubernetesVersion?: string;
  /** Whether the machine has a pod network. Default: yes. */
  readonly cni?: boolean;
  /** Debian packages that the machine has beyond those of every machine. Default: none. */
  readonly debianPackages?: readonly string[];
}

/**
 * Makes a machine and waits until it has booted: seconds, once components, images
 * and the Debian root are in the cache, which the first call makes (minutes).
 *
 * @throws Error when not root, when there is a machine of that name, or it does not boot
 *   (it is removed then).
 */
export async function createMachine(options: CreateMachineOptions, report: Report = reportToStderr): Promise<Machine> {
  requireRoot('create a machine');
  checkMachineName(options.name);
  const identity = testbedIdentity();
  const kubernetesVersion = options.kubernetesVersion ?? defaultKubernetesVersion;
  await ensureHostPrograms(['machines'], report);
  // Building the components keeps the cores busy, fetching Debian's packages the network.
  const [store, debian] = await Promise.all([
    ensureContainerdStore(kubernetesVersion, report),
    ensureDebianRoot(report),
  ]);
  const { debianPackages = [] } = options;
  const layers = [
    await ensureMachineLayer(kubernetesVersion, report),
    ...(debianPackages.length > 0 ? [await ensureDebianLayer(debianPackages, debian, report)] : []),
    debian,
  ];

  const record = await withTestbedLock(async () => {
    await removeLeftovers(identity);
    if (existsSync(machinePaths(identity, options.name).directory)) {
      throw new Error(
        `cannot create machine ${options.name}: there is one of that name; run: ./dev machine delete ${options.name}`,
      );
    }
    const records = readRecords(identity);
    const index = freeIndex(records);
    if (index >= machineLimit)
      throw new Error(`cannot create machine ${options.name}: there are ${machineLimit} already`);
    const made: MachineRecord = {
      name: options.name,
      index,
      subnet: subnetOf(identity),
      kubernetesVersion,
      layers,
      creator: process.pid,
    };
    writeRecord(identity, made);
    try {
      await prepareMachine(identity, made);
      await cloneContainerdStore(store, machinePaths(identity, options.name).containerd);
      writeMachineFiles(identity, made, { cni: options.cni ?? true });
      writeHostsFiles(identity);
    } catch (cause) {
      await destroyMachine(identity, made.name);
      throw cause;
    }
    return made;
  });

  try {
    await bootMachine(identity, record);
  } catch (cause) {
    await deleteMachine(identity, record.name);
    throw cause;
  }
  const { creator: _, ...finished } = record;
  writeRecord(identity, finished);
  return machineOf(identity, finished);
}

/** All machines of this checkout, by index, whatever their state. */
export function listMachines(): readonly Machine[] {
  const identity = testbedIdentity();
  return readRecords(identity).map((record) => machineOf(identity, record));
}

/**
 * The machine of that name.
 *
 * @throws Error that names those there are.
 */
export function findMachine(name: string): Machine {
  const identity = testbedIdentity();
  const record = readRecord(identity, name);
  if (record) return machineOf(identity, record);
  const names = readRecords(identity).map((one) => one.name);
  const known = names.length > 0 ? `there are: ${names.join(', ')}` : 'there is none';
  throw new Error(`there is no machine ${name}; ${known}; run: ./dev machine create ${name}`);
}

/** Removes every machine of this checkout, and all that the machines shared. */
export async function deleteAllMachines(): Promise<void> {
  const identity = testbedIdentity();
  if (!existsSync(identity.stateDirectory) && !existsSync(identity.runDirectory)) return;
  requireRoot('delete machines');
  await withTestbedLock(async () => {
    for (const name of machineFolders(identity)) await destroyMachine(identity, name);
    await removeLeftovers(identity);
    await removeShared(identity);
  });
}

async function deleteMachine(identity: TestbedIdentity, name: string): Promise<void> {
  requireRoot('delete a machine');
  await withTestbedLock(async () => {
    await destroyMachine(identity, name);
    if (machineFolders(identity).length === 0) await removeShared(identity);
    else writeHostsFiles(identity);
  });
}

/** One lock for all testbeds of this cache, because they choose their subnets apart from one another. */
function withTestbedLock<T>(work: () => Promise<T>): Promise<T> {
  return withExclusiveLock(join(cacheDirectory(), 'machines.lock'), work);
}

/** Ends what a killed command left half-made: folders without a record or whose creator is gone, networks, cgroups. */
async function removeLeftovers(identity: TestbedIdentity): Promise<void> {
  for (const name of machineFolders(identity)) {
    const record = readRecord(identity, name);
    if (record && (record.creator === undefined || isAlive(record.creator))) continue;
    await destroyMachine(identity, name);
  }
  const machines = new Set(machineFolders(identity));
  const networks = join(identity.runDirectory, 'network');
  for (const name of existsSync(networks) ? readdirSync(networks) : []) {
    if (!name.startsWith('.') && !machines.has(name)) await removeNamespace(join(networks, name));
  }
  for (const directory of cgroupDirectories(cgroupName(identity))) {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory() && !machines.has(entry.name)) await removeCgroups([join(directory, entry.name)]);
    }
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function machineOf(identity: TestbedIdentity, record: MachineRecord): Machine {
  const { name } = record;
  return {
    name,
    address: addresses.machine(record.subnet, record.index),
    podSubnet: addresses.pods(record.index),
    kubernetesVersion: record.kubernetesVersion,
    exec: (argv, options) => execInMachine(identity, name, argv, options),
    copyIn: (source, destination) => copyIn(identity, name, source, destination),
    copyOut: (source, destination) => copyOut(identity, name, source, destination),
    writeFile: (path, content, mode = 0o644) => writeMachineFile(identity, name, path, content, mode),
    readFile: (path) => readMachineFile(identity, name, path),
    state: async (): Promise<MachineState> => {
      if (record.creator !== undefined) return 'creating';
      return (await runcStatus(identity, name)) === 'running' ? 'running' : 'stopped';
    },
    stop: (options) => haltMachine(identity, name, options?.now ?? false),
    start: async () => {
      if ((await runcStatus(identity, name)) === 'running') return;
      await withTestbedLock(() => prepareMachine(identity, record));
      await bootMachine(identity, record);
    },
    setCable: (plugged) => setCable(identity, record.index, plugged),
    delete: () => deleteMachine(identity, name),
  };
}
