import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import { distrustOf } from './distrust.ts';
import { pluginsDirectory } from './plugins-directory.ts';

/** One plugin, as the registry has it. */
export interface InstalledPlugin {
  /** Name of its package. */
  readonly name: string;
  /** Folder of its package; absolute. */
  readonly root: string;
  /** `user`: installed into the plugins' folder · `link`: a folder of somebody else's. */
  readonly type: 'user' | 'link';
}

export interface InstalledPlugins {
  readonly plugins: readonly InstalledPlugin[];
  /** Why it is not known which there are, or why none of them is to be used: then there are none. */
  readonly problem?: string;
  /** What to do about that. */
  readonly hint?: string;
}

/** The problem as an error. */
export function unreadablePlugins({ problem = '', hint }: InstalledPlugins) {
  return cliError('CLI_PLUGINS_UNREADABLE', problem, {
    hint: hint ?? 'Mend the file, or remove it: then no plugin is installed',
  });
}

/** @throws GroundplaneError CLI_PLUGINS_UNREADABLE */
export function requiredPlugins(directory?: string): readonly InstalledPlugin[] {
  const found = installedPlugins(directory);
  if (found.problem !== undefined) throw unreadablePlugins(found);
  return found.plugins;
}

/**
 * The plugins that are installed. Every command asks, so it costs one small file, and none of oclif: the package.json of the folder, which
 * `@oclif/plugin-plugins` keeps.
 */
export function installedPlugins(directory: string | undefined = pluginsDirectory()): InstalledPlugins {
  if (directory === undefined) return { plugins: [] };
  const path = join(directory, 'package.json');
  try {
    const { oclif } = JSON.parse(readFileSync(path, 'utf8')) as RegistryFile;
    const entries = Array.isArray(oclif?.plugins) ? oclif.plugins : [];
    const distrust = entries.length === 0 ? undefined : (distrustOf(directory) ?? distrustOf(path));
    if (distrust !== undefined)
      return { plugins: [], problem: `Cannot use the plugins as ${distrust.reason}`, hint: distrust.hint };
    return { plugins: entries.flatMap((entry) => pluginOf(entry, directory)) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { plugins: [] };
    // A folder that is closed to who asks is somebody else's, and so are the plugins in it.
    if (code === 'EACCES' || code === 'EPERM') return { plugins: [] };
    return {
      plugins: [],
      problem: `Cannot tell which plugins are installed as ${path} cannot be read: ${messageOf(error)}`,
    };
  }
}

interface RegistryFile {
  readonly oclif?: { readonly plugins?: unknown };
}

function pluginOf(entry: unknown, directory: string): readonly InstalledPlugin[] {
  const { name, root, type } = (typeof entry === 'string' ? { name: entry } : (entry ?? {})) as Record<string, unknown>;
  if (typeof name !== 'string' || name === '') return [];
  if (type === 'link' && typeof root === 'string' && isAbsolute(root)) return [{ name, root, type }];
  return [{ name, root: join(directory, 'node_modules', name), type: 'user' }];
}
