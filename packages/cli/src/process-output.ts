import { fstatSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Output } from './invocation.ts';

type Descriptor = 1 | 2;

/** The output of this process. */
export function processOutput(): Output {
  return {
    stdout: (text) => write(1, text),
    stderr: (text) => write(2, text),
    // Asked for only where it may be a terminal: setting up process.stdout takes time.
    columns: isCharacterDevice(1) && process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
  };
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** What could not be written, and why. Nothing more is written there, so that what did arrive is a whole beginning. */
const lost = new Map<Descriptor, NodeJS.ErrnoException>();

/** Why a part of stdout is missing, for another reason than that nobody reads it; undefined if it is all there. */
export function lostOutput(): NodeJS.ErrnoException | undefined {
  const reason = lost.get(1);
  return reason?.code === 'EPIPE' ? undefined : reason;
}

/**
 * Writes at once, so that nothing is lost when the process ends. It never throws: whoever tells of an event in the midst of a run cannot
 * mend a full disk. A reader that has gone tells the process to stop, as SIGPIPE does other programs.
 */
function write(descriptor: Descriptor, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0 && !lost.has(descriptor)) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (thrown) {
      const error = thrown as NodeJS.ErrnoException;
      // A full pipe that is in non-blocking mode: wait for its reader.
      if (error.code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
        continue;
      }
      lost.set(descriptor, error);
      if (error.code === 'EPIPE') stopBy('SIGPIPE', 'as nobody reads its output any more');
    }
  }
}

const stop: {
  readonly controller: AbortController;
  isListening: boolean;
  /** True from the first signal that told the process to stop. */
  isTold: boolean;
  /** What told the process to stop, once it did. */
  signal: NodeJS.Signals | undefined;
  /** True from when the process ends by its own will. */
  isEnding: boolean;
} = { controller: new AbortController(), isListening: false, isTold: false, signal: undefined, isEnding: false };

function stopBy(signal: NodeJS.Signals, reason: string): void {
  stop.signal ??= signal;
  stop.controller.abort(new Error(`stopped ${reason}`));
}

const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Aborted by the first SIGINT, SIGTERM or SIGHUP and by a reader that has gone, so that a run can end between two writes; the second signal
 * ends the process at once.
 *
 * Signals that the process was started to ignore, by `nohup` for one, are left ignored; Node.js forgets them, and the launcher of the archive
 * hands them on in `GROUNDPLANE_IGNORED_SIGNALS`.
 */
export function stopSignal(): AbortSignal {
  if (stop.isListening) return stop.controller.signal;
  stop.isListening = true;
  const ignored = (process.env.GROUNDPLANE_IGNORED_SIGNALS ?? '').split(' ');
  for (const name of stoppingSignals) {
    if (ignored.includes(name)) process.on(name, () => {});
    else process.on(name, tellToStop);
  }
  return stop.controller.signal;
}

/**
 * Both signals may be there when a busy process first looks, so it keeps listening until all that are there have been looked at. From then
 * on the system ends the process, which it can do in the midst of a write that nobody reads; only the first process of a container it
 * does not end.
 */
function tellToStop(name: NodeJS.Signals): void {
  if (stop.isTold) {
    stop.signal = name;
    endProcess(1);
  }
  stop.isTold = true;
  stop.signal ??= name;
  setImmediate(() => {
    if (process.pid !== 1) for (const each of stoppingSignals) process.removeListener(each, tellToStop);
    stopBy(name, `by ${name}`);
  });
}

/** True if the process stops for nothing but that nobody reads what it says. */
export function isUnread(): boolean {
  return stop.signal === 'SIGPIPE';
}

/** Ends the process: by the signal that told it to stop, as its caller expects then, or with the exit code. */
export function endProcess(exitCode: number): never {
  stop.isEnding = true;
  const { signal } = stop;
  if (signal === undefined) process.exit(exitCode);
  // Node.js ignores SIGPIPE; a listener that goes leaves the signal's own effect behind.
  process.on(signal, () => {});
  for (const name of [...stoppingSignals, signal]) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // The first process of a container is not ended by its own signals.
  process.exit(128 + constants.signals[signal]);
}

/** Calls back where the process ends although it was not to: somebody else ended it, or nothing is left that it could wait for. */
export function onUnexpectedEnd(tell: () => number): void {
  process.once('exit', () => {
    if (!stop.isEnding) process.exitCode = tell();
  });
}

/** The standard input of this process; set up when it is first asked for. */
export function processInput(): AsyncIterable<Uint8Array> {
  return process.stdin;
}
