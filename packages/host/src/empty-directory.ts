import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { systemCode } from './error-codes.ts';

export interface EmptyOptions {
  /** Called for everything that could not be removed, with the path below the directory (`pods/1`) and the reason. */
  readonly onLeftover: (path: string, thrown: unknown) => void;
}

/** Why something was not even tried. */
export class MountedError extends Error {
  override readonly name = 'MountedError';
  readonly code = 'EBUSY';
  constructor() {
    super('a file system is mounted there');
  }
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const slash = Buffer.from('/');

/**
 * Removes everything in a directory and leaves the directory itself. What is in it may have been made by containers, and some may still
 * run: links are removed and not followed, no mounted file system is entered, a name may be any bytes, and folders may be exchanged for
 * links, or moved, meanwhile. Hence no path is walked twice: each folder is opened once, and what is in it is listed and removed by
 * single names below the open folder, as with openat(2) and unlinkat(2), which Node.js offers by way of proc_pid_fd(5) only.
 *
 * @param directory absolute path without symbolic links
 * @throws the error of the system call if the directory cannot be opened or listed; an error if it is not at this path any more, or if
 *   /proc does not say where it is mounted
 */
export function emptyDirectory(directory: string, { onLeftover }: EmptyOptions): void {
  within(openSync(directory, folderOnly), (top) => {
    const topMount = mountOf(top);
    if (readlinkSync(opened(top)) !== directory) throw new Error('another one was put in its place meanwhile');
    clear(top, Buffer.alloc(0));

    /** @returns false if something is left */
    function clear(folder: number, path: Buffer): boolean {
      const prefix = Buffer.from(`${opened(folder)}/`);
      let isEmpty = true;
      for (const entry of readdirSync(opened(folder), { encoding: 'buffer', withFileTypes: true })) {
        const entryPath = path.length === 0 ? entry.name : Buffer.concat([path, slash, entry.name]);
        const handle = Buffer.concat([prefix, entry.name]);
        try {
          // What has become something else since is refused by the kernel: unlink(2) takes no folder, O_NOFOLLOW opens no link.
          if (!entry.isDirectory()) unlinkSync(handle);
          else if (!removeFolder(handle, entryPath)) isEmpty = false;
        } catch (thrown) {
          if (systemCode(thrown) === 'ENOENT') continue;
          onLeftover(entryPath.toString(), thrown);
          isEmpty = false;
        }
      }
      return isEmpty;
    }

    /** @param handle a single name below an open folder */
    function removeFolder(handle: Buffer, path: Buffer): boolean {
      const isEmpty = within(openSync(handle, folderOnly), (folder) => {
        if (mountOf(folder) !== topMount) throw new MountedError();
        return clear(folder, path);
      });
      if (isEmpty) rmdirSync(handle);
      return isEmpty;
    }
  });
}

/** Where the kernel shows what is open, be it renamed or not. */
function opened(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/**
 * Which file system by which mount: a directory of the same file system that is mounted by bind has the same device, and a subvolume of
 * Btrfs is in the same mount.
 */
function mountOf(descriptor: number): string {
  const id = /^mnt_id:\s*(\d+)$/m.exec(informationOf(descriptor))?.[1];
  if (id === undefined) throw new Error('the kernel does not show what is mounted');
  return `${fstatSync(descriptor, { bigint: true }).dev} ${id}`;
}

function informationOf(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
  } catch (cause) {
    throw new Error('the kernel does not show what is mounted', { cause });
  }
}

function within<T>(descriptor: number, action: (descriptor: number) => T): T {
  try {
    return action(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
