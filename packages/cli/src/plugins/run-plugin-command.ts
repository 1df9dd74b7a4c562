import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { messageOf } from '@groundplane/errors';
import { Config } from '@oclif/core';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { setUpPlugins } from './plugin-config.ts';

export type PluginCommand = 'plugins:install' | 'plugins:link' | 'plugins:uninstall';

/**
 * Runs a command of `@oclif/plugin-plugins`, which keeps the registry of plugins and calls npm. No plugin is loaded for it: a broken one can be
 * taken out.
 *
 * @throws GroundplaneError CLI_PLUGIN_NOT_DONE
 */
export async function runPluginCommand(
  id: PluginCommand,
  argv: readonly string[],
  { program, release, directory }: Pick<Invocation, 'program' | 'release'> & { readonly directory: string },
): Promise<void> {
  const { commands } = await import('@oclif/plugin-plugins');
  setUpPlugins(program, directory);
  const { root, pjson } = release;
  const config = await Config.load({ root, pjson, userPlugins: false, devPlugins: false });
  try {
    await commands[id].run([...argv], config);
  } catch (cause) {
    const [, verb] = id.split(':');
    const reason = messageOf(cause).replace(/\.$/, '');
    throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot ${verb} the plugin as ${reason}: ${argv.at(-1)}`, {
      hint: 'Say more with DEBUG=@oclif/plugin-plugins*',
      cause,
    });
  }
}

/**
 * The program brings no npm: it would be five times as large as all else that it is made of, Node.js aside.
 *
 * @throws GroundplaneError CLI_PLUGIN_NOT_DONE if there is none on this machine
 */
export async function requireNpm(what: string): Promise<void> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
    const found = await access(join(folder, 'npm'), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return;
  }
  throw cliError('CLI_PLUGIN_NOT_DONE', `Cannot install the plugin as there is no npm on this machine: ${what}`, {
    hint: 'Install npm; or install a tarball that brings its dependencies, which needs none',
  });
}
