import { cliError } from '../error-codes.ts';
import type { FlagRow, FlagValue } from './flag-row.ts';
import { FlagValueError, mergeFlagValue, readFlagValue } from './flag-value.ts';
import { goQuote, goQuoteRune } from './go-quote.ts';
import { suggestCommands } from './suggest-commands.ts';

const hint = 'See the flags of the command with --help';

export interface ParsedFlags {
  /** Flags that were given, by long name. */
  readonly flags: ReadonlyMap<string, FlagValue>;
  readonly positionals: readonly string[];
  /** What is to be said about deprecated flags, in order. */
  readonly notices: readonly string[];
}

/**
 * Parses flags and positional arguments in any order (spf13/pflag 1.0.10, FlagSet.Parse): `--flag=value`, `--flag value`,
 * `-fvalue`, `-f=value`, `-f value`, combined shorthands, `--` before arguments that are no flags. Names are taken as written:
 * no abbreviation, no underscores. A boolean takes no following word.
 *
 * @throws GroundplaneError of kind usage with pflag's text
 */
export function parseFlags(argv: readonly string[], rows: readonly FlagRow[]): ParsedFlags {
  const flags = new Map<string, FlagValue>();
  const positionals: string[] = [];
  const notices: string[] = [];
  const words = [...argv];

  const set = (row: FlagRow, text: string): void => {
    const value = mergeFlagValue(flags.get(row.name), checkedValue(row, text));
    flags.set(row.name, value);
    if (row.withoutEffect === true && value !== false) notices.push(`Flag --${row.name} has no effect in this release`);
    if (row.deprecated !== undefined) notices.push(`Flag --${row.name} has been deprecated, ${row.deprecated}`);
  };

  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      positionals.push(...words);
      break;
    }
    if (word.startsWith('--')) long(word);
    else if (word.startsWith('-') && word.length > 1) shorthands(word.slice(1));
    else positionals.push(word);
  }
  return { flags, positionals, notices };

  function long(word: string): void {
    const body = word.slice(2);
    if (body.startsWith('-') || body.startsWith('='))
      throw cliError('CLI_FLAG_SYNTAX', `bad flag syntax: ${word}`, { hint });
    const equals = body.indexOf('=');
    const name = equals < 0 ? body : body.slice(0, equals);
    const row = rows.find((candidate) => candidate.name === name);
    if (row === undefined) {
      const similar = suggestCommands(name, name.length < 3 ? [] : rows.map((candidate) => candidate.name));
      throw cliError('CLI_UNKNOWN_FLAG', `unknown flag: --${name}`, {
        hint: similar.length > 0 ? `Did you mean ${similar.map((known) => `--${known}`).join(' or ')}?` : hint,
        details: { flag: `--${name}` },
      });
    }
    set(row, equals >= 0 ? body.slice(equals + 1) : row.type === 'bool' ? 'true' : following(row, `--${name}`));
  }

  function shorthands(group: string): void {
    let left = group;
    // Go's flag library lets the flags of its test runner pass.
    while (left !== '' && !left.startsWith('test.')) {
      const letter = String.fromCodePoint(left.codePointAt(0) ?? 0);
      const row = rows.find((candidate) => candidate.short === letter);
      if (row === undefined) {
        throw cliError('CLI_UNKNOWN_FLAG', `unknown shorthand flag: ${goQuoteRune(letter)} in -${left}`, {
          hint,
          details: { flag: `-${letter}` },
        });
      }
      const after = left.slice(letter.length);
      if (after.length > 1 && after.startsWith('=')) {
        set(row, after.slice(1));
        return;
      }
      if (row.type !== 'bool') {
        set(row, after !== '' ? after : following(row, `${goQuoteRune(letter)} in -${left}`));
        return;
      }
      set(row, 'true');
      left = after;
    }
  }

  function following(row: FlagRow, written: string): string {
    const next = words.shift();
    if (next === undefined) {
      throw cliError('CLI_FLAG_WITHOUT_VALUE', `flag needs an argument: ${written}`, {
        hint,
        details: { flag: `--${row.name}` },
      });
    }
    return next;
  }
}

function checkedValue(row: FlagRow, text: string): FlagValue {
  try {
    return readFlagValue(row, text);
  } catch (thrown) {
    if (!(thrown instanceof FlagValueError)) throw thrown;
    const name = row.short === undefined ? `--${row.name}` : `-${row.short}, --${row.name}`;
    throw cliError('CLI_FLAG_VALUE', `invalid argument ${goQuote(text)} for ${goQuote(name)} flag: ${thrown.message}`, {
      cause: thrown,
      details: { flag: `--${row.name}` },
    });
  }
}
