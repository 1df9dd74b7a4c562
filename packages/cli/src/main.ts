import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { findCommand, helpRow } from './arguments/find-command.ts';
import type { ArgumentTable, FlagValue } from './arguments/flag-row.ts';
import { type NormalizedArguments, normalizeArguments } from './arguments/normalize-arguments.ts';
import { outputFormat } from './arguments/output-format.ts';
import { argumentTable } from './commands/command-row.ts';
import { handlerOf } from './commands/handlers.ts';
import { cliError } from './error-codes.ts';
import { exitCodeOf } from './exit-code.ts';
import { errorWithGivenFlags } from './given-flags.ts';
import { showHelp } from './help/show-help.ts';
import type { Output, ProgramName } from './invocation.ts';
import type { Extension } from './plugins/extended-table.ts';
import { installedPlugins } from './plugins/installed-plugins.ts';
import {
  endProcess,
  isUnread,
  lostOutput,
  onUnexpectedEnd,
  processInput,
  processOutput,
  stopSignal,
} from './process-output.ts';
import { isExtended, type Release, readRelease } from './release.ts';
import { errorLines } from './render/error-lines.ts';
import { printError } from './render/print-document.ts';
import { shownText } from './render/shown-text.ts';
import { ReportedError } from './reported-error.ts';

export interface MainOptions {
  readonly program: ProgramName;
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Folder of this package: `package.json` and `oclif.manifest.json` are there. */
  readonly root: string;
}

/**
 * Runs one command line. Commands of ours are found in the manifest and run as they are; oclif is loaded only where
 * plugins may have added commands.
 *
 * @returns the exit code
 */
export async function main({ program, argv, root }: MainOptions): Promise<number> {
  const output = processOutput();
  // From here on: what is told to stop while it is still loaded has to say so, too.
  const signal = stopSignal();
  let given: NormalizedArguments | undefined;
  try {
    const release = readRelease(root);
    if (isExtended(release)) {
      const { runExtended } = await import('./oclif-dispatch.ts');
      await runExtended({ program, argv, release, output });
      return ownExitCode(program, output);
    }
    const own = argumentTable(program, Object.values(release.manifest.commands));
    const line = isVersionFlag(program, argv) ? ['version', ...argv.slice(1)] : argv;
    const table = await tableFor(line, { table: own, release, output });
    given = normalizeArguments(line, table);
    await dispatch(given, { program, release, table, output, signal });
    return ownExitCode(program, output);
  } catch (thrown) {
    return fail(thrown, { program, output, flags: given?.flags ?? {}, argv });
  }
}

/** Runs one command line to its end, which is that of the process, whatever plugins do meanwhile. */
export function runToEnd(options: MainOptions): void {
  const { program, argv } = options;
  const told = (reason: string, cause?: unknown) => {
    const error = cliError('CLI_ENDED_EARLY', `Cannot go on as ${reason}`, {
      hint: 'See which plugins there are: groundplane plugins list; what was done stays',
      cause,
    });
    return fail(error, { program, output: processOutput(), flags: {}, argv });
  };
  onUnexpectedEnd(() => told('something that it runs, such as a plugin, ended the process or never answers'));
  process.on('unhandledRejection', (thrown) =>
    endProcess(
      told(`something failed that nobody waits for, such as a part of a plugin: ${messageOf(thrown)}`, thrown),
    ),
  );
  // Not awaited at the top level, where Node.js has words of its own for what never ends.
  void main(options).then(endProcess);
}

/** What a command that did what it is for had to say by its exit code; 0 if nothing, and if all it said has arrived. */
function ownExitCode(program: ProgramName, output: Output): number {
  const lost = lostOutput();
  if (lost === undefined) return Number(process.exitCode ?? 0);
  const error = cliError('CLI_OUTPUT_LOST', `Cannot write all of the output as stdout takes no more: ${lost.message}`, {
    hint: 'The command itself is done; what it would have said is lost',
    cause: lost,
  });
  output.stderr(`${errorLines(error, { program, verbosity: 0 }).join('\n')}\n`);
  return exitCodeOf(error, program);
}

/**
 * The table that a command line is read by. That of the release says it all unless plugins are installed, and then it still does for its own
 * commands: those of plugins and of their phases are looked for where it does not know what is meant, or is asked which commands there are.
 */
async function tableFor(argv: readonly string[], own: Omit<Extension, 'plugins'>): Promise<ArgumentTable> {
  const { plugins } = installedPlugins();
  if (plugins.length === 0 || isOwnCommand(argv, own.table)) return own.table;
  const { extendedTable } = await import('./plugins/extended-table.ts');
  return extendedTable({ ...own, plugins });
}

function isOwnCommand(argv: readonly string[], table: ArgumentTable): boolean {
  try {
    const { command } = findCommand(argv, table);
    return command.kind === 'run' && command !== helpRow;
  } catch {
    return false;
  }
}

/** People expect `--version`; kubeadm has no such flag. */
function isVersionFlag(program: ProgramName, argv: readonly string[]): boolean {
  return program === 'groundplane' && argv[0] === '--version';
}

interface Surroundings {
  readonly program: ProgramName;
  readonly release: Release;
  readonly table: ArgumentTable;
  readonly output: Output;
  readonly signal: AbortSignal;
}

async function dispatch(given: NormalizedArguments, surroundings: Surroundings): Promise<void> {
  const { program, release, table, output, signal } = surroundings;
  for (const notice of given.notices) output.stderr(`${shownText(notice, { quotesInput: true })}\n`);
  if (given.help) return showHelp(given, table, output);
  if (given.command.foreign === true) {
    const { runForeign } = await import('./plugins/plugin-config.ts');
    return runForeign({
      program,
      release,
      path: given.command.path,
      argv: given.argv.slice(given.command.path.length),
    });
  }
  const handle = await handlerOf(given.command);
  const { path } = given.command;
  const { flags, words } = given;
  await handle({ program, release, path, flags, words, output, input: processInput, table, signal });
}

interface Failure {
  readonly program: ProgramName;
  readonly output: Output;
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly argv: readonly string[];
}

function fail(thrown: unknown, { program, output, flags, argv }: Failure): number {
  const reported = thrown instanceof ReportedError;
  const error = errorWithGivenFlags(reported ? thrown.error : thrown, { flags });
  // Like other programs that end by SIGPIPE it says nothing then, but where a run ends half way.
  if (isUnread() && isGroundplaneError(error) && error.code === 'CLI_STOPPED') return exitCodeOf(error, program);
  const verbosity = typeof flags.v === 'number' ? flags.v : 0;
  output.stderr(`${errorLines(error, { program, verbosity }).join('\n')}\n`);
  if (isUnread()) output.stderr('It was stopped as nobody reads its output any more; what was done stays.\n');
  if (!reported) printError({ output, flags: { output: flags.output ?? outputFormat(argv) ?? 'text' } }, error);
  return exitCodeOf(error, program);
}
