import { acquireLock } from '@groundplane/host';

/** Where the lock and the journal of this node are. */
export interface StatePaths {
  readonly lock: string;
  /** Absent where none is kept. */
  readonly journal?: string;
}

export interface StateOwner {
  readonly uid: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Root's state is the node's. Others can write files of their choice only, so each has a lock of his own and no journal.
 * `GROUNDPLANE_STATE_DIR` sets another folder for both, for machines that make the files of several nodes at the same time.
 */
export function statePaths({ uid, environment }: StateOwner): StatePaths {
  const folder = environment.GROUNDPLANE_STATE_DIR;
  if (folder !== undefined && folder !== '') return { lock: `${folder}/lock`, journal: `${folder}/journal.jsonl` };
  if (uid === 0) return { lock: '/run/groundplane/lock', journal: '/var/lib/groundplane/journal.jsonl' };
  return { lock: `${environment.XDG_RUNTIME_DIR ?? `/tmp/groundplane-${uid}`}/groundplane.lock` };
}

/** The state paths of this process. */
export function ownStatePaths(): StatePaths {
  return statePaths({ uid: process.getuid?.() ?? 0, environment: process.env });
}

/**
 * Runs a command that writes while no other one runs on this node.
 *
 * @param path the lock
 * @param who the command, for the message that others get
 * @throws GroundplaneError HOST_LOCKED at once if another command holds the lock
 */
export async function withNodeLock<T>(path: string, who: string, action: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(path, { who });
  try {
    return await action();
  } finally {
    await lock.release();
  }
}
