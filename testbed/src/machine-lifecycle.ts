import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineCapabilities } from './capabilities.ts';
import { cgroupDirectories, cgroupName, removeCgroups } from './cgroups.ts';
import { execInMachine } from './machine-exec.ts';
import { cniConfiguration, hostsFile } from './machine-files.ts';
import { type MachineRecord, machinePaths, readRecord, readRecords, runcState } from './machine-record.ts';
import { attachMachine, bridgeNamespace, detachMachine, ensureBridge, removeNamespace } from './network.ts';
import { mustRun, runCommand } from './run-command.ts';
import { bundleConfiguration } from './runc-bundle.ts';
import { addresses, type TestbedIdentity } from './testbed-identity.ts';

const bootLimitMs = 90_000;
const shutdownLimitMs = 30_000;
/** SIGRTMIN+4, which systemd as PID 1 takes as: power off. */
const powerOffSignal = '38';

/** The machine's address and the others' in /etc/hosts of every machine, running or not. */
export function writeHostsFiles(identity: TestbedIdentity): void {
  const records = readRecords(identity);
  const text = hostsFile(
    records.map(({ name, subnet, index }) => ({ name, address: addresses.machine(subnet, index) })),
  );
  for (const { name } of records) {
    const etc = join(machinePaths(identity, name).root, 'etc');
    // Through the mounted root: to write below a mounted overlay is undefined.
    if (existsSync(etc)) writeFileSync(join(etc, 'hosts'), text);
  }
}

/** Puts the machine's root together and connects its network. Everything that is there already is kept. */
export async function prepareMachine(identity: TestbedIdentity, record: MachineRecord): Promise<void> {
  const paths = machinePaths(identity, record.name);
  for (const folder of [paths.upper, paths.work, paths.root, paths.bundle, runcState(identity)]) {
    mkdirSync(folder, { recursive: true });
  }
  if (!isMounted(paths.root)) {
    const options = `lowerdir=${record.layers.join(':')},upperdir=${paths.upper},workdir=${paths.work}`;
    await mustRun(['mount', '-t', 'overlay', '-o', options, record.name, paths.root]);
    // Or what the machine mounts would show up on the host.
    await mustRun(['mount', '--make-private', paths.root]);
  }
  await ensureBridge(identity, record.subnet);
  await attachMachine(identity, paths.network, record.subnet, record.index);
}

/** Writes what only this machine has: its name, resolver and pod network. */
export function writeMachineFiles(identity: TestbedIdentity, record: MachineRecord, options: { cni: boolean }): void {
  const root = machinePaths(identity, record.name).root;
  writeFileSync(join(root, 'etc/hostname'), `${record.name}\n`);
  // An address where nothing answers: no look-up leaves the machines' network.
  writeFileSync(join(root, 'etc/resolv.conf'), `nameserver ${addresses.bridge(record.subnet)}\n`);
  if (options.cni) {
    writeFileSync(join(root, 'etc/cni/net.d/10-pods.conflist'), cniConfiguration(addresses.pods(record.index)));
  }
}

export function isMounted(path: string): boolean {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[4] === path);
}

function runc(identity: TestbedIdentity, ...argv: readonly string[]): readonly string[] {
  return ['runc', '--root', runcState(identity), ...argv];
}

/** Starts PID 1 of a prepared machine, and waits until it has booted. */
export async function bootMachine(identity: TestbedIdentity, record: MachineRecord): Promise<void> {
  const paths = machinePaths(identity, record.name);
  await runCommand(runc(identity, 'delete', '--force', record.name));
  const configuration = bundleConfiguration({
    name: record.name,
    root: paths.root,
    networkNamespace: paths.network,
    containerdDirectory: paths.containerd,
    cgroupsPath: `/${cgroupName(identity)}/${record.name}`,
    capabilities: machineCapabilities(readFileSync('/proc/self/status', 'utf8')),
  });
  writeFileSync(join(paths.bundle, 'config.json'), JSON.stringify(configuration, null, 2));
  await runDetached(runc(identity, 'run', '--detach', '--bundle', paths.bundle, record.name), paths.console);
  await waitForBoot(identity, record.name);
}

