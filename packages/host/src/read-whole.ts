import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from './error-codes.ts';
import { type OpenFile, open } from './file-calls.ts';

/** What is in place of a file, or more than a file here can be; the message completes "Cannot read PATH as …". */
export class NotReadWhole extends Error {}

/** Larger than anything that a node is set up with, small enough for the memory of any. */
const maximumMebibytes = 16;
const maximumBytes = maximumMebibytes * 1024 * 1024;

/** Milliseconds that a named pipe may be without a writer, and that a writer may be silent. */
const patience = { withoutWriter: 2_000, silent: 60_000 };

/**
 * Reads a file to its end. Pipes (`/dev/stdin`, process substitution) and devices are read as well, yet never without an end: not
 * a pipe that nobody writes to, nor what is longer than 16 MiB.
 *
 * @throws the error of the system call, or one whose message completes "Cannot read PATH as …"
 */
export async function readWhole(path: string): Promise<{ readonly stats: BigIntStats; readonly bytes: Uint8Array }> {
  // Opening a named pipe would wait for a writer otherwise, in a thread that nothing can stop.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.status();
    if (stats.size > maximumBytes) throw tooLarge();
    return { stats, bytes: stats.isFile() ? await bounded(handle) : await untilEnd(handle, stats.isFIFO()) };
  } finally {
    await handle.close();
  }
}

/** Files of /proc have no size, so that it is looked at afterwards, too. */
async function bounded(handle: OpenFile): Promise<Uint8Array> {
  const bytes = await handle.readToEnd();
  if (bytes.length > maximumBytes) throw tooLarge();
  return bytes;
}

async function untilEnd(handle: OpenFile, isPipe: boolean): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const piece = Buffer.alloc(64 * 1024);
  let length = 0;
  let waited = 0;
  for (;;) {
    const count = await readNow(handle, piece);
    // A pipe that has brought nothing yet has no writer yet; one that has is at its end.
    if (count === 0 && (!isPipe || length > 0)) return Buffer.concat(pieces);
    if (count === undefined || count === 0) {
      const limit = count === undefined ? patience.silent : patience.withoutWriter;
      if (waited >= limit)
        throw new NotReadWhole(`it is a pipe (FIFO) that nobody writes to, and no file: waited ${limit / 1000} s`);
      await sleep(20);
      waited += 20;
      continue;
    }
    waited = 0;
    length += count;
    if (length > maximumBytes) throw tooLarge();
    pieces.push(Uint8Array.from(piece.subarray(0, count)));
  }
}

/** Bytes read; 0 at the end or without a writer, undefined if there are none now. */
async function readNow(handle: OpenFile, piece: Buffer): Promise<number | undefined> {
  try {
    return await handle.read(piece);
  } catch (thrown) {
    if (systemCode(thrown) === 'EAGAIN') return undefined;
    throw thrown;
  }
}

function tooLarge(): Error {
  return new NotReadWhole(`it is larger than ${maximumMebibytes} MiB, or never ends`);
}
