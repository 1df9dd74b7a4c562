import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestbedIdentity } from './testbed-identity.ts';

const cgroupRoot = '/sys/fs/cgroup';

/** Name of the cgroup, below the root of each hierarchy, that holds those of all machines. */
export function cgroupName(identity: TestbedIdentity): string {
  return `groundplane-${identity.id}`;
}

/** The roots of all cgroup hierarchies: one with cgroup v2, one per controller with v1. */
export function cgroupHierarchies(): readonly string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  return mounts.flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ');
    const point = left.split(' ')[4] ?? '';
    return right.startsWith('cgroup') && point.startsWith(cgroupRoot) ? [point] : [];
  });
}

/** Where a cgroup of that name exists, in all hierarchies. */
export function cgroupDirectories(name: string): readonly string[] {
  return cgroupHierarchies()
    .map((hierarchy) => join(hierarchy, name))
    .filter((directory) => existsSync(directory));
}

/** Removes cgroups with all below them. Their processes have ended; the kernel may need a moment to notice. */
export async function removeCgroups(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    for (let tries = 0; ; tries++) {
      try {
        removeTree(directory);
        break;
      } catch (cause) {
        if (tries === 50)
          throw new Error(`cannot remove the cgroup ${directory}: ${(cause as Error).message}`, { cause });
        await sleep(100);
      }
    }
  }
}

/** `rm -r` does not work on cgroups: their files cannot be removed, only the folders. */
function removeTree(directory: string): void {
  if (!existsSync(directory)) return;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(directory, entry.name));
  }
  rmdirSync(directory);
}
