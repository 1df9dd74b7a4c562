import { join } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { hostError, systemCode } from './error-codes.ts';
import { lstat, readlink, realpath, stat } from './file-calls.ts';

/** As many links as the kernel follows in one path before it says ELOOP. */
const maximumLinks = 40;

/** The directory that the paths of a node begin at. */
export interface RootDirectory {
  /** Absolute path of the directory on this machine, without symbolic links. */
  readonly path: string;
  /**
   * Where on this machine a path of the node is. Symbolic links are followed as after chroot(2): an absolute target begins at the
   * root, `..` never leaves it, and more than 40 links are an error. What comes after a name that does not exist is kept, so that
   * the result can be created. Others must not exchange parts of the tree for links meanwhile.
   *
   * @param path absolute path as programs inside the root see it
   * @param options.followLinks whether the last part is followed if it is a link; default true
   * @throws an error with the code of the system call that would have failed: ENOENT, ENOTDIR, ELOOP, EACCES
   */
  locate(path: string, options?: { readonly followLinks?: boolean }): Promise<string>;
}

/** The root of this machine itself: every path is what it is. */
export const machineRoot: RootDirectory = { path: '/', locate: async (path) => path };

/**
 * A directory that holds the file system of a node, for `--rootfs`.
 *
 * @param path relative ones count from the working directory of this process
 * @throws GroundplaneError HOST_ROOT_UNUSABLE if there is no such directory
 */
export async function openRootDirectory(path: string): Promise<RootDirectory> {
  const refuse = (reason: string, cause?: unknown) =>
    hostError('HOST_ROOT_UNUSABLE', `Cannot work inside another root as ${reason}: ${path}`, {
      hint: 'Name an existing directory that holds the file system of the node',
      details: { path },
      cause,
    });
  let root: string;
  try {
    root = await realpath(path);
  } catch (thrown) {
    throw refuse(systemCode(thrown) === 'ENOENT' ? 'it does not exist' : messageOf(thrown), thrown);
  }
  if (!(await stat(root)).isDirectory()) throw refuse('it is not a directory');
  if (root === '/') return machineRoot;
  return { path: root, locate: (inside, { followLinks = true } = {}) => locate(root, inside, followLinks) };
}

async function locate(root: string, path: string, followLinks: boolean): Promise<string> {
  /** Names still to be walked, the next one last. */
  const pending = names(path).toReversed();
  /** Names of the directories that have been walked, from the root on. */
  const walked: string[] = [];
  let links = 0;
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === '.') continue;
    if (name === '..') {
      walked.pop();
      continue;
    }
    const place = join(root, ...walked, name);
    const kind = await kindOf(place);
    if (kind === undefined) {
      if (pending.includes('..')) throw systemError('ENOENT', path);
      return join(place, ...pending.toReversed());
    }
    if (kind === 'link' && (followLinks || pending.length > 0)) {
      links += 1;
      if (links > maximumLinks) throw systemError('ELOOP', path);
      const target = await readlink(place);
      if (target.startsWith('/')) walked.length = 0;
      pending.push(...names(target).toReversed());
      continue;
    }
    if (kind !== 'directory' && pending.length > 0) throw systemError('ENOTDIR', path);
    walked.push(name);
  }
  return join(root, ...walked);
}

/** The names in a path. A slash at the end asks for a directory, which the name `.` does as well. */
function names(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  return path.endsWith('/') ? [...parts, '.'] : parts;
}

async function kindOf(path: string): Promise<'directory' | 'link' | 'other' | undefined> {
  try {
    const status = await lstat(path);
    if (status.isSymbolicLink()) return 'link';
    return status.isDirectory() ? 'directory' : 'other';
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

const texts = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  ELOOP: 'too many symbolic links',
} as const;

function systemError(code: keyof typeof texts, path: string): Error {
  return Object.assign(new Error(`${code}: ${texts[code]}, '${path}'`), { code });
}
