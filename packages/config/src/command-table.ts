/** A command of a workflow (`init`, `join`, `reset`), or of one of its phases, and what it takes. */
export interface CommandFlags {
  /** Words of the command, for instance `init phase certs ca`. */
  readonly command: string;
  /** Other names of the last word. */
  readonly aliases: readonly string[];
  /** Names of its own flags, sorted. */
  readonly flags: readonly string[];
  /** Name of the one argument that it may be given besides flags; empty if it is accepted and of no use. */
  readonly argument?: string;
  /** True if it only holds other commands. */
  readonly group: boolean;
}

export interface CommandTableRows {
  /** Parent → its other name, or empty. */
  readonly groups: Readonly<Record<string, string>>;
  /** Leaf command → names of its flags, between blanks. */
  readonly leaves: Readonly<Record<string, string>>;
  /** Leaf command → its other name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** The commands that rows describe, parents first. */
export function commandTable({ groups, leaves, aliases = {} }: CommandTableRows): readonly CommandFlags[] {
  const list = (text: string) =>
    text
      .split(/\s+/)
      .filter((name) => name !== '')
      .toSorted();
  return [
    ...Object.entries(groups).map(([command, alias]) => ({ command, aliases: list(alias), flags: [], group: true })),
    ...Object.entries(leaves).map(([command, flags]) => ({
      command,
      aliases: list(aliases[command] ?? ''),
      flags: list(flags),
      group: false,
    })),
  ];
}
