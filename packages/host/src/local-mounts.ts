import { type Mounts, parseMountTable } from '@groundplane/phases';
import { hostError } from './error-codes.ts';
import { readKernelFile } from './kernel-file.ts';
import { mountTableIn } from './mount-table.ts';
import type { Programs } from './programs.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';

/** A network file system whose server is gone keeps umount(8) waiting. */
const unmountTimeoutMs = 60_000;

/**
 * The mounts that this process sees, and umount(8), as Node.js has no umount2(2). Its options `-f` and `-l`, which BusyBox has as well,
 * are MNT_FORCE and MNT_DETACH.
 *
 * @throws GroundplaneError HOST_MOUNTS_UNREADABLE, HOST_UNMOUNT_FAILED
 */
export function localMounts(programs: Programs, root: RootDirectory = machineRoot): Mounts {
  const table = async (): Promise<string> => {
    const text = await mountTable(root);
    if (text !== undefined) return text;
    throw hostError(
      'HOST_MOUNTS_UNREADABLE',
      'Cannot tell what is mounted as the kernel does not show /proc/self/mounts',
      {
        hint: 'Mount it: mount -t proc proc /proc',
      },
    );
  };
  const mountsAt = async (path: string) =>
    parseMountTable(await table()).filter(({ mountPoint }) => mountPoint === path).length;
  return {
    table,
    async unmount(path, { force = false, lazy = false } = {}) {
      const before = await mountsAt(path);
      if (before === 0) return;
      const options = [...(force ? ['-f'] : []), ...(lazy ? ['-l'] : [])];
      const { code, stdout, stderr } = await programs.run('umount', [...options, path], {
        variables: { LC_ALL: 'C' },
        timeoutMs: unmountTimeoutMs,
      });
      if (code === 0 || (await mountsAt(path)) < before) return;
      throw hostError(
        'HOST_UNMOUNT_FAILED',
        `Cannot unmount ${path} as umount failed with exit code ${code}: ${`${stderr}${stdout}`.trim()}`,
        { hint: `See what uses it: fuser -vm ${path}`, details: { path, code } },
      );
    },
  };
}

/** What is mounted in the root, in the form of /proc/mounts; `undefined` where the kernel does not say. */
async function mountTable(root: RootDirectory): Promise<string | undefined> {
  const text = await readKernelFile('/proc/self/mounts');
  return text === undefined || root === machineRoot ? text : mountTableIn(root.path, text);
}
