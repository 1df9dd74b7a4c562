import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownProcess } from '../own-process.ts';

/** Who may change something that is going to be run, and what to do about it. */
export interface Distrust {
  /** After "as". */
  readonly reason: string;
  readonly hint: string;
}

const root = 0;
const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * Why root must not run what is in a file or folder: somebody else may put other things there.
 *
 * @param isAbove true of a folder above it: where only its owner may rename what is in it, as in /tmp, others may write to it
 */
export function distrustOfStatus(
  path: string,
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  { isAbove = false }: { readonly isAbove?: boolean } = {},
): Distrust | undefined {
  if (uid !== root)
    return {
      reason: `${path} belongs to the user ${uid}, who may change it`,
      hint: `Make it root's: chown root ${path}`,
    };
  const isOpen = (mode & writableByAll) !== 0 || (gid !== root && (mode & writableByGroup) !== 0);
  if (!isOpen || (isAbove && (mode & sticky) !== 0)) return undefined;
  const bits = (mode & 0o7777).toString(8).padStart(4, '0');
  return { reason: `others may write to ${path}: ${bits}`, hint: `Take that right from them: chmod go-w ${path}` };
}

/**
 * Why root must not run what is at a path, or below it. Others run what they please.
 *
 * @param path absolute; what is not there is nobody's
 * @param isTree true to look at all that is below it, too, without what it depends on and hidden folders
 */
export function distrustOf(path: string, { isTree = false }: { readonly isTree?: boolean } = {}): Distrust | undefined {
  if (ownProcess().uid !== root) return undefined;
  const real = withoutFile(() => realpathSync(path));
  if (real === undefined) return undefined;
  const own = distrustAbove(path) ?? distrustAbove(real) ?? distrustAt(real);
  return own ?? (isTree ? distrustBelow(real, new Set([real])) : undefined);
}

function distrustAt(path: string): Distrust | undefined {
  const status = withoutFile(() => statSync(path));
  return status && distrustOfStatus(path, status);
}

function distrustAbove(path: string): Distrust | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const status = withoutFile(() => statSync(parent));
  return (status && distrustOfStatus(parent, status, { isAbove: true })) ?? distrustAbove(parent);
}

/** @param seen real paths of folders that were looked at, as links may lead in a circle */
function distrustBelow(path: string, seen: Set<string>): Distrust | undefined {
  const entries = withoutFile(() => readdirSync(path, { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const own = join(path, entry.name);
    const found = distrustAt(own) ?? (entry.isSymbolicLink() ? distrustBehind(own) : undefined);
    if (found !== undefined) return found;
    const real = withoutFile(() => realpathSync(own));
    if (real === undefined || seen.has(real) || !statSync(real).isDirectory()) continue;
    seen.add(real);
    const below = distrustBelow(real, seen);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Of a link: whoever may change what is above its target has a say as well. */
function distrustBehind(link: string): Distrust | undefined {
  const real = withoutFile(() => realpathSync(link));
  return real === undefined ? undefined : distrustAbove(real);
}

function withoutFile<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
