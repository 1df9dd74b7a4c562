import type { ArgumentTable, FlagValue } from './arguments/flag-row.ts';
import type { Release } from './release.ts';

/** The names that the program goes by. Under `kubeadm` it speaks kubeadm's texts and knows two exit codes. */
export type ProgramName = 'groundplane' | 'kubeadm';

/** Where a command writes to. */
export interface Output {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Columns of the terminal that stdout is; undefined if it is none. */
  readonly columns: number | undefined;
}

/** One call of one command, as its handler gets it. */
export interface Invocation {
  readonly program: ProgramName;
  /** What this program is. */
  readonly release: Release;
  /** Words of the command: `['init', 'phase', 'certs', 'ca']`. */
  readonly path: readonly string[];
  /** The flags that were given, by name. */
  readonly flags: Readonly<Record<string, FlagValue>>;
  /** The arguments that are no flags, for commands that take such. */
  readonly words: readonly string[];
  readonly output: Output;
  /** All commands, for help. */
  readonly table: ArgumentTable;
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array | string>;
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal;
}

export type Handler = (invocation: Invocation) => Promise<void>;

/** The text of a flag, if it was given. */
export function textFlag(invocation: Invocation, name: string): string | undefined {
  const value = invocation.flags[name];
  return value === undefined ? undefined : String(value);
}
