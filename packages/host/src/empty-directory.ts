import { lstatSync, readdirSync, realpathSync, rmdirSync, unlinkSync } from 'node:fs';
import { systemCode } from './error-codes.ts';

export interface EmptyOptions {
  /** Whether a file system is mounted at a path of this machine. */
  readonly isMountPoint: (path: string) => boolean;
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

/**
 * Removes everything in a directory and leaves the directory itself. What is in it may have been made by containers: links are removed
 * and not followed, no mounted file system is entered, and a name may be any bytes.
 *
 * @param directory absolute path; if it is a link, what it leads to is emptied
 * @throws the error of the system call if the directory cannot be listed
 */
export function emptyDirectory(directory: string, options: EmptyOptions): void {
  const top = realpathSync.native(directory);
  const { dev } = lstatSync(top, { bigint: true });
  const below = (path: Buffer) => path.toString().slice(top.length + 1);
  clear(Buffer.from(top));

  /** @returns false if something is left */
  function clear(path: Buffer): boolean {
    let isEmpty = true;
    for (const name of readdirSync(path, { encoding: 'buffer' })) {
      const entry = Buffer.concat([path, Buffer.from('/'), name]);
      try {
        if (!remove(entry)) isEmpty = false;
      } catch (thrown) {
        if (systemCode(thrown) === 'ENOENT') continue;
        options.onLeftover(below(entry), thrown);
        isEmpty = false;
      }
    }
    return isEmpty;
  }

  function remove(entry: Buffer): boolean {
    const status = lstatSync(entry, { bigint: true });
    if (!status.isDirectory()) {
      unlinkSync(entry);
      return true;
    }
    // A directory of the same file system that is mounted here by bind has no device of its own.
    if (status.dev !== dev || options.isMountPoint(entry.toString())) throw new MountedError();
    if (!clear(entry)) return false;
    rmdirSync(entry);
    return true;
  }
}
