import { systemCode } from './error-codes.ts';
import { readlink, readText } from './file-calls.ts';
import { readKernelFile } from './kernel-file.ts';

/** What tells one process from every other of this machine, also from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks between boot and the start of the process. */
  readonly startTicks: string;
  /** /proc/sys/kernel/random/boot_id */
  readonly bootId: string;
  /** The PID namespace that `pid` belongs to: `pid:[4026531836]`. */
  readonly pidNamespace: string;
}

/** Linux shows times to user space in hundredths of a second on every architecture. */
const ticksPerSecond = 100;
/** States of a process that runs no more: zombie, dead. */
const finishedStates: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/** Fields 3 (state) and 22 (start time) of a stat line; the name in field 2 may hold blanks and parentheses. */
export function parseStat(text: string): { readonly state: string; readonly startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return {
    pid: process.pid,
    startTicks: parseStat(await readText('/proc/self/stat')).startTicks,
    bootId: await readBootId(),
    pidNamespace: await readlink('/proc/self/ns/pid'),
  };
}

/**
 * Whether that process still runs. `unknown` where we cannot see it: its id belongs to another PID namespace.
 *
 * @param own identity of the asking process
 */
export async function processState(
  other: ProcessIdentity,
  own: ProcessIdentity,
): Promise<'running' | 'finished' | 'unknown'> {
  if (other.bootId !== own.bootId) return 'finished';
  if (other.pidNamespace !== own.pidNamespace) return 'unknown';
  if (!signalReaches(other.pid)) return 'finished';
  const text = await readKernelFile(`/proc/${other.pid}/stat`);
  // It answered a moment ago: it ended meanwhile, or /proc is mounted so that we do not see others' processes.
  if (text === undefined) return signalReaches(other.pid) ? 'unknown' : 'finished';
  const { state, startTicks } = parseStat(text);
  return startTicks !== other.startTicks || finishedStates.has(state) ? 'finished' : 'running';
}

/** Milliseconds since the epoch at which a process was started, to a hundredth of a second. */
export async function processStartMs(pid: number): Promise<number | undefined> {
  const stat = await readKernelFile(`/proc/${pid}/stat`);
  const uptime = await readKernelFile('/proc/uptime');
  if (stat === undefined || uptime === undefined) return undefined;
  const bootMs = Date.now() - Number.parseFloat(uptime) * 1000;
  return bootMs + (Number(parseStat(stat).startTicks) / ticksPerSecond) * 1000;
}

async function readBootId(): Promise<string> {
  return ((await readKernelFile('/proc/sys/kernel/random/boot_id')) ?? '').trim();
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
