import { isGroundplaneError } from '@groundplane/errors';
import { writeCsvRecord } from './csv-record.ts';
import { findCommand, helpRow, unknownCommand } from './find-command.ts';
import type { ArgumentTable, CommandRow, FlagRow, FlagValue } from './flag-row.ts';
import { goQuote } from './go-quote.ts';
import { parseFlags } from './parse-flags.ts';

export interface NormalizedArguments {
  /** The command that was found; with `help`, the one that help is wanted for. */
  readonly command: CommandRow;
  /** The flags that were given, by long name, typed; persistent flags included, `help` not. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  readonly help: boolean;
  /** The words after `help` that are no command, so that help of the program is shown on stderr. */
  readonly unknownTopic?: true;
  /** What is to be said about deprecated flags. */
  readonly notices: readonly string[];
  /**
   * The same arguments in the only form that oclif cannot misread: the words of the command, then every flag once as
   * `--flag=value`, `--flag` or `--no-flag`; a list is one CSV record.
   */
  readonly argv: readonly string[];
}

const helpFlag: FlagRow = { name: 'help', short: 'h', type: 'bool', summary: 'Show help for the command' };

/**
 * Turns a command line as kubeadm accepts it into one that oclif reads the same way: Go booleans (`--dry-run=false`),
 * `-x=v` and combined shorthands, persistent flags before the command, comma lists that never swallow the next word, `--`.
 * Pure: which values of flags are usable together is the configuration's matter.
 *
 * @param argv arguments after the program's name
 * @param table the commands and their flags
 * @throws GroundplaneError of kind usage with the texts of kubeadm's libraries: CLI_UNKNOWN_COMMAND, CLI_UNKNOWN_FLAG,
 * CLI_FLAG_SYNTAX, CLI_FLAG_WITHOUT_VALUE, CLI_FLAG_VALUE
 */
export function normalizeArguments(argv: readonly string[], table: ArgumentTable): NormalizedArguments {
  const { command, rest } = findCommand(argv, table);
  if (command.foreign === true) {
    return { command, flags: {}, help: false, notices: [], argv: [...command.path, ...rest] };
  }
  const rows = [...command.flags, ...table.persistent, helpFlag];
  const { flags, positionals, notices } = parseFlags(rest, rows);
  const help = flags.get(helpFlag.name) === true;
  if (command === helpRow && !help) return helpFor(positionals, table);
  const given = [...flags].filter(([name]) => name !== helpFlag.name);
  const [stray] = positionals;
  // Help wins over a superfluous argument, but not over a wrong flag.
  if (stray !== undefined && !help && command.kind !== 'help') throw unknownCommand(stray, command, table);
  return {
    command,
    flags: Object.fromEntries(given),
    help: help || command.kind === 'help',
    notices,
    argv: [...command.path, ...(help || command.kind === 'help' ? ['--help'] : given.map(canonicalFlag))],
  };
}

/** An unknown topic is no error, as in kubeadm (spf13/cobra 1.10.2, InitDefaultHelpCmd). */
function helpFor(topic: readonly string[], table: ArgumentTable): NormalizedArguments {
  const found = findTopic(topic, table);
  const command = found ?? findCommand([], table).command;
  const shown = { command, flags: {}, help: true, argv: [...command.path, '--help'] };
  if (found !== undefined) return { ...shown, notices: [] };
  const words = topic.map((word) => (/^[^`\p{Cc}]*$/u.test(word) ? `\`${word}\`` : goQuote(word))).join(' ');
  return { ...shown, notices: [`Unknown help topic [${words}]`], unknownTopic: true };
}

function findTopic(topic: readonly string[], table: ArgumentTable): CommandRow | undefined {
  try {
    return findCommand(topic, table).command;
  } catch (thrown) {
    if (isGroundplaneError(thrown) && thrown.code === 'CLI_UNKNOWN_COMMAND') return undefined;
    throw thrown;
  }
}

function canonicalFlag([name, value]: readonly [string, FlagValue]): string {
  if (typeof value === 'boolean') return value ? `--${name}` : `--no-${name}`;
  if (typeof value === 'object') return `--${name}=${writeCsvRecord(value)}`;
  return `--${name}=${value}`;
}
