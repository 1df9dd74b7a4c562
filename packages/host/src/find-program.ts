import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './run-program.ts';

/**
 * Absolute path of the first executable file of that name in PATH. Relative entries of PATH are passed over, as Go's
 * exec.LookPath refuses them; a name with a slash is looked at as it is.
 */
export async function findProgram(name: string, environment: Environment): Promise<string | undefined> {
  if (name.includes('/')) return isAbsolute(name) && (await isExecutableFile(name)) ? name : undefined;
  for (const directory of (environment.PATH ?? '').split(':')) {
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    if (await isExecutableFile(path)) return path;
  }
  return undefined;
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
