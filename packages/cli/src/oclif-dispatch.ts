import { Config, type Interfaces, run } from '@oclif/core';
import { normalizeArguments } from './arguments/normalize-arguments.ts';
import { argumentTable, commandId } from './commands/command-row.ts';
import { showHelp } from './help/show-help.ts';
import type { Output, ProgramName } from './invocation.ts';
import type { Release } from './release.ts';
import { shownText } from './render/shown-text.ts';

interface Surroundings {
  readonly program: ProgramName;
  readonly root: string;
  readonly release: Release;
  readonly output: Output;
}

/** Runs a command line where plugins may have added commands: those get their arguments as they are. */
export async function runExtended(surroundings: Surroundings & { readonly argv: readonly string[] }): Promise<void> {
  const { program, output, argv } = surroundings;
  const config = await loadConfig(surroundings);
  const table = argumentTable(program, config.commands);
  const given = normalizeArguments(argv, table);
  for (const notice of given.notices) output.stderr(`${shownText(notice, { quotesInput: true })}\n`);
  const { path, foreign } = given.command;
  if (foreign === true) await run([...given.argv], config);
  else if (given.help) showHelp(given, table, output);
  else await runIn(config, commandId(path), given.argv.slice(path.length));
}

/** oclif's configuration, with the name that the program was called by. */
async function loadConfig({ program, root, release: { pjson } }: Surroundings): Promise<Interfaces.Config> {
  // In development oclif looks for TypeScript sources and more plugins; whoever has NODE_ENV set means other programs.
  delete process.env.NODE_ENV;
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, bin: program } } });
}

async function runIn(config: Interfaces.Config, id: string, argv: string[]): Promise<void> {
  await config.runHook('init', { id, argv });
  await config.runCommand(id, argv);
}
