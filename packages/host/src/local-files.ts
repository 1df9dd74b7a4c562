import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { FileContent, FileStatus, Files, Leftover } from '@groundplane/phases';
import { atomicWrite } from './atomic-write.ts';
import { ensureDirectory, syncDirectory } from './directories.ts';
import { emptyDirectory } from './empty-directory.ts';
import { hostError, isAbsent, systemCode } from './error-codes.ts';
import { lstat, type OpenFile, open, readdir, realpath, rmdir, stat, unlink } from './file-calls.ts';
import { describeFailure, nearestExisting, requireRoom } from './file-failures.ts';
import { readWhole } from './read-whole.ts';
import { machineRoot, type RootDirectory } from './root-directory.ts';

/**
 * The files of this machine, or of the node whose file system is in another root.
 *
 * @throws GroundplaneError HOST_FILE_UNREADABLE, HOST_FILE_UNWRITABLE; TypeError for a path that is not absolute
 */
export function localFiles(root: RootDirectory = machineRoot): Files {
  const { reading, writing } = attemptsIn(root);
  return {
    read: (path) => reading(path, 'read', contentOf),
    status: (path, options = {}) =>
      reading(path, 'look at', async (place) => statusOf(await lookAt(place, options)), options),
    list: (path) => reading(path, 'list', async (place) => (await readdir(place)).sort()),
    write: (path, bytes, { mode, maxMode, directoryMode = 0o755 }) =>
      writing(path, 'write', async (place) => {
        requireFileName(path);
        await requireRoom(place, bytes.length);
        await withoutTrace(place, () => atomicWrite(place, bytes, { mode, maxMode, directoryMode }));
      }),
    append: (path, bytes, { mode }) =>
      writing(path, 'append to', (place) => {
        requireFileName(path);
        return withoutTrace(place, () => appendRecord(place, bytes, mode));
      }),
    makeDirectory: (path, { mode }) =>
      writing(path, 'make the directory', (place) => withoutTrace(place, () => ensureDirectory(place, mode))),
    remove: (path) => writing(path, 'remove', removeFile, { followLinks: false }),
    realPath: (path) => reading(path, 'look at', (place) => realPathIn(root, place)),
    removeDirectory: (path) => writing(path, 'remove the directory', removeDirectory, { followLinks: false }),
    empty: (path) => writing(path, 'empty', (place) => emptied(root, path, place)),
  };
}

interface LinkOptions {
  readonly followLinks?: boolean;
}

function lookAt(place: string, { followLinks = true }: LinkOptions): Promise<BigIntStats> {
  return (followLinks ? stat : lstat)(place, { bigint: true });
}

async function contentOf(path: string): Promise<FileContent> {
  const { stats, bytes } = await readWhole(path);
  return { ...statusOf(stats), bytes };
}

/**
 * One write(2): a process killed meanwhile leaves the record there or not there, and two appenders do not mix theirs. What a full
 * disk cuts short is taken back.
 */
