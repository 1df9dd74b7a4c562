import { constants, renameSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { ensureDirectory, syncDirectory } from './directories.ts';
import { isAbsent, systemCode } from './error-codes.ts';
import { type OpenFile, open, readdir, readlink, realpath, stat, unlink } from './file-calls.ts';
import { randomHex } from './random-hex.ts';

export interface WriteModes {
  /** Of a file that is made. */
  readonly mode: number;
  /** The most permissive mode that a file which is replaced may keep. */
  readonly maxMode?: number | undefined;
  /** Of directories that have to be made on the way to the file. */
  readonly directoryMode: number;
}

/** As many links as the kernel follows before it says ELOOP. */
const maximumLinks = 40;

/** Temporary files that this process is writing at the moment: never leftovers. */
const inProgress = new Set<string>();

/**
 * Replaces a file in one step: the bytes go to a temporary file beside it, which is made durable and then renamed over it.
 * A reader, and a process killed at any point, finds the old file or the new one whole. There is one rename(2) per call.
 *
 * Modes are those of a write in place: a new file has `mode` without the bits of the umask; a file that is replaced keeps its mode,
 * without the bits beyond `maxMode` if that is given, and its owner. A symbolic link stays a link and what it points to is
 * replaced; this holds for a dangling link too. Temporary files that a killed process left behind for this path
 * (`.NAME.groundplane-…`) are removed first.
 *
 * @throws the error of the system call
 */
export async function atomicWrite(path: string, bytes: Uint8Array, options: WriteModes): Promise<void> {
  await ensureDirectory(dirname(path), options.directoryMode);
  const followed = await followLinks(path);
  if (dirname(followed) !== dirname(path)) await ensureDirectory(dirname(followed), options.directoryMode);
  const directory = await realpath(dirname(followed));
  const target = join(directory, basename(followed));
  await removeLeftovers(target);
  const temporary = join(directory, `${temporaryPrefix(target)}${randomHex()}`);
  inProgress.add(temporary);
  try {
    await writeDurably(temporary, bytes, { ...options, replaced: await replacedFile(target) });
    renameSync(temporary, target);
  } catch (thrown) {
    await unlink(temporary).catch(() => undefined);
    throw thrown;
  } finally {
    inProgress.delete(temporary);
  }
  await syncDirectory(directory);
}

/** How the names of temporary files for this path begin. */
export function temporaryPrefix(path: string): string {
  return `.${basename(path)}.groundplane-`;
}

async function followLinks(path: string): Promise<string> {
  let current = path;
  for (let links = 0; links <= maximumLinks; links += 1) {
    let target: string;
    try {
      target = await readlink(current);
    } catch (thrown) {
      // EINVAL: it is there and is no link.
      if (isAbsent(thrown) || systemCode(thrown) === 'EINVAL') return current;
      throw thrown;
    }
    // Not by the text of the paths: `..` goes up from where a linked directory is, not from the link.
    current = isAbsolute(target) ? target : `${await realpath(dirname(current))}/${target}`;
  }
  throw Object.assign(new Error(`ELOOP: too many symbolic links, open '${path}'`), { code: 'ELOOP' });
}

async function removeLeftovers(target: string): Promise<void> {
  const prefix = temporaryPrefix(target);
  const directory = dirname(target);
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.startsWith(prefix) && !inProgress.has(path)) await unlink(path);
  }
}

interface ReplacedFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

async function replacedFile(path: string): Promise<ReplacedFile | undefined> {
  try {
    const { mode, uid, gid } = await stat(path);
    return { mode: mode & 0o7777, uid, gid };
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

async function writeDurably(
  path: string,
  bytes: Uint8Array,
  { mode, maxMode = 0o7777, replaced }: WriteModes & { readonly replaced: ReplacedFile | undefined },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // What is to be closed is never open: of a new file the kernel takes the umask off, any other is closed until its mode is set.
  const handle = await open(path, flags, replaced === undefined ? mode : 0o600);
  try {
    await handle.writeAll(bytes);
    if (replaced !== undefined) {
      await keepOwner(handle, replaced);
      await handle.chmod(replaced.mode & maxMode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** An owner that this process may not give the file to is let go: the write itself is allowed all the same. */
async function keepOwner(handle: OpenFile, owner: ReplacedFile): Promise<void> {
  const { uid, gid } = await handle.status();
  if (Number(uid) === owner.uid && Number(gid) === owner.gid) return;
  try {
    await handle.chown(owner.uid, owner.gid);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EPERM') throw thrown;
  }
}
