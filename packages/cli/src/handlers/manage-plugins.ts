import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { turnOf, withNodeLock } from '../node-lock.ts';
import { distrustOf } from '../plugins/distrust.ts';
import { type InstalledPlugin, requiredPlugins } from '../plugins/installed-plugins.ts';
import { packageOf } from '../plugins/load-plugins.ts';
import { pluginsDirectory } from '../plugins/plugins-directory.ts';
import { requireNpm, runPluginCommand } from '../plugins/run-plugin-command.ts';
import { type PluginContents, tryPlugin } from '../plugins/try-plugin.ts';
import { unpackedFolder, unpackTarball } from '../plugins/unpack-tarball.ts';
import { pluginLines } from '../render/plugin-lines.ts';
import { printDocument, printText, wantsDocument } from '../render/print-document.ts';

/**
 * `plugins install`: a tarball is unpacked where it brings all that it needs; everything else is npm's. What does not pass the checks is not
 * installed.
 *
 * @throws GroundplaneError CLI_ARGUMENT_MISSING, CLI_PLUGIN_UNUSABLE, CLI_PLUGIN_NOT_DONE
 */
export function installPlugin(invocation: Invocation): Promise<void> {
  return inTurn(invocation, (directory) => install(invocation, directory));
}

async function install(invocation: Invocation, directory: string): Promise<void> {
  const word = wordOf(invocation, 'PLUGIN, a tarball or the name of a package');
  const path = /^(?:[a-z+]+:|@)/i.test(word) ? undefined : resolve(word);
  const isFile = path !== undefined && existsSync(path);
  if (isFile) return installed(invocation, await installTarball(path, { ...invocation, directory }));
  if (/\.t(ar\.)?gz$/.test(word) && path !== undefined)
    throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot install the plugin as there is no such file: ${path}`);
  return installed(invocation, await installByNpm(word, { ...invocation, directory }));
}

type Place = Pick<Invocation, 'program' | 'release'> & { readonly directory: string };

async function installTarball(path: string, place: Place): Promise<PluginContents> {
  const { directory } = place;
  const unpacked = await unpackTarball(path, directory);
  try {
    if (!unpacked.isWhole) return await installByNpm(pathToFileURL(path).href, place);
    const contents = await tryPlugin(unpacked, requiredPlugins(directory));
    await unpacked.keep((folder) => runPluginCommand('plugins:link', ['--no-install', folder], place));
    return contents;
  } finally {
    await unpacked.drop();
  }
}

async function installByNpm(what: string, place: Place): Promise<PluginContents> {
  await requireNpm(what);
  const before = new Map(requiredPlugins(place.directory).map(({ name, root }) => [name, root]));
  await runPluginCommand('plugins:install', ['--silent', what], place);
  const plugins = requiredPlugins(place.directory);
  // The registry has the newest at its end.
  const added = plugins.find(({ name, root }) => before.get(name) !== root) ?? plugins.at(-1);
  if (added === undefined) throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot tell which plugin was installed: ${what}`);
  try {
    return await tryPlugin(added, plugins);
  } catch (error) {
    await runPluginCommand('plugins:uninstall', [added.name], place);
    throw error;
  }
}

/**
 * `plugins link`: for plugins that are being worked on.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE, CLI_PLUGIN_NOT_DONE
 */
export function linkPlugin(invocation: Invocation): Promise<void> {
  return inTurn(invocation, (directory) => link(invocation, directory));
}

async function link(invocation: Invocation, directory: string): Promise<void> {
  const root = resolve(invocation.words[0] ?? '.');
  const { name } = await packageOf(root, root);
  const contents = await tryPlugin({ name: String(name), root }, requiredPlugins(directory));
  await runPluginCommand('plugins:link', ['--no-install', root], { ...invocation, directory });
  installed(invocation, contents);
}

function installed(invocation: Invocation, contents: PluginContents): void {
  if (wantsDocument(invocation)) printDocument(invocation, { plugin: contents });
  else printText(invocation.output, pluginLines([contents]));
}

