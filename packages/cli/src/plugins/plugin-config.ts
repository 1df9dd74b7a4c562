import { Config, type Interfaces, settings } from '@oclif/core';
import { commandId } from '../commands/command-row.ts';
import type { Invocation, ProgramName } from '../invocation.ts';
import type { Release } from '../release.ts';
import { pluginsDirectory } from './plugins-directory.ts';

/** oclif's configuration with the installed plugins, and the name that the program was called by. */
export async function loadPluginConfig(
  program: ProgramName | string,
  { root, pjson }: Release,
): Promise<Interfaces.Config> {
  // In development oclif looks for TypeScript sources and more plugins; whoever has NODE_ENV set means other programs.
  delete process.env.NODE_ENV;
  // Plugins are used as they are built.
  settings.enableAutoTranspile = false;
  const directory = pluginsDirectory();
  if (directory !== undefined) process.env[`${program.toUpperCase()}_DATA_DIR`] = directory;
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, bin: program } } });
}

export interface ForeignCommand extends Pick<Invocation, 'program' | 'release' | 'path'> {
  /** What stands behind the words of the command, as it was given. */
  readonly argv: readonly string[];
}

/** Runs the command of a plugin. */
export async function runForeign({ program, release, path, argv }: ForeignCommand): Promise<void> {
  const config = await loadPluginConfig(program, release);
  await config.runCommand(commandId(path), [...argv]);
}
