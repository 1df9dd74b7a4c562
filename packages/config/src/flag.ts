import { isAllowedWithConfig } from './mixed-flags.ts';

/** How the text of a flag is read: `int` in decimal, `duration` in Go's grammar, `stringSlice` as a comma list that may repeat. */
export type FlagType = 'string' | 'bool' | 'int' | 'duration' | 'stringSlice';

/** The value of a flag that was given on the command line. Durations stay text. */
export type FlagValue = string | boolean | number | readonly string[];

/** Flags that were given, by name. A flag that was not given is absent, so that its default does not override a file. */
export type FlagValues = Readonly<Record<string, FlagValue | undefined>>;

/** What flags write to: a document of the configuration, or `run` for settings of this run alone. */
export type FlagDocument = 'init' | 'cluster' | 'join' | 'reset' | 'run';

/** One command-line flag. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  readonly shorthand?: string;
  readonly type: FlagType;
  /** What `--help` shows; the configuration has its own defaults. Absent if empty, 0 or false. */
  readonly default?: FlagValue;
  readonly help: string;
  /** Field that the flag sets: the document and the path in it. */
  readonly target?: { readonly document: FlagDocument; readonly path: string };
  /** True if the flag may stand beside `--config`. */
  readonly withConfig: boolean;
  /** `not yet`: accepted and checked, without effect so far. */
  readonly status: 'works' | 'not yet';
  /** Left out of help; the text says what to use instead. */
  readonly deprecated?: string;
}

/** A row of a flag table; what is left out is the same for most flags. */
export type FlagRow = Omit<Flag, 'withConfig' | 'status'> & { readonly status?: Flag['status'] };

/** The flags that rows describe, in their order. */
export function flagTable(rows: readonly FlagRow[]): readonly Flag[] {
  return rows.map((row) => ({ status: 'works', ...row, withConfig: isAllowedWithConfig(row.name) }));
}
