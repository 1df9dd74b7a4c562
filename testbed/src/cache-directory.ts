import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder outside the checkout that holds what is slow to make: components,
 * images, the Debian root, and the machines themselves.
 *
 * `$GROUNDPLANE_CACHE`, else `$XDG_CACHE_HOME/groundplane`, else `~/.cache/groundplane`.
 */
export function cacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const own = environment.GROUNDPLANE_CACHE;
  if (own) return own;
  const base = environment.XDG_CACHE_HOME || join(environment.HOME || homedir(), '.cache');
  return join(base, 'groundplane');
}
