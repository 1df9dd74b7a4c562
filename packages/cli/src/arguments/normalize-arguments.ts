import { isGroundplaneError } from '@groundplane/errors';
import { cliError } from '../error-codes.ts';
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
  /** The arguments that are no flags, where the command takes such. */
  readonly words: readonly string[];
  readonly help: boolean;
  /** The words after `help` that are no command, so that help of the program is shown on stderr. */
  readonly unknownTopic?: true;
  /** What is to be said about deprecated flags. */
  readonly notices: readonly string[];
  /**
   * The same arguments in the only form that oclif cannot misread: the words of the command, then every flag once as
   * `--flag=value`, `--flag` or `--no-flag`; a list is one CSV record. Other arguments stand behind `--`.
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
 * CLI_FLAG_SYNTAX, CLI_FLAG_WITHOUT_VALUE, CLI_FLAG_VALUE, CLI_TOO_MANY_ARGUMENTS
 */
export function normalizeArguments(argv: readonly string[], table: ArgumentTable): NormalizedArguments {
  const { command, rest } = findCommand(argv, table);
  if (command.foreign === true) {
    // Its other words are its own affair; what it is for everybody may ask.
    const [end] = [...rest.entries()].find(([, word]) => word === '--') ?? [rest.length];
    const help = rest.slice(0, end).some((word) => word === '--help' || word === '-h');
    return { command, flags: {}, words: [], help, notices: [], argv: [...command.path, ...rest] };
  }
  const rows = [...command.flags, ...table.persistent, helpFlag];
  const { flags, positionals, notices } = parseFlags(rest, rows);
  const help = flags.get(helpFlag.name) === true;
  const given = [...flags].filter(([name]) => name !== helpFlag.name);
  if (command === helpRow && !help) return { ...helpFor(positionals, table), flags: Object.fromEntries(given) };
  const asksForHelp = help || command.kind === 'help';
  // Help wins over a superfluous argument, but not over a wrong flag.
  if (!asksForHelp) refuseSuperfluous(positionals, command, table);
  const words = asksForHelp ? [] : positionals;
  const canonical = [...given.map(canonicalFlag), ...(words.length === 0 ? [] : ['--', ...words])];
  return {
    command,
    flags: Object.fromEntries(given),
    words,
    help: asksForHelp,
    notices,
    argv: [...command.path, ...(asksForHelp ? ['--help'] : canonical)],
  };
}

/** spf13/cobra 1.10.2, args.go: NoArgs and MaximumNArgs. */
function refuseSuperfluous(words: readonly string[], command: CommandRow, table: ArgumentTable): void {
  const [stray] = words;
  if (stray === undefined) return;
  if (command.argument === undefined) throw unknownCommand(stray, command, table);
  const { maximum = words.length, usage } = command.argument;
  if (words.length <= maximum) return;
  const called = [table.program, ...command.path].join(' ');
  throw cliError('CLI_TOO_MANY_ARGUMENTS', `accepts at most ${maximum} arg(s), received ${words.length}`, {
    hint: `The usage is: ${called} ${usage} [flags]`,
    details: { command: command.path.join(' ') },
  });
}

/** An unknown topic is no error, as in kubeadm (spf13/cobra 1.10.2, InitDefaultHelpCmd). */
function helpFor(topic: readonly string[], table: ArgumentTable): Omit<NormalizedArguments, 'flags'> {
  const found = findTopic(topic, table);
  const command = found ?? findCommand([], table).command;
  const shown = { command, words: [], help: true, argv: [...command.path, '--help'] };
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
