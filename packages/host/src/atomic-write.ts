import { randomBytes } from 'node:crypto';
import { constants, renameSync } from 'node:fs';
import { type FileHandle, open, readdir, readlink, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ensureDirectory, syncDirectory } from './directories.ts';
import { isAbsent, systemCode } from './error-codes.ts';

/** As many links as the kernel follows before it says ELOOP. */
const maximumLinks = 40;

/** Temporary files that this process is writing at the moment: never leftovers. */
const inProgress = new Set<string>();

/**
 * Replaces a file in one step: the bytes go to a temporary file beside it, which is made durable and then renamed over it.
 * A reader, and a process killed at any point, finds the old file or the new one whole. There is one rename(2) per call.
 *
 * The mode is set exactly, whatever the umask. The owner of a file that is replaced stays. A symbolic link stays a link and
 * what it points to is replaced, as a write in place would do it; this holds for a dangling link too. Temporary files that
 * a killed process left behind for this path (`.NAME.groundplane-…`) are removed first.
 *
 * @throws the error of the system call
 */
export async function atomicWrite(
  path: string,
  bytes: Uint8Array,
  options: { mode: number; directoryMode: number },
): Promise<void> {
  await ensureDirectory(dirname(path), options.directoryMode);
  const target = await followLinks(path);
  const directory = dirname(target);
  if (directory !== dirname(path)) await ensureDirectory(directory, options.directoryMode);
  await removeLeftovers(target);
  const temporary = join(directory, `${temporaryPrefix(target)}${randomBytes(8).toString('hex')}`);
  inProgress.add(temporary);
  try {
    await writeDurably(temporary, bytes, { mode: options.mode, owner: await ownerOf(target) });
    // On the main thread, not in the pool: a tracer that counts renames then sees all of them in one thread, in order.
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
    current = resolve(dirname(current), target);
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

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return await stat(path);
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

async function writeDurably(
  path: string,
  bytes: Uint8Array,
  options: { mode: number; owner: Owner | undefined },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  // Readable by nobody else until the mode is set: the bytes may be a private key.
  const handle = await open(path, flags, 0o600);
  try {
    await handle.writeFile(bytes);
    if (options.owner !== undefined) await keepOwner(handle, options.owner);
    await handle.chmod(options.mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** An owner that this process may not give the file to is let go: the write itself is allowed all the same. */
async function keepOwner(handle: FileHandle, owner: Owner): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid === owner.uid && gid === owner.gid) return;
  try {
    await handle.chown(owner.uid, owner.gid);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EPERM') throw thrown;
  }
}
