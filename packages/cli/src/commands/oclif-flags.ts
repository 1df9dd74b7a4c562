import { Flags, type Interfaces } from '@oclif/core';
import { readCsvRecord } from '../arguments/csv-record.ts';
import type { FlagRow, FlagType, FlagValue } from '../arguments/flag-row.ts';
import { readFlagValue } from '../arguments/flag-value.ts';

type Options = {
  char?: Interfaces.AlphabetLowercase;
  summary: string;
  hidden?: boolean;
  deprecated?: { message: string };
};

/**
 * A row as an oclif flag that reads the canonical form of `normalizeArguments`: `--no-flag` for false, a list as one CSV record.
 * Defaults are for help only: a flag that was not given must stay absent.
 */
export function oclifFlag(row: FlagRow): Interfaces.Flag<FlagValue | undefined> {
  const options: Options = {
    ...(row.short === undefined ? {} : { char: row.short as Interfaces.AlphabetLowercase }),
    summary: row.summary,
    ...(row.hidden === true ? { hidden: true } : {}),
    ...(row.deprecated === undefined ? {} : { deprecated: { message: row.deprecated } }),
  };
  if (row.type === 'bool')
    return Flags.boolean({ ...options, allowNo: true }) as Interfaces.Flag<FlagValue | undefined>;
  return Flags.custom<FlagValue>({
    ...options,
    helpValue: helpValues[row.type],
    ...(row.choices === undefined ? {} : { options: [...row.choices] }),
    parse: async (text) => canonicalValue(row, text),
  })() as Interfaces.Flag<FlagValue | undefined>;
}

function canonicalValue(row: FlagRow, text: string): FlagValue {
  return row.type === 'strings' || row.type === 'arguments' ? readCsvRecord(text) : readFlagValue(row, text);
}

/** What help shows for a value of each type. */
export const helpValues: Readonly<Record<Exclude<FlagType, 'bool'>, string>> = {
  string: '<text>',
  int32: '<number>',
  level: '<number>',
  duration: '<duration>',
  strings: '<a,b,…>',
  arguments: '<name=value,…>',
  modules: '<pattern=N,…>',
};
