import { messageOf } from '@groundplane/errors';
import { Config, settings } from '@oclif/core';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';

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
  process.env[`${program.toUpperCase()}_DATA_DIR`] = directory;
  // Plugins are used as they are built.
  settings.enableAutoTranspile = false;
  const { root, pjson } = release;
  const config = await Config.load({ root, pjson, userPlugins: false, devPlugins: false });
  try {
    await commands[id].run([...argv], config);
  } catch (cause) {
    const [, verb] = id.split(':');
    const noNpm = /not found: npm/.test(messageOf(cause));
    throw cliError(
      'CLI_PLUGIN_NOT_DONE',
      `Cannot ${verb} the plugin as ${noNpm ? 'there is no npm on this machine' : messageOf(cause)}: ${argv.at(-1)}`,
      {
        hint: noNpm
          ? 'Install npm; or install a tarball that brings its dependencies (bundleDependencies, or a bundle), which needs none'
          : 'Say more with DEBUG=@oclif/plugin-plugins*',
        cause,
      },
    );
  }
}
