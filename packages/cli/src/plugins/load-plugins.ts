import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isGroundplaneError, messageOf } from '@groundplane/errors';
import type { GroundplanePlugin } from '@groundplane/plugin';
import { checkPlugin, isRecord, kindOf, unusablePlugin } from './check-plugin.ts';
import { distrustOf } from './distrust.ts';
import type { InstalledPlugin } from './installed-plugins.ts';
import { divertPluginOutput } from './plugin-output.ts';

export interface LoadedPlugin {
  /** Name of its package. */
  readonly package: string;
  readonly version: string;
  /** Absent if it has commands and nothing else. */
  readonly plugin?: GroundplanePlugin;
}

/**
 * Loads what a plugin adds to the workflows, and holds it to the interface.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE
 */
export async function loadPlugin({ name, root }: Pick<InstalledPlugin, 'name' | 'root'>): Promise<LoadedPlugin> {
  requireTrust({ name, root });
  const pjson = await packageOf(name, root);
  const version = typeof pjson.version === 'string' ? pjson.version : '';
  const own = isRecord(pjson.groundplane) ? pjson.groundplane.plugin : pjson.groundplane;
  if (own === undefined) return { package: name, version };
  if (typeof own !== 'string')
    throw unusablePlugin(name, `'groundplane.plugin' of its package.json is no path: ${kindOf(own)}`);
  const path = resolve(root, own);
  if (relative(root, path).startsWith('..'))
    throw unusablePlugin(name, `'groundplane.plugin' of its package.json is outside of it: ${own}`);
  let module: { readonly default?: unknown };
  divertPluginOutput();
  try {
    module = await import(pathToFileURL(path).href);
  } catch (cause) {
    throw unusablePlugin(name, `it cannot be loaded: ${messageOf(cause)}`, { cause });
  }
  try {
    return { package: name, version, plugin: checkPlugin(name, module.default) };
  } catch (cause) {
    if (isGroundplaneError(cause)) throw cause;
    throw unusablePlugin(name, `what it exports cannot be looked at: ${messageOf(cause)}`, { cause });
  }
}

/**
 * It runs as root, so nobody else is to have a say in what it is.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE
 */
export function requireTrust({ name, root }: Pick<InstalledPlugin, 'name' | 'root'>): void {
  const distrust = distrustOf(root, { isTree: true });
  if (distrust !== undefined) throw unusablePlugin(name, distrust.reason, { hint: distrust.hint });
}

/** @throws GroundplaneError CLI_PLUGIN_UNUSABLE for the first plugin that cannot be used */
export async function loadPlugins(plugins: readonly InstalledPlugin[]): Promise<readonly LoadedPlugin[]> {
  return Promise.all(plugins.map(loadPlugin));
}

/** @throws GroundplaneError CLI_PLUGIN_UNUSABLE */
export async function packageOf(name: string, root: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const pjson: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    if (isRecord(pjson)) return pjson;
  } catch (cause) {
    throw unusablePlugin(name, `its package.json cannot be read: ${messageOf(cause)}`, { cause });
  }
  throw unusablePlugin(name, `its package.json is no object: ${join(root, 'package.json')}`);
}
