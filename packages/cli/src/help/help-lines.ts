import { isChild } from '../arguments/find-command.ts';
import type { ArgumentTable, CommandRow, FlagRow, FlagType } from '../arguments/flag-row.ts';

/** What help calls the type of a flag's value; booleans have none. */
const typeNames: Readonly<Record<FlagType, string>> = {
  bool: '',
  string: 'string',
  int32: 'int32',
  level: 'Level',
  duration: 'duration',
  strings: 'strings',
  arguments: 'name=value,...',
  modules: 'pattern=N,...',
};

export interface HelpOptions {
  /** Wrap lines at this width; not at all if undefined. */
  readonly columns?: number | undefined;
}

/** Help for a command: summary, usage, the phases that it runs, sub-commands, flags. */
export function helpLines(table: ArgumentTable, command: CommandRow, options: HelpOptions = {}): readonly string[] {
  const name = [table.program, ...command.path].join(' ');
  const children = shownChildren(table, command);
  const phases = phaseLines(table, command);
  const usage = usageOf(table, command).map((line) => `  ${line}`);
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', `${title}:`, ...lines]);
  const aliases =
    (command.aliases ?? []).length > 0 ? [`  ${[command.path.at(-1), ...(command.aliases ?? [])].join(', ')}`] : [];
  return [
    command.summary,
    ...(phases.length === 0 ? [] : ['', `"${command.path.at(-1)}" runs these phases:`, '```', ...phases, '```']),
    ...section('Usage', usage),
    ...section('Aliases', aliases),
    ...section(
      'Available Commands',
      columnLines(
        children.map((row) => [row.path.at(-1) ?? '', row.summary]),
        options,
      ),
    ),
    ...section('Flags', flagLines(shownFlags(table, command), options)),
    ...section('Global Flags', flagLines(table.persistent, options)),
    ...(children.length === 0 ? [] : ['', `Use "${name} [command] --help" for more information about a command.`]),
  ];
}

/** How the command is called. */
export function usageOf(table: ArgumentTable, command: CommandRow): readonly string[] {
  const name = [table.program, ...command.path].join(' ');
  return [
    ...(command.kind === 'run' ? [[name, command.argument?.usage || [], '[flags]'].flat().join(' ')] : []),
    ...(shownChildren(table, command).length > 0 ? [`${name} [command]`] : []),
  ];
}

/** The commands one level below that help tells about. */
export function shownChildren(table: ArgumentTable, command: CommandRow): readonly CommandRow[] {
  return table.commands.filter((row) => isChild(row, command) && row.hidden !== true);
}

/** The command's own flags that help tells about, and that for help. */
export function shownFlags(table: ArgumentTable, { path, flags }: CommandRow): readonly FlagRow[] {
  const help: FlagRow = { name: 'help', short: 'h', type: 'bool', summary: `Help for ${path.at(-1) ?? table.program}` };
  return [...flags, help]
    .filter((row) => row.hidden !== true)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** One row per phase below `<command> phase`, children indented, as kubeadm shows them. */
function phaseLines(table: ArgumentTable, command: CommandRow): readonly string[] {
  const root = [...command.path, 'phase'];
  const rows = table.commands.filter(
    (row) =>
      row.path.length > root.length &&
      root.every((word, index) => row.path[index] === word) &&
      row.path.at(-1) !== 'all',
  );
  if (command.path.length === 0) return [];
  const cells = inWorkflowOrder(rows, root.length).map((row): readonly [string, string] => {
    const depth = row.path.length - root.length;
    return [depth === 1 ? (row.path.at(-1) ?? '') : `${'  '.repeat(depth - 1)}/${row.path.at(-1)}`, row.summary];
  });
  const width = Math.max(0, ...cells.map(([left]) => left.length));
  return cells.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}

/** Parents directly before their first child; the catalogue lists the phases themselves in the workflow's order. */
function inWorkflowOrder(rows: readonly CommandRow[], depth: number): readonly CommandRow[] {
  const leaves = rows.filter((row) => row.kind === 'run');
  const placed = new Set<CommandRow>();
  return leaves.flatMap((leaf) => {
    const parents = rows.filter(
      (row) =>
        row.kind === 'group' &&
        !placed.has(row) &&
        row.path.length > depth &&
        row.path.length < leaf.path.length &&
        row.path.every((word, index) => leaf.path[index] === word),
    );
    for (const parent of parents) placed.add(parent);
    return [...parents, leaf];
  });
}

function flagLines(rows: readonly FlagRow[], options: HelpOptions): readonly string[] {
  return columnLines(
    rows.map((row) => {
      const short = row.short === undefined ? '    ' : `-${row.short}, `;
      const type = row.choices === undefined ? typeNames[row.type] : row.choices.join('|');
      return [
        `${short}--${row.name}${type === '' ? '' : ` ${type}`}`,
        `${row.summary}${defaultText(row)}${row.withoutEffect === true ? ' (without effect in this release)' : ''}`,
      ];
    }),
    options,
  );
}

function defaultText(row: FlagRow): string {
  if (row.default === undefined || row.default === '' || row.default === '0' || row.default === 'false') return '';
  return row.type === 'string' ? ` (default "${row.default}")` : ` (default ${row.default})`;
}

function columnLines(cells: readonly (readonly [string, string])[], { columns }: HelpOptions): readonly string[] {
  const width = Math.max(0, ...cells.map(([left]) => left.length));
  const indent = width + 5;
  return cells.flatMap(([left, right]) => {
    const [first = '', ...more] = columns === undefined ? [right] : wrap(right, columns - indent);
    return [`  ${left.padEnd(width)}   ${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)];
  });
}

function wrap(text: string, width: number): readonly string[] {
  if (width < 20) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
