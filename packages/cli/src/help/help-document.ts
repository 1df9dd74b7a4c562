import type { ArgumentTable, CommandRow, FlagRow } from '../arguments/flag-row.ts';
import type { ResultDocument } from '../render/print-document.ts';
import { shownChildren, shownFlags, usageOf } from './help-lines.ts';

/** What help says about a command, as data. */
export function helpDocument(table: ArgumentTable, command: CommandRow): ResultDocument {
  const { path, summary, aliases = [] } = command;
  return {
    program: table.program,
    command: path.join(' '),
    summary,
    usage: usageOf(table, command),
    aliases,
    commands: shownChildren(table, command).map((row) => ({ name: row.path.at(-1) ?? '', summary: row.summary })),
    flags: shownFlags(table, command).map(flagDocument),
    globalFlags: table.persistent.map(flagDocument),
  };
}

function flagDocument({ name, short, type, summary, default: value, choices, withoutEffect }: FlagRow): ResultDocument {
  return {
    name,
    ...(short === undefined ? {} : { shorthand: short }),
    type,
    summary,
    ...(value === undefined ? {} : { default: value }),
    ...(choices === undefined ? {} : { choices }),
    ...(withoutEffect === undefined ? {} : { withoutEffect }),
  };
}
