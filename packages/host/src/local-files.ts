import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { messageOf } from '@groundplane/errors';
import type { FileContent, FileStatus, Files } from '@groundplane/phases';
import { atomicWrite } from './atomic-write.ts';
import { ensureDirectory, syncDirectory } from './directories.ts';
import { hostError, isAbsent, systemCode } from './error-codes.ts';

/**
 * The files of this machine.
 *
 * @throws GroundplaneError HOST_FILE_UNREADABLE, HOST_FILE_UNWRITABLE; TypeError for a path that is not absolute
 */
export function localFiles(): Files {
  return {
    read: (path) => reading(path, 'read', () => readWhole(path)),
    status: (path, { followLinks = true } = {}) =>
      reading(path, 'look at', async () => statusOf(await (followLinks ? stat : lstat)(path, { bigint: true }))),
    list: (path) => reading(path, 'list', async () => (await readdir(path)).sort()),
    write: (path, bytes, { mode, directoryMode = 0o755 }) =>
      writing(path, 'write', () => atomicWrite(path, bytes, { mode, directoryMode })),
    append: (path, bytes, { mode }) => writing(path, 'append to', () => appendRecord(path, bytes, mode)),
    makeDirectory: (path, { mode }) => writing(path, 'make the directory', () => ensureDirectory(path, mode)),
    remove: (path) => writing(path, 'remove', () => removeFile(path)),
  };
}

async function readWhole(path: string): Promise<FileContent> {
  const handle = await open(path, 'r');
  try {
    const status = statusOf(await handle.stat({ bigint: true }));
    return { ...status, bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

/** One write(2): a process killed meanwhile leaves the record there or not there, and two appenders do not mix theirs. */
async function appendRecord(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await ensureDirectory(dirname(path), 0o755);
  const handle = await openForAppend(path, mode);
  try {
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function openForAppend(path: string, mode: number): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND;
  try {
    const handle = await open(path, flags | constants.O_CREAT | constants.O_EXCL, mode & 0o600);
    await handle.chmod(mode);
    await syncDirectory(dirname(path));
    return handle;
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    return open(path, flags);
  }
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (thrown) {
    if (isAbsent(thrown)) return;
    throw thrown;
  }
  await syncDirectory(dirname(path));
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

async function reading<T>(path: string, verb: string, action: () => Promise<T>): Promise<T | undefined> {
  requireAbsolute(path);
  try {
    return await action();
  } catch (thrown) {
    if (isAbsent(thrown) && !(await isDirectoryExpectedButFile(path, thrown))) return undefined;
    throw hostError('HOST_FILE_UNREADABLE', `Cannot ${verb} ${path} as ${reasonOf(thrown)}`, {
      cause: thrown,
      details: { path },
    });
  }
}

/** ENOTDIR is absence for `file/name`, but a fault where the path itself is there and is no directory. */
async function isDirectoryExpectedButFile(path: string, thrown: unknown): Promise<boolean> {
  if (systemCode(thrown) !== 'ENOTDIR') return false;
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function writing(path: string, verb: string, action: () => Promise<void>): Promise<void> {
  requireAbsolute(path);
  try {
    await action();
  } catch (thrown) {
    throw hostError('HOST_FILE_UNWRITABLE', `Cannot ${verb} ${path} as ${reasonOf(thrown)}`, {
      cause: thrown,
      details: { path },
    });
  }
}

function requireAbsolute(path: string): void {
  if (!isAbsolute(path)) throw new TypeError(`Cannot use '${path}' as a path of the node: it is not absolute`);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of it is not a directory',
  EEXIST: 'something that is not a directory is in its place',
  ENOSPC: 'the file system is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  ELOOP: 'it goes through too many symbolic links',
  ENAMETOOLONG: 'its name is too long',
};

function reasonOf(thrown: unknown): string {
  const code = systemCode(thrown);
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined ? messageOf(thrown) : `${reason} (${code})`;
}
