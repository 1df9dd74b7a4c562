import { acquireLock } from '@groundplane/host';

/** Root's state is the node's; without root only files of the user's choice can be written, so others are not in the way. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Where the lock of this node is: one for root, one per user otherwise. */
function lockPath(): string {
  if (isRoot()) return '/run/groundplane/lock';
  return `${process.env.XDG_RUNTIME_DIR ?? `/tmp/groundplane-${process.getuid?.() ?? 0}`}/groundplane.lock`;
}

/** Where root's commands note who made what; others keep no journal. */
export function journalPath(): string | undefined {
  return isRoot() ? '/var/lib/groundplane/journal.jsonl' : undefined;
}

/**
 * Runs a command that writes while no other one runs on this node.
 *
 * @param who the command, for the message that others get
 * @throws GroundplaneError HOST_LOCKED at once if another command holds the lock
 */
export async function withNodeLock<T>(who: string, action: () => Promise<T>): Promise<T> {
  const lock = await acquireLock(lockPath(), { who });
  try {
    return await action();
  } finally {
    await lock.release();
  }
}
