import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { ensureDirectory } from './directories.ts';
import { hostError, isAbsent, systemCode } from './error-codes.ts';
import { link, type OpenFile, open, readdir, unlink } from './file-calls.ts';
import { describeFailure } from './file-failures.ts';
import { ownIdentity, type ProcessIdentity, processState } from './process-identity.ts';
import { randomHex } from './random-hex.ts';

export interface Lock {
  /** Gives the lock back. A second call does nothing. */
  release(): Promise<void>;
}

/** What the lock file says. */
interface LockRecord extends ProcessIdentity {
  /** The command that holds it. */
  readonly who: string;
  /** ISO 8601. */
  readonly since: string;
  /** Unique to this acquisition. */
  readonly token: string;
}

/** More than a record has. */
const maximumBytes = 64 * 1024;

/** What an attempt needs to know. */
interface Claim {
  /** Path of the lock itself; takeover files are named after it. */
  readonly base: string;
  /** A file with our record, ready to be linked. */
  readonly draft: string;
  readonly record: LockRecord;
}

/**
 * Takes the lock of this node, or fails at once and says who holds it. The lock is a file that appears with its whole content
 * in one step (link(2)); that of a process which has ended is taken over. A takeover goes through a second file named after
 * the dead holder's token, so that of several only one removes the dead lock, and never a living one.
 *
 * @param path absolute path of the lock file, on a file system of this machine
 * @param options.who the command, for the message that others get
 * @throws GroundplaneError HOST_LOCKED, HOST_LOCK_UNREADABLE, HOST_FILE_UNWRITABLE
 */
export async function acquireLock(path: string, options: { readonly who: string }): Promise<Lock> {
  const token = randomHex();
  const record: LockRecord = { who: options.who, since: new Date().toISOString(), token, ...(await ownIdentity()) };
  const draft = `${path}.draft-${record.pid}-${token}`;
  try {
    await ensureDirectory(dirname(path), 0o755);
    await writeDraft(draft, record);
  } catch (thrown) {
    await unlink(draft).catch(() => undefined);
    const { reason, hint } = await describeFailure(thrown, path);
    throw hostError('HOST_FILE_UNWRITABLE', `Cannot write the lock ${path} as ${reason}`, {
      cause: thrown,
      details: { path },
      ...(hint === undefined ? {} : { hint }),
    });
  }
  try {
    await claim(path, { base: path, draft, record });
    await removeRemains(path, record);
  } finally {
    await unlink(draft);
  }
  return { release: () => release(path, token) };
}

async function writeDraft(path: string, record: LockRecord): Promise<void> {
  const handle = await open(path, 'wx', 0o644);
  try {
    await handle.writeAll(new TextEncoder().encode(`${JSON.stringify(record)}\n`));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes `path` ours, or throws. `path` is the lock or a takeover file; both follow the same rules. */
async function claim(path: string, attempt: Claim): Promise<void> {
  for (;;) {
    if (await linked(attempt.draft, path)) return;
    const holder = await readRecord(path);
    if (holder === undefined) continue;
    if ((await processState(holder, attempt.record)) !== 'finished') throw locked(attempt.base, holder);
    await removeDead(path, holder, attempt);
  }
}

/** Removes the lock of a dead holder. Whoever has the takeover file may remove that very lock and no other. */
async function removeDead(path: string, dead: LockRecord, attempt: Claim): Promise<void> {
  const takeover = `${attempt.base}.takeover-${dead.token}`;
  await claim(takeover, attempt);
  try {
    if ((await readRecord(path))?.token === dead.token) await unlink(path);
  } finally {
    await release(takeover, attempt.record.token);
  }
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

async function readRecord(path: string): Promise<LockRecord | undefined> {
  const text = await readLock(path);
  if (text === undefined) return undefined;
  try {
    const record: Partial<LockRecord> = JSON.parse(text);
    if (typeof record.token === 'string' && typeof record.pid === 'number' && typeof record.startTicks === 'string') {
      return record as LockRecord;
    }
  } catch {
    // Reported below.
  }
  throw unreadable(path, `its content is not that of a lock: ${text.length} bytes`);
}

function unreadable(path: string, reason: string): Error {
  return hostError('HOST_LOCK_UNREADABLE', `Cannot take the lock ${path} as ${reason}`, {
    hint: `if no other command runs on this node, remove it: rm ${path}`,
    details: { path },
  });
}

/** Whatever somebody put there: nothing is followed, waited for or read without an end. */
async function readLock(path: string): Promise<string | undefined> {
  let file: OpenFile;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw unreadable(path, systemCode(thrown) === 'ELOOP' ? 'it is a symbolic link' : messageOf(thrown));
  }
  try {
    const status = await file.status();
    if (!status.isFile()) throw unreadable(path, 'it is no regular file');
    const bytes = new Uint8Array(maximumBytes);
    return new TextDecoder().decode(bytes.subarray(0, await file.read(bytes)));
  } finally {
    await file.close();
  }
}

async function release(path: string, token: string): Promise<void> {
  if ((await readRecord(path))?.token !== token) return;
  await unlink(path).catch((thrown: unknown) => {
    if (!isAbsent(thrown)) throw thrown;
  });
}

/** Files that killed processes left. The lock is ours, so every takeover file is about a lock that is gone; drafts only if their writer is. */
async function removeRemains(path: string, own: LockRecord): Promise<void> {
  const prefix = basename(path);
  for (const name of await readdir(dirname(path))) {
    const remains = join(dirname(path), name);
    const writer = name.startsWith(`${prefix}.draft-`) ? await readRecord(remains).catch(() => undefined) : undefined;
    const orphaned = writer !== undefined && (await processState(writer, own)) === 'finished';
    if (orphaned || name.startsWith(`${prefix}.takeover-`)) await unlink(remains).catch(() => undefined);
  }
}

function locked(path: string, holder: LockRecord): Error {
  return hostError(
    'HOST_LOCKED',
    `Cannot take the lock ${path} as another command works on this node: ${holder.who} (process ${holder.pid}, since ${holder.since})`,
    {
      hint: `wait until it has ended; look at it with: ps -fp ${holder.pid}`,
      details: { path, who: holder.who, pid: holder.pid, since: holder.since },
    },
  );
}
