import type { Command } from '@oclif/core';
import type { ArgumentRow, ArgumentTable, CommandRow, FlagRow, FlagType } from '../arguments/flag-row.ts';
import { persistentFlags } from '../arguments/persistent-flags.ts';
import { outputFlag } from './output-flags.ts';

/** What our command classes carry besides oclif's own statics; the manifest keeps it. */
export interface CommandExtras {
  readonly kind: CommandRow['kind'];
  /** Type of each of the command's own flags, which oclif does not know. */
  readonly flagTypes: Readonly<Record<string, FlagType>>;
  /** What it takes besides flags. */
  readonly argument?: ArgumentRow;
  /** Names of flags that nothing is done about yet. */
  readonly withoutEffect: readonly string[];
  /** Position in the catalogue: oclif sorts by name, but phases have an order. */
  readonly position: number;
}

/** The program itself, which no manifest lists. */
export const programRow: CommandRow = {
  path: [],
  summary: 'Bootstrap Kubernetes in phases',
  flags: [outputFlag],
  kind: 'help',
};

/** oclif's id of a command. */
export function commandId(path: readonly string[]): string {
  return path.join(':');
}

/** Rebuilds the row that a cached command was made from; the command of a plugin is marked as foreign. */
export function commandRow(
  command: Pick<Command.Cached, 'id' | 'summary' | 'aliases' | 'flags' | 'hidden'>,
): CommandRow {
  const path = command.id.split(':');
  const base = { path, summary: command.summary ?? '', ...(command.hidden === true ? { hidden: true } : {}) };
  const { kind, flagTypes, argument, withoutEffect = [] } = command as Partial<CommandExtras>;
  if (kind === undefined || flagTypes === undefined) return { ...base, flags: [], kind: 'run', foreign: true };
  const aliases = command.aliases.flatMap((alias) => alias.split(':').at(-1) ?? []);
  const flags = Object.entries(flagTypes).flatMap(([name, type]): readonly FlagRow[] => {
    const flag = command.flags[name];
    if (flag === undefined) return [];
    const defaultText = flag.type === 'option' && typeof flag.default === 'string' ? flag.default : undefined;
    const choices = flag.type === 'option' ? flag.options : undefined;
    const deprecated = typeof flag.deprecated === 'object' ? flag.deprecated.message : undefined;
    return [
      {
        name,
        type,
        summary: flag.summary ?? '',
        ...(flag.char === undefined ? {} : { short: flag.char }),
        ...(defaultText === undefined ? {} : { default: defaultText }),
        ...(choices === undefined ? {} : { choices }),
        ...(flag.hidden === true ? { hidden: true } : {}),
        ...(deprecated === undefined ? {} : { deprecated }),
        ...(withoutEffect.includes(name) ? { withoutEffect: true } : {}),
      },
    ];
  });
  return {
    ...base,
    kind,
    flags,
    ...(argument === undefined ? {} : { argument }),
    ...(aliases.length === 0 ? {} : { aliases }),
  };
}

/** The table that arguments are read by, from the commands that oclif knows (its manifest, and plugins). */
export function argumentTable(program: string, commands: readonly Parameters<typeof commandRow>[0][]): ArgumentTable {
  const aliases = new Set(commands.flatMap((command) => command.aliases));
  return {
    program,
    persistent: persistentFlags,
    // oclif lists an alias as a command of its own; here the command knows its aliases.
    commands: [
      programRow,
      ...commands
        .filter((command) => !aliases.has(command.id))
        .toSorted((one, other) => positionOf(one) - positionOf(other))
        .map(commandRow),
    ],
  };
}

/** Commands of plugins come last, in oclif's order. */
function positionOf(command: object): number {
  return (command as Partial<CommandExtras>).position ?? Number.MAX_SAFE_INTEGER;
}
