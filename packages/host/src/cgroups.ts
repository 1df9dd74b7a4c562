import { join } from 'node:path';
import { stat } from './file-calls.ts';
import { readKernelFile } from './kernel-file.ts';

export interface Cgroups {
  readonly version: 1 | 2 | undefined;
  /** Sorted. */
  readonly controllers: readonly string[];
}

const unifiedMountPoint = '/sys/fs/cgroup';

/**
 * Where cgroups are mounted and of which version, from the text of /proc/mounts (k8s.io/system-validators,
 * cgroup_validator_linux.go). What is mounted on /sys/fs/cgroup decides; a tmpfs there is version 1 if it has `memory`.
 */
export function parseCgroupMount(
  mounts: string,
  hasMemoryDirectory: boolean,
): { readonly version: 1 | 2; readonly mountPoint: string } | undefined {
  let firstVersion1: string | undefined;
  for (const line of mounts.split('\n')) {
    const [, mountPoint, type] = line.split(' ');
    if (mountPoint === undefined || type === undefined || !line.includes('cgroup')) continue;
    if (mountPoint === unifiedMountPoint) {
      const version1 = type === 'tmpfs' ? hasMemoryDirectory : type !== 'cgroup2';
      return { version: version1 ? 1 : 2, mountPoint };
    }
    if (type === 'cgroup2') return { version: 2, mountPoint };
    if (type === 'cgroup') firstVersion1 ??= mountPoint;
  }
  return firstVersion1 === undefined ? undefined : { version: 1, mountPoint: firstVersion1 };
}

/** Controllers of version 1 that /proc/cgroups shows as enabled: columns name, hierarchy, cgroups, enabled. */
export function parseVersion1Controllers(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(
      ([name, , , enabled]) => name !== undefined && !name.startsWith('#') && enabled !== undefined && enabled !== '0',
    )
    .map(([name]) => name ?? '');
}

export async function readCgroups(): Promise<Cgroups> {
  const mount = parseCgroupMount(
    (await readKernelFile('/proc/mounts')) ?? '',
    await exists(join(unifiedMountPoint, 'memory')),
  );
  if (mount === undefined) return { version: undefined, controllers: [] };
  if (mount.version === 1) {
    const controllers = parseVersion1Controllers((await readKernelFile('/proc/cgroups')) ?? '');
    return { version: 1, controllers: [...controllers].sort() };
  }
  const listed = (await readKernelFile(join(mount.mountPoint, 'cgroup.controllers'))) ?? '';
  const controllers = [
    ...listed.split(/\s+/).filter((name) => name !== ''),
    ...(await implicitControllers(mount.mountPoint)),
  ];
  return { version: 2, controllers: controllers.sort() };
}

/**
 * `devices` and `freezer` belong to every cgroup of version 2 and are in no list. The freezer shows as `cgroup.freeze` in
 * every cgroup but the root: in our own, or, where we are in the root, in one that systemd always makes.
 */
async function implicitControllers(mountPoint: string): Promise<readonly string[]> {
  const own = /^0::(.*)$/m.exec((await readKernelFile('/proc/self/cgroup')) ?? '')?.[1] ?? '/';
  const places = [own, 'init.scope', 'system.slice'].map((group) => join(mountPoint, group, 'cgroup.freeze'));
  for (const place of places) {
    if (await exists(place)) return ['devices', 'freezer'];
  }
  return ['devices'];
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
