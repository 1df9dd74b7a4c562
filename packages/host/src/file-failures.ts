import { dirname } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { isAbsent, systemCode } from './error-codes.ts';
import { stat, statfs } from './file-calls.ts';
import { NotReadWhole } from './read-whole.ts';

interface FailureRow {
  /** Ends the sentence "Cannot write PATH as …". */
  readonly reason: string;
  /** @param place the nearest part of the path that exists, as it is on this machine */
  readonly hint?: (place: string) => string;
}

const whoMay = (place: string) => `Run it as root; see who may: namei -l ${place}`;
const inTheWay = (place: string) => `See what is in the way: namei -l ${place}`;

/** What a system call says no to, in words. */
const failures: Readonly<Record<string, FailureRow>> = {
  EACCES: { reason: 'permission is denied', hint: whoMay },
  EPERM: { reason: 'permission is denied', hint: whoMay },
  EISDIR: { reason: 'it is a directory', hint: inTheWay },
  ENOTDIR: { reason: 'a part of it is not a directory', hint: inTheWay },
  EEXIST: { reason: 'something that is not a directory is in its place', hint: inTheWay },
  ENOTEMPTY: { reason: 'the directory is not empty', hint: (place) => `See what it holds: ls -la ${place}` },
  ENOSPC: {
    reason: 'the file system is full',
    hint: (place) => `Make room; see what is taken: df -h ${place}; df -i ${place}`,
  },
  EDQUOT: { reason: 'the disk quota is used up', hint: (place) => `Make room, or raise the quota of ${place}` },
  EROFS: {
    reason: 'the file system is read-only',
    hint: (place) => `Mount it writable; see how it is mounted: findmnt -T ${place}`,
  },
  EBUSY: {
    reason: 'something is mounted there, or uses it',
    hint: (place) => `See what is mounted: findmnt -R -T ${place}`,
  },
  EIO: { reason: 'the disk reports a fault', hint: () => 'See what the kernel says: dmesg' },
  ELOOP: { reason: 'it goes through too many symbolic links', hint: inTheWay },
  ENAMETOOLONG: { reason: 'its name is too long' },
};

/** A failed file operation in words: why, and what to do about it. */
export interface FileFailure {
  readonly reason: string;
  readonly hint?: string;
}

/**
 * @param thrown the error of a system call
 * @param path the path on this machine that the operation was about
 */
export async function describeFailure(thrown: unknown, path: string): Promise<FileFailure> {
  const code = systemCode(thrown);
  const row = code === undefined ? undefined : failures[code];
  if (thrown instanceof NotReadWhole)
    return { reason: thrown.message, hint: `See what it is: ls -la ${path}; move it away or put a file in its place` };
  if (code === undefined || row === undefined) return { reason: messageOf(thrown) };
  const place = await nearestExisting(path);
  // Of a long path one would like to know which part it is.
  const reason = code === 'ENOTDIR' && place !== path ? `${place} is not a directory` : row.reason;
  return { reason: `${reason} (${code})`, ...(row.hint === undefined ? {} : { hint: row.hint(place) }) };
}

/**
 * Refuses to begin a write that a full file system would stop halfway: nothing is touched then, not even the time of the directory.
 *
 * @throws an error with the code ENOSPC
 */
export async function requireRoom(path: string, bytes: number): Promise<void> {
  const status = await statfs(await nearestExisting(path)).catch(() => undefined);
  // File systems that do not count say zero of everything.
  if (status === undefined || status.blocks === 0) return;
  const free = process.geteuid?.() === 0 ? status.bfree : status.bavail;
  const noNode = status.files > 0 && status.ffree === 0;
  if (Math.ceil(bytes / status.bsize) <= free && !noNode) return;
  throw Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC' });
}

/** The path itself, or the nearest directory above it that exists. */
export async function nearestExisting(path: string): Promise<string> {
  for (let place = path; ; place = dirname(place)) {
    try {
      await stat(place);
      return place;
    } catch (thrown) {
      if (place === '/' || !isAbsent(thrown)) return place;
    }
  }
}