/**
 * `plugins uninstall`: whatever state it is in.
 *
 * @throws GroundplaneError CLI_ARGUMENT_MISSING, CLI_PLUGIN_NOT_INSTALLED, CLI_PLUGIN_NOT_DONE
 */
export function uninstallPlugin(invocation: Invocation): Promise<void> {
  return inTurn(invocation, (directory) => uninstall(invocation, directory));
}

async function uninstall(invocation: Invocation, directory: string): Promise<void> {
  const word = wordOf(invocation, 'NAME of a plugin');
  const plugins = requiredPlugins(directory);
  const found = plugins.find(({ name, root }) => name === word || root === resolve(word));
  if (found === undefined) {
    const names = plugins.map(({ name }) => name).join(', ') || 'none';
    throw cliError(
      'CLI_PLUGIN_NOT_INSTALLED',
      `Cannot take the plugin '${word}' out as it is not installed: ${names}`,
      {
        hint: 'List the plugins with: groundplane plugins list',
      },
    );
  }
  await runPluginCommand('plugins:uninstall', [found.name], { ...invocation, directory });
  if (!relative(unpackedFolder(directory), found.root).startsWith('..'))
    await rm(found.root, { recursive: true, force: true });
  if (wantsDocument(invocation)) printDocument(invocation, { uninstalled: found.name });
  else printText(invocation.output, [`${found.name} is not installed any more; what its phases made is still there`]);
}

/** A plugin of the list: what it adds, or why it cannot be used. */
export interface ListedPlugin extends PluginContents {
  readonly type: InstalledPlugin['type'];
  readonly root: string;
  readonly problem?: string;
}

/** `plugins list`. @throws GroundplaneError CLI_PLUGINS_UNREADABLE */
export async function listPlugins(invocation: Invocation): Promise<void> {
  const plugins = requiredPlugins();
  const listed = await Promise.all(plugins.map((plugin) => listedPlugin(plugin, plugins)));
  if (wantsDocument(invocation)) printDocument(invocation, { plugins: listed });
  else if (listed.length === 0) invocation.output.stderr('No plugin is installed\n');
  else printText(invocation.output, pluginLines(listed));
}

async function listedPlugin(plugin: InstalledPlugin, others: readonly InstalledPlugin[]): Promise<ListedPlugin> {
  const { name, type, root } = plugin;
  try {
    return { ...(await tryPlugin(plugin, others)), type, root };
  } catch (error) {
    return { name, version: '', signers: [], phases: [], type, root, problem: messageOf(error) };
  }
}

/**
 * Changes the plugins while no other command does that, or changes the node with those that there are.
 *
 * @throws GroundplaneError HOST_LOCKED; CLI_PLUGINS_UNREADABLE where somebody else may change them
 */
async function inTurn(invocation: Invocation, action: (directory: string) => Promise<void>): Promise<void> {
  const directory = await madeDirectory();
  await withNodeLock(await turnOf(invocation, { locate: async (own) => own }), () => action(directory));
}

async function madeDirectory(): Promise<string> {
  const directory = pluginsDirectory();
  if (directory === undefined)
    throw cliError('CLI_PLUGIN_NOT_DONE', 'Cannot keep plugins as there is no folder for them: HOME is not set', {
      hint: 'Set HOME, XDG_DATA_HOME or GROUNDPLANE_STATE_DIR',
    });
  await mkdir(directory, { recursive: true, mode: 0o755 }).catch((cause) => {
    throw cliError(
      'CLI_PLUGIN_NOT_DONE',
      `Cannot keep plugins as their folder cannot be made: ${cause.code} ${directory}`,
      { cause },
    );
  });
  const distrust = distrustOf(directory);
  if (distrust !== undefined)
    throw cliError('CLI_PLUGINS_UNREADABLE', `Cannot keep plugins as ${distrust.reason}`, { hint: distrust.hint });
  return directory;
}

function wordOf({ words }: Invocation, what: string): string {
  const [word] = words;
  if (word === undefined || word === '') throw cliError('CLI_ARGUMENT_MISSING', `Cannot go on without ${what}`);
  return word;
}