/** PID 1 keeps the standard files of what started it, so these cannot be pipes of ours. */
async function runDetached(argv: readonly string[], log: string): Promise<void> {
  const [program = '', ...rest] = argv;
  const file = openSync(log, 'a');
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(program, rest, { stdio: ['ignore', file, file], detached: true });
    child.once('error', reject);
    child.once('exit', (exit) => resolve(exit ?? 137));
  }).finally(() => closeSync(file));
  if (code === 0) return;
  const said = readFileSync(log, 'utf8').trim().split('\n').slice(-10).join('\n');
  throw new Error(`cannot start the machine: runc ended with exit code ${code}: ${said}`);
}

async function waitForBoot(identity: TestbedIdentity, name: string): Promise<void> {
  const limit = Date.now() + bootLimitMs;
  let state = '';
  while (Date.now() < limit) {
    const { stdout } = await execInMachine(identity, name, ['systemctl', 'is-system-running', '--wait'], {
      timeoutMs: bootLimitMs,
    });
    state = stdout.trim();
    if (state === 'running') return;
    if (state === 'degraded') break;
    if ((await runcStatus(identity, name)) !== 'running') break;
    await sleep(50);
  }
  const failed = await execInMachine(identity, name, ['systemctl', '--failed', '--no-legend', '--plain']);
  throw new Error(`machine ${name} has not booted: its state is ${state || 'unknown'}; ${failed.stdout.trim()}`);
}

/** What runc says of a machine: `running`, `stopped`, or undefined when it knows none of that name. */
export async function runcStatus(identity: TestbedIdentity, name: string): Promise<string | undefined> {
  if (!existsSync(join(runcState(identity), name))) return undefined;
  const { code, stdout } = await runCommand(runc(identity, 'state', name));
  return code === 0 ? (JSON.parse(stdout) as { status: string }).status : undefined;
}

/** Shuts a machine down, orderly unless `now`, and forgets its container. */
export async function haltMachine(identity: TestbedIdentity, name: string, now: boolean): Promise<void> {
  if (!now && (await runcStatus(identity, name)) === 'running') {
    await runCommand(runc(identity, 'kill', name, powerOffSignal));
    const limit = Date.now() + shutdownLimitMs;
    while (Date.now() < limit && (await runcStatus(identity, name)) === 'running') await sleep(100);
  }
  // Kills PID 1 if there still is one, and with it every process of its PID namespace.
  await runCommand(runc(identity, 'delete', '--force', name));
  await removeCgroups(cgroupDirectories(`${cgroupName(identity)}/${name}`));
}

/** Removes everything that was made for a machine, as far as it got. */
export async function destroyMachine(identity: TestbedIdentity, name: string): Promise<void> {
  const paths = machinePaths(identity, name);
  const record = readRecord(identity, name);
  await haltMachine(identity, name, true);
  if (isMounted(paths.root)) await mustRun(['umount', paths.root]);
  if (record) await detachMachine(identity, paths.network, record.index);
  else await removeNamespace(paths.network);
  // The record goes first: what a kill leaves from here on is a leftover, not a machine.
  rmSync(paths.record, { force: true });
  rmSync(paths.directory, { recursive: true, force: true });
}

/** Removes what the machines share, once there is none. */
export async function removeShared(identity: TestbedIdentity): Promise<void> {
  await removeNamespace(bridgeNamespace(identity));
  await removeCgroups(cgroupDirectories(cgroupName(identity)));
  rmSync(identity.stateDirectory, { recursive: true, force: true });
  rmSync(identity.runDirectory, { recursive: true, force: true });
  try {
    rmdirSync(join(identity.runDirectory, '..'));
  } catch {
    // Another testbed is there.
  }
}