async function appendRecord(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await ensureDirectory(dirname(path), 0o755);
  const { handle, isNew } = await openForAppend(path, mode);
  try {
    const bytesWritten = await handle.write(bytes);
    if (bytesWritten < bytes.length) {
      await handle.truncate(Number((await handle.status()).size) - bytesWritten);
      throw Object.assign(new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`), { code: 'ENOSPC' });
    }
    await handle.datasync();
  } catch (thrown) {
    if (isNew) await unlink(path).catch(() => undefined);
    throw thrown;
  } finally {
    await handle.close();
  }
}

async function openForAppend(path: string, mode: number): Promise<{ handle: OpenFile; isNew: boolean }> {
  // A pipe without a reader is an error then, and no endless wait.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK;
  try {
    const handle = await open(path, flags | constants.O_CREAT | constants.O_EXCL, mode);
    await syncDirectory(dirname(path));
    return { handle, isNew: true };
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    return { handle: await open(path, flags), isNew: false };
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (thrown) {
    // A read-only file system refuses before it looks.
    if (isAbsent(thrown) || (systemCode(thrown) === 'EROFS' && (await isMissing(path)))) return;
    throw thrown;
  }
  await syncDirectory(dirname(path));
}

async function removeDirectory(path: string): Promise<void> {
  try {
    await rmdir(path);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return;
    throw thrown;
  }
  await syncDirectory(dirname(path));
}

/** The path as programs in the root see it, without symbolic links. */
async function realPathIn(root: RootDirectory, place: string): Promise<string> {
  const real = await realpath(place);
  return root === machineRoot ? real : real.slice(root.path.length) || '/';
}

async function emptied(root: RootDirectory, path: string, place: string): Promise<readonly Leftover[]> {
  const real = await realpath(place).catch(absent);
  if (real === undefined) return [];
  if (root !== machineRoot && real !== place) throw new Error('a link was put in its place meanwhile');
  const failures: { readonly name: string; readonly thrown: unknown }[] = [];
  emptyDirectory(real, { onLeftover: (name, thrown) => failures.push({ name, thrown }) });
  await syncDirectory(real);
  return Promise.all(
    failures.map(async ({ name, thrown }) => ({
      path: join(path, name),
      reason: (await describeFailure(thrown, join(real, name))).reason,
    })),
  );
}

/** @throws what was thrown unless it says that nothing is there */
function absent(thrown: unknown): undefined {
  if (!isAbsent(thrown)) throw thrown;
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(() => false, isAbsent);
}

function statusOf(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    size: Number(stats.size),
    // Nanoseconds since the epoch are beyond what a number holds exactly.
    modifiedMs: Number(stats.mtimeNs / 1_000_000n) + Number(stats.mtimeNs % 1_000_000n) / 1e6,
  };
}

function kindOf(stats: BigIntStats): FileStatus['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}

/** If the action fails, the directories that it made on the way to the path go again, unless something is in them. */
async function withoutTrace(path: string, action: () => Promise<void>): Promise<void> {
  const existing = await nearestExisting(path);
  try {
    await action();
  } catch (thrown) {
    for (let place = dirname(path); place.length > existing.length; place = dirname(place)) {
      if ((await rmdir(place).catch((error: unknown) => error)) !== undefined) break;
    }
    throw thrown;
  }
}

/** Operations on the paths of a node, whose failures name the path, the reason and what to do. */
function attemptsIn(root: RootDirectory) {
  const inRoot = root === machineRoot ? '' : ` in the root ${root.path}`;
  async function failed(
    code: 'HOST_FILE_UNREADABLE' | 'HOST_FILE_UNWRITABLE',
    { path, verb, thrown, options }: { path: string; verb: string; thrown: unknown; options: LinkOptions },
  ): Promise<Error> {
    const place = await root.locate(path, options).catch(() => join(root.path, path));
    const { reason, hint } = await describeFailure(thrown, place);
    return hostError(code, `Cannot ${verb} ${path}${inRoot} as ${reason}`, {
      cause: thrown,
      details: { path, ...(root === machineRoot ? {} : { root: root.path }) },
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return {
    async reading<T>(
      path: string,
      verb: string,
      action: (place: string) => Promise<T>,
      options: LinkOptions = {},
    ): Promise<T | undefined> {
      requireAbsolute(path);
      try {
        return await action(await root.locate(path, options));
      } catch (thrown) {
        if (isAbsent(thrown) && !(await isDirectoryExpectedButFile(root, path, thrown))) return undefined;
        throw await failed('HOST_FILE_UNREADABLE', { path, verb, thrown, options });
      }
    },
    async writing<T>(
      path: string,
      verb: string,
      action: (place: string) => Promise<T>,
      options: LinkOptions = {},
    ): Promise<T> {
      requireAbsolute(path);
      try {
        return await action(await root.locate(path, options));
      } catch (thrown) {
        throw await failed('HOST_FILE_UNWRITABLE', { path, verb, thrown, options });
      }
    },
  };
}

/** ENOTDIR is absence for `file/name`, but a fault where the path itself is there and is no directory. */
async function isDirectoryExpectedButFile(root: RootDirectory, path: string, thrown: unknown): Promise<boolean> {
  if (systemCode(thrown) !== 'ENOTDIR') return false;
  return root
    .locate(path)
    .then((place) => stat(place))
    .then(
      () => true,
      () => false,
    );
}

/** A slash or a dot at the end asks for a directory. */
function requireFileName(path: string): void {
  if (/\/\.{0,2}$/.test(path)) throw Object.assign(new Error(`EISDIR: '${path}'`), { code: 'EISDIR' });
}

function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new TypeError(`Cannot use '${path}' as a path of the node: it is not absolute`);
}
