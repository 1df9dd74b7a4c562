import { looksLikeToken } from '@groundplane/errors';
import { outputFlag } from '../commands/output-flags.ts';
import { cliError } from '../error-codes.ts';
import type { ArgumentTable, CommandRow, FlagRow } from './flag-row.ts';
import { goQuote } from './go-quote.ts';
import { suggestCommands } from './suggest-commands.ts';

export interface FoundCommand {
  readonly command: CommandRow;
  /** The arguments without the words of the command's path: its flags, and those that stood before it. */
  readonly rest: readonly string[];
}

/** The program itself and `help`, which no table has to list. */
function rootRow(table: ArgumentTable): CommandRow {
  return table.commands.find((row) => row.path.length === 0) ?? { path: [], summary: '', flags: [], kind: 'help' };
}

export const helpRow: CommandRow = {
  path: ['help'],
  summary: 'Help about any command',
  flags: [outputFlag],
  kind: 'run',
};

/**
 * Finds the command in arguments where flags may stand anywhere, as kubeadm's command library does (spf13/cobra 1.10.2,
 * Command.Find): level by level, each level knowing only its own flags, so that the word after an unknown flag counts as its value.
 *
 * @throws GroundplaneError CLI_UNKNOWN_COMMAND if the first word is no command
 */
export function findCommand(argv: readonly string[], table: ArgumentTable): FoundCommand {
  let command = rootRow(table);
  let rest = argv;
  for (;;) {
    const flags = [...command.flags, ...table.persistent];
    const word = firstWord(rest, flags);
    const child = word === undefined ? undefined : findChild(command, word, table);
    if (word === undefined || child === undefined) break;
    rest = withoutFirst(rest, word, flags);
    command = child;
  }
  const stray = command.path.length === 0 ? firstWord(rest, table.persistent) : undefined;
  if (stray !== undefined) throw unknownCommand(stray, command, table);
  return { command, rest };
}

/** The error for a word that is neither a sub-command nor an argument of the command. */
export function unknownCommand(word: string, command: CommandRow, table: ArgumentTable) {
  const called = [table.program, ...command.path].join(' ');
  const candidates = table.commands.filter((row) => row.hidden !== true && isChild(row, command));
  const similar = suggestCommands(
    word,
    candidates.flatMap((row) => row.path.at(-1) ?? []),
  );
  const usage = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : `Run '${called} --help' for usage`;
  const takesToken = looksLikeToken(word) && command.flags.some(({ name }) => name === 'token');
  return cliError('CLI_UNKNOWN_COMMAND', `unknown command ${goQuote(word)} for ${goQuote(called)}`, {
    hint: takesToken ? 'It looks like a token: give it with --token' : usage,
    details: { word, command: command.path.join(' ') },
  });
}

/** True if `row` is one level below `parent`. */
export function isChild(row: CommandRow, parent: CommandRow): boolean {
  return row.path.length === parent.path.length + 1 && parent.path.every((word, index) => row.path[index] === word);
}

function findChild(parent: CommandRow, word: string, table: ArgumentTable): CommandRow | undefined {
  if (parent.path.length === 0 && word === 'help') return helpRow;
  return table.commands.find(
    (row) => isChild(row, parent) && (row.path.at(-1) === word || row.aliases?.includes(word) === true),
  );
}

function firstWord(argv: readonly string[], flags: readonly FlagRow[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return undefined;
    if (takesNextWord(word, flags) && !isHelpBeforeFlag(word, argv[at + 1])) {
      at++;
    } else if (word !== '' && !word.startsWith('-')) {
      return word;
    }
  }
  return undefined;
}

function withoutFirst(argv: readonly string[], word: string, flags: readonly FlagRow[]): readonly string[] {
  for (let at = 0; at < argv.length; at++) {
    const candidate = argv[at] ?? '';
    if (candidate === '--') break;
    if (takesNextWord(candidate, flags) && !isHelpBeforeFlag(candidate, argv[at + 1])) at++;
    else if (candidate === word) return argv.toSpliced(at, 1);
  }
  return argv;
}

/** kubeadm takes the word behind `--help` for its value; a flag is none, so that `--help -o json` is understood. */
function isHelpBeforeFlag(word: string, next = ''): boolean {
  return (word === '--help' || word === '-h') && next.startsWith('-');
}

/** True for `--flag` and `-f` (no combination, no `=`) unless it is known to do without a value. */
function takesNextWord(word: string, flags: readonly FlagRow[]): boolean {
  if (word.includes('=')) return false;
  if (word.startsWith('--')) return !flags.some((flag) => flag.name === word.slice(2) && flag.type === 'bool');
  return /^-[^-]$/.test(word) && !flags.some((flag) => flag.short === word.slice(1) && flag.type === 'bool');
}
