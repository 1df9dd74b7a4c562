import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config, type Interfaces } from '@oclif/core';
import type { ArgumentTable, FlagValue } from './arguments/flag-row.ts';
import { type NormalizedArguments, normalizeArguments } from './arguments/normalize-arguments.ts';
import { argumentTable, commandId } from './commands/command-row.ts';
import { exitCodeOf } from './exit-code.ts';
import { helpLines } from './help/help-lines.ts';
import type { Output, ProgramName } from './invocation.ts';
import { processOutput } from './process-output.ts';
import { errorDocument, errorLines } from './render/error-lines.ts';
import { ReportedError } from './reported-error.ts';

export interface MainOptions {
  readonly program: ProgramName;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Folder of this package: `package.json` and `oclif.manifest.json` are there. */
  readonly root: string;
}

/**
 * Runs one command line.
 *
 * @returns the exit code
 */
export async function main({ program, argv, root }: MainOptions): Promise<number> {
  const output = processOutput();
  let given: NormalizedArguments | undefined;
  try {
    const config = await loadConfig(program, root);
    const table = argumentTable(program, config.commands);
    given = normalizeArguments(argv, table);
    await dispatch(given, { config, table, output });
    return 0;
  } catch (thrown) {
    return fail(thrown, { program, output, flags: given?.flags ?? {} });
  }
}

/** oclif's configuration, with the name that the program was called by. */
async function loadConfig(program: ProgramName, root: string): Promise<Interfaces.Config> {
  const pjson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return Config.load({ root, pjson: { ...pjson, oclif: { ...pjson.oclif, bin: program } } });
}

interface Surroundings {
  readonly config: Interfaces.Config;
  readonly table: ArgumentTable;
  readonly output: Output;
}

async function dispatch(given: NormalizedArguments, { config, table, output }: Surroundings): Promise<void> {
  for (const notice of given.notices) output.stderr(`${notice}\n`);
  if (given.help && given.command.foreign !== true) {
    return output.stdout(`${helpLines(table, given.command, { columns: output.columns }).join('\n')}\n`);
  }
  const { path } = given.command;
  if (given.command.foreign === true) {
    const { run } = await import('@oclif/core');
    await run([...given.argv], config);
    return;
  }
  const id = commandId(path);
  const argv = given.argv.slice(path.length);
  await config.runHook('init', { id, argv });
  await config.runCommand(id, argv);
}

interface Failure {
  readonly program: ProgramName;
  readonly output: Output;
  readonly flags: Readonly<Record<string, FlagValue>>;
}

function fail(thrown: unknown, { program, output, flags }: Failure): number {
  const reported = thrown instanceof ReportedError;
  const error = reported ? thrown.error : thrown;
  const verbosity = typeof flags['v'] === 'number' ? flags['v'] : 0;
  output.stderr(`${errorLines(error, { program, verbosity }).join('\n')}\n`);
  if (!reported && flags['output'] === 'json') {
    output.stdout(`${JSON.stringify({ error: errorDocument(error) }, undefined, 2)}\n`);
  }
  if (!reported && flags['output'] === 'jsonl') {
    output.stdout(`${JSON.stringify({ type: 'error', ...errorDocument(error) })}\n`);
  }
  return exitCodeOf(error, program);
}
