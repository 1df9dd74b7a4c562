import { fstatSync, writeSync } from 'node:fs';
import type { Output } from './invocation.ts';

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

/** Writes at once, so that nothing is lost when the process ends; a reader that has gone is no error. */
function write(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      // A full pipe that is in non-blocking mode: wait for its reader.
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else throw thrown;
    }
  }
}

interface Stop {
  readonly controller: AbortController;
  /** What told the process to stop, once it did. */
  signal: NodeJS.Signals | undefined;
}

let stop: Stop | undefined;

/**
 * Aborted by the first SIGINT or SIGTERM, so that a run can end between two writes; the second one ends the process at once.
 */
export function stopSignal(): AbortSignal {
  if (stop !== undefined) return stop.controller.signal;
  const state: Stop = { controller: new AbortController(), signal: undefined };
  stop = state;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      state.signal ??= name;
      state.controller.abort(new Error(`stopped by ${name}`));
    });
  }
  return state.controller.signal;
}

/** Ends the process: by the signal that told it to stop, as its caller expects then, or with the exit code. */
export function endProcess(exitCode: number): void {
  if (stop?.signal !== undefined) {
    for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
    process.kill(process.pid, stop.signal);
  } else {
    process.exit(exitCode);
  }
}

/** The standard input of this process; set up when it is first asked for. */
export function processInput(): AsyncIterable<Uint8Array> {
  return process.stdin;
}
