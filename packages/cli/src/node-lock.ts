import { setTimeout as sleep } from 'node:timers/promises';
import { defaultJournalPath } from '@groundplane/config';
import { isGroundplaneError } from '@groundplane/errors';
import { acquireLock, type Lock, systemClock } from '@groundplane/host';
import type { Invocation } from './invocation.ts';
import type { NodeHost } from './node-host.ts';
import { ownProcess, type StateOwner } from './own-process.ts';

/** Where the lock and the journal of this node are. */
export interface StatePaths {
  /** Absent where there is no folder for one. */
  readonly lock?: string;
  /** True if a command goes on where the lock cannot be written. */
  readonly optional?: boolean;
  /** Absent where none is kept. */
  readonly journal?: string;
}

/**
 * Root's state is the node's. Others can write files of their choice only, so each has a lock of his own, in a folder that is nobody
 * else's, and no journal.
 * `GROUNDPLANE_STATE_DIR` sets another folder for both, for machines that make the files of several nodes at the same time.
 */
export function statePaths({ uid, environment }: StateOwner): StatePaths {
  const folder = environment.GROUNDPLANE_STATE_DIR;
  if (folder !== undefined && folder !== '') return { lock: `${folder}/lock`, journal: `${folder}/journal.jsonl` };
  if (uid === 0) return { lock: '/run/groundplane/lock', journal: defaultJournalPath };
  const { XDG_RUNTIME_DIR: session, HOME: home } = environment;
  const own = session || (home && `${home}/.local/state`);
  return own ? { lock: `${own}/groundplane.lock`, optional: true } : {};
}

/** The command that holds the lock. */
export interface LockHolder {
  /** `groundplane init` */
  readonly command: string;
  readonly pid: number;
}

/** That a command waits, and for whom. */
export function lockWaitText({ command, pid }: LockHolder): string {
  return `Waiting for another command on this node: ${command} (process ${pid})`;
}

/**
 * The turn of a command that changes a node, whose lock is in the file system of that node, wherever that is. For whom it waits is told on
 * standard error.
 */
export async function turnOf(
  { program, path, signal, output }: Pick<Invocation, 'program' | 'path' | 'signal' | 'output'>,
  node: Pick<NodeHost, 'locate'>,
): Promise<NodeLockOptions> {
  const { lock, optional } = statePaths(ownProcess());
  const waiting = (holder: LockHolder) => output.stderr(`${lockWaitText(holder)}\n`);
  return { path: lock && (await node.locate(lock)), optional, who: [program, ...path].join(' '), waiting, signal };
}

export interface NodeLockOptions {
  /** Of the lock; without one the command just runs. */
  readonly path: string | undefined;
  /** True if it just runs where the lock cannot be written, too. */
  readonly optional?: boolean | undefined;
  /** The command, for the message that others get. */
  readonly who: string;
  /** How long to wait for another command. @default a minute, which all but a whole `init` is done in */
  readonly waitMs?: number;
  /** Told once, when it is going to take longer. */
  readonly waiting?: (holder: LockHolder) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs a command that writes while no other one runs on this node. Tools call phases side by side, so it waits its turn.
 *
 * @param action told whether another command ran until now, so that what was found out before may not be so any more
 * @throws GroundplaneError HOST_LOCKED if another command holds the lock all the time
 */
export async function withNodeLock<T>(
  options: NodeLockOptions,
  action: (turn: { readonly waited: boolean }) => Promise<T>,
): Promise<T> {
  const { lock, waited } = await lockInTurn(options);
  try {
    return await action({ waited });
  } finally {
    await lock?.release();
  }
}

const pollMs = 50;
const noticeMs = 1000;

async function lockInTurn({
  path,
  optional = false,
  who,
  waitMs = 60_000,
  waiting,
  signal,
}: NodeLockOptions): Promise<{ readonly lock?: Lock; readonly waited: boolean }> {
  if (path === undefined) return { waited: false };
  const { monotonicMs } = systemClock();
  const start = monotonicMs();
  for (let isTold = false, waits = false; ; waits = true) {
    try {
      return { lock: await acquireLock(path, { who }), waited: waits };
    } catch (thrown) {
      const waited = monotonicMs() - start;
      const code = isGroundplaneError(thrown) ? thrown.code : undefined;
      if (optional && code === 'HOST_FILE_UNWRITABLE') return { waited: waits };
      if (!isGroundplaneError(thrown) || code !== 'HOST_LOCKED' || waited >= waitMs) throw thrown;
      if (!isTold && waited >= noticeMs) {
        waiting?.({ command: String(thrown.details.who), pid: Number(thrown.details.pid) });
        isTold = true;
      }
    }
    signal?.throwIfAborted();
    await sleep(pollMs);
  }
}
