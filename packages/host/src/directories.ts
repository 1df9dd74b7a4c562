import { dirname } from 'node:path';
import { systemCode } from './error-codes.ts';
import { mkdir, open, stat } from './file-calls.ts';

/** Makes a change of a directory's entries survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a directory and those missing on the way to it, each with this mode without the bits of the umask. Directories that
 * exist are left as they are; a symbolic link to a directory counts as one.
 */
export async function ensureDirectory(path: string, mode: number): Promise<void> {
  if (await isDirectory(path)) return;
  await ensureDirectory(dirname(path), mode);
  try {
    await mkdir(path, mode);
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST' && (await isDirectory(path))) return;
    throw thrown;
  }
  await syncDirectory(dirname(path));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return false;
    throw thrown;
  }
}
