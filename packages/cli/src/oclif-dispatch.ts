import { type Interfaces, run } from '@oclif/core';
import { normalizeArguments } from './arguments/normalize-arguments.ts';
import { argumentTable, commandId } from './commands/command-row.ts';
import { showHelp } from './help/show-help.ts';
import type { Output, ProgramName } from './invocation.ts';
import { oclifConfig } from './oclif-config.ts';
import type { Release } from './release.ts';
import { shownText } from './render/shown-text.ts';

interface ExtendedLine {
  readonly program: ProgramName;
  readonly release: Release;
  readonly output: Output;
  readonly argv: readonly string[];
}

/** Runs a command line where plugins may have added commands: those get their arguments as they are. */
export async function runExtended({ program, release, output, argv }: ExtendedLine): Promise<void> {
  const config = await oclifConfig(program, release);
  const table = argumentTable(program, config.commands);
  const given = normalizeArguments(argv, table);
  for (const notice of given.notices) output.stderr(`${shownText(notice, { quotesInput: true })}\n`);
  const { path, foreign } = given.command;
  if (given.help) showHelp(given, table, output);
  else if (foreign === true) await run([...given.argv], config);
  else await runIn(config, commandId(path), given.argv.slice(path.length));
}

async function runIn(config: Interfaces.Config, id: string, argv: string[]): Promise<void> {
  await config.runHook('init', { id, argv });
  await config.runCommand(id, argv);
}
