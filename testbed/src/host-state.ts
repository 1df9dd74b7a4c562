import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupHierarchies, cgroupName } from './cgroups.ts';
import { runCommand } from './run-command.ts';
import { type TestbedIdentity, testbedIdentity } from './testbed-identity.ts';

/** What machines could leave on the host. Two of these from before and after are equal when they left nothing. */
export interface HostState {
  /** Mount points of this checkout's testbed. */
  readonly mounts: readonly string[];
  /** Cgroups of this checkout's testbed, in all hierarchies. */
  readonly cgroups: readonly string[];
  /** Processes in those cgroups, or with a command line that names the testbed's folders: `pid command`. */
  readonly processes: readonly string[];
  /** Files of the testbed: network namespaces, disks, records. */
  readonly files: readonly string[];
  /** The host's own interfaces, addresses, routes and packet filter, as `ip` and `nft` print them. */
  readonly network: readonly string[];
  /** Kernel settings that are not the machines' own but the whole host's. */
  readonly kernelSettings: Readonly<Record<string, string>>;
}

const sharedKernelSettings: readonly string[] = [
  'fs/file-max',
  'fs/inotify/max_user_instances',
  'fs/inotify/max_user_watches',
  'fs/nr_open',
  'kernel/core_pattern',
  'kernel/keys/root_maxbytes',
  'kernel/keys/root_maxkeys',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/pid_max',
  'kernel/printk',
  'kernel/sysrq',
  'vm/max_map_count',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
];

/** Looks at the host. Needs root to see everything. */
export async function hostState(identity: TestbedIdentity = testbedIdentity()): Promise<HostState> {
  const folders = [identity.stateDirectory, identity.runDirectory];
  const cgroups = cgroupHierarchies().flatMap((hierarchy) => foldersBelow(join(hierarchy, cgroupName(identity))));
  return {
    mounts: readLines('/proc/self/mountinfo')
      .map((line) => line.split(' ')[4] ?? '')
      .filter((point) => folders.some((folder) => point.startsWith(folder))),
    cgroups,
    processes: processesOf(identity, folders),
    files: folders.flatMap((folder) =>
      existsSync(folder) ? [folder, ...readdirSync(folder).map((name) => join(folder, name))] : [],
    ),
    network: await hostNetwork(),
    kernelSettings: Object.fromEntries(
      sharedKernelSettings.map((name) => [name, readLines(join('/proc/sys', name)).join('\n').trim()]),
    ),
  };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function foldersBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap((entry) => foldersBelow(join(folder, entry.name)))];
}

function processesOf(identity: TestbedIdentity, folders: readonly string[]): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    // A zombie is an ended process that its parent has not asked after yet.
    if (readLines(`/proc/${pid}/status`).some((line) => /^State:\s*Z/.test(line))) return [];
    const inCgroup = readLines(`/proc/${pid}/cgroup`).some((line) => line.includes(cgroupName(identity)));
    const command = readLines(`/proc/${pid}/cmdline`).join(' ').replaceAll('\0', ' ').trim();
    if (!inCgroup && !folders.some((folder) => command.includes(folder))) return [];
    let program = '';
    try {
      program = readlinkSync(`/proc/${pid}/exe`);
    } catch {
      // Ended meanwhile, or a kernel thread.
    }
    return [`${pid} ${command || program}`];
  });
}

async function hostNetwork(): Promise<readonly string[]> {
  const questions = [
    ['ip', '-brief', 'address'],
    ['ip', 'route', 'show', 'table', 'all'],
    ['nft', 'list', 'ruleset'],
  ];
  const answers: string[] = [];
  for (const argv of questions) {
    // A host without the program has nothing that it would show.
    const { stdout } = await runCommand(argv).catch(() => ({ stdout: '' }));
    answers.push(
      ...stdout
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    );
  }
  return answers;
}
