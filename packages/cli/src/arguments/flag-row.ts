/** What a flag's value is, in the names of Go's pflag. */
export type FlagType =
  /** Go boolean; the value may be left out. */
  | 'bool'
  | 'string'
  /** 32-bit integer, in any base that Go reads. */
  | 'int32'
  /** 32-bit decimal integer: klog's verbosity. */
  | 'level'
  /** Go duration; its value stays text. */
  | 'duration'
  /** Comma list; repeated flags add up. */
  | 'strings'
  /** `name=value,…`; repeated flags add up. kubeadm's deprecated extra-args flags. */
  | 'arguments'
  /** `pattern=level,…`: klog's per-module verbosity. */
  | 'modules';

/** One flag as the command line knows it. */
export interface FlagRow {
  /** Long name without dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  readonly type: FlagType;
  readonly summary: string;
  /** Text of the default for help; absent where there is none. */
  readonly default?: string;
  /** The values that it takes, where there are only a few. */
  readonly choices?: readonly string[];
  /** Accepted, but not in help. */
  readonly hidden?: boolean;
  /** What to use instead; said once when the flag is given. */
  readonly deprecated?: string;
  /** Accepted and checked, but nothing is done about it yet; said once when the flag is given. */
  readonly withoutEffect?: true;
}

/** Value of a flag: by type `bool` boolean · `int32`, `level` number · `strings`, `arguments` list · the rest text. */
export type FlagValue = boolean | string | number | readonly string[];

/** What a command takes besides flags. */
export interface ArgumentRow {
  /** For help: `[api-server-endpoint]`; empty if help is silent about it. */
  readonly usage: string;
  /** How many at most; absent if there is no limit. */
  readonly maximum?: number;
}

/** One command of the tree. */
export interface CommandRow {
  /** Words after the program's name: `['init', 'phase', 'certs', 'ca']`; none for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  /** Other spellings of the last word. */
  readonly aliases?: readonly string[];
  /** Its own flags; the persistent ones come on top. */
  readonly flags: readonly FlagRow[];
  /** Absent if it takes flags alone. */
  readonly argument?: ArgumentRow;
  /**
   * `run`: it does something · `group`: without a sub-command it prints help and fails ·
   * `help`: without a sub-command it prints help.
   */
  readonly kind: 'run' | 'group' | 'help';
  readonly hidden?: boolean;
  /** True for a command of a plugin, whose arguments are passed on as they are. */
  readonly foreign?: boolean;
}

/** All that {@link normalizeArguments} knows of the command line. */
export interface ArgumentTable {
  /** Name that the program was called by, for messages. */
  readonly program: string;
  /** Flags that every command has, and that may stand before it. */
  readonly persistent: readonly FlagRow[];
  readonly commands: readonly CommandRow[];
}
