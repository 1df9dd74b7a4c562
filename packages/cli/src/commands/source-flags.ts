import type { FlagRow, FlagType } from '../arguments/flag-row.ts';

/** The part of a flag that the catalogue needs; the configuration's flag tables have it. */
export interface FlagSource {
  readonly name: string;
  readonly shorthand?: string;
  readonly type: 'string' | 'bool' | 'int' | 'duration' | 'stringSlice';
  readonly default?: string | boolean | number | readonly string[];
  readonly help: string;
  readonly deprecated?: string;
  /** `not yet`: the configuration accepts it without doing anything about it. */
  readonly status?: 'works' | 'not yet';
}

const flagTypes: Readonly<Record<FlagSource['type'], FlagType>> = {
  string: 'string',
  bool: 'bool',
  int: 'int32',
  duration: 'duration',
  stringSlice: 'strings',
};

/** As pflag shows it. */
function defaultText(value: NonNullable<FlagSource['default']>): string {
  return typeof value === 'object' ? `[${value.join(',')}]` : String(value);
}

/** A flag of the configuration's tables as the command line knows it. */
export function flagRow(flag: FlagSource): FlagRow {
  return {
    name: flag.name,
    ...(flag.shorthand === undefined ? {} : { short: flag.shorthand }),
    // kubeadm gave these flags a list type of their own, without quoting (cmd/options/argslice.go).
    type: flag.name.endsWith('-extra-args') ? 'arguments' : flagTypes[flag.type],
    summary: flag.help,
    ...(flag.default === undefined ? {} : { default: defaultText(flag.default) }),
    ...(flag.deprecated === undefined ? {} : { deprecated: flag.deprecated, hidden: true }),
    ...(flag.status === 'not yet' ? { withoutEffect: true } : {}),
  };
}
