import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Interfaces, settings } from '@oclif/core';
import { commandId } from '../commands/command-row.ts';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { oclifConfig } from '../oclif-config.ts';
import type { Release } from '../release.ts';
import { requiredPlugins } from './installed-plugins.ts';
import { requireTrust } from './load-plugins.ts';
import { restorePluginOutput } from './plugin-output.ts';
import { pluginsDirectory } from './plugins-directory.ts';

/**
 * oclif's configuration with the installed plugins, and the name that the program was called by. It loads what it likes of them.
 *
 * @throws GroundplaneError CLI_PLUGIN_UNUSABLE, CLI_PLUGINS_UNREADABLE
 */
export async function loadPluginConfig(program: string, release: Release): Promise<Interfaces.Config> {
  for (const plugin of requiredPlugins()) requireTrust(plugin);
  setUpPlugins(program, pluginsDirectory());
  return oclifConfig(program, release);
}

/** Tells oclif where plugins are kept, and that they are used as they are built. */
export function setUpPlugins(program: string, directory: string | undefined): void {
  settings.enableAutoTranspile = false;
  if (directory !== undefined) process.env[`${program.toUpperCase()}_DATA_DIR`] = directory;
}

export interface ForeignCommand extends Pick<Invocation, 'program' | 'release' | 'path'> {
  /** What stands behind the words of the command, as it was given. */
  readonly argv: readonly string[];
}

/**
 * Runs the command of a plugin.
 *
 * @throws GroundplaneError CLI_PLUGIN_COMMAND for whatever it throws: where in its code that was says nothing to its user
 */
export async function runForeign({ program, release, path, argv }: ForeignCommand): Promise<void> {
  const config = await loadPluginConfig(program, release);
  restorePluginOutput();
  try {
    await config.runCommand(commandId(path), [...argv]);
  } catch (thrown) {
    if (isGroundplaneError(thrown)) throw thrown;
    // What `this.exit(0)` of an oclif command throws.
    const { oclif } = thrown as { readonly oclif?: { readonly exit?: unknown } };
    if (oclif?.exit === 0) return;
    throw cliError('CLI_PLUGIN_COMMAND', `Cannot go on with '${path.join(' ')}': ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}
