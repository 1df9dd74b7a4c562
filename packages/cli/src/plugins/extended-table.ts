import { messageOf } from '@groundplane/errors';
import type { ArgumentTable, CommandRow } from '../arguments/flag-row.ts';
import { argumentTable, commandId } from '../commands/command-row.ts';
import type { Output } from '../invocation.ts';
import type { Release } from '../release.ts';
import { type Insertions, insertionsFor, workflowNames } from './extended-workflow.ts';
import type { InstalledPlugin } from './installed-plugins.ts';
import { loadPlugins } from './load-plugins.ts';
import { loadPluginConfig } from './plugin-config.ts';

export interface Extension {
  readonly table: ArgumentTable;
  readonly plugins: readonly InstalledPlugin[];
  readonly release: Release;
  readonly output: Output;
}

/**
 * The table of commands with those of plugins and of their phases. What cannot be loaded is left out with a warning, so that a broken
 * plugin stands in nobody's way.
 */
export async function extendedTable({ table, plugins, release, output }: Extension): Promise<ArgumentTable> {
  const tried = async (what: () => Promise<readonly CommandRow[]>) => {
    try {
      return await what();
    } catch (error) {
      output.stderr(`warning: ${messageOf(error)}\n`);
      return [];
    }
  };
  const own = new Set(table.commands.map(({ path }) => commandId(path)));
  const phases = await tried(() => phaseRows(table, plugins));
  const foreign = await tried(() => foreignRows(table, release));
  const added = new Map([...phases, ...foreign].map((row) => [commandId(row.path), row]));
  return { ...table, commands: [...table.commands, ...[...added].flatMap(([id, row]) => (own.has(id) ? [] : [row]))] };
}

/** The commands that oclif finds in plugins; one of ours stays ours. */
async function foreignRows({ program }: ArgumentTable, release: Release): Promise<readonly CommandRow[]> {
  const config = await loadPluginConfig(program, release);
  const rows = argumentTable(program, config.commands).commands.filter(({ foreign }) => foreign === true);
  return rows.flatMap((row) => [...parentsOf(row, 0), row]);
}

/** The groups that a command is in, below so many words that are there already. */
function parentsOf({ path }: CommandRow, known: number): readonly CommandRow[] {
  return path.slice(known, -1).map((_, index) => {
    const parent = path.slice(0, known + index + 1);
    return { path: parent, summary: `Commands of ${parent.slice(known).join(' ')}`, flags: [], kind: 'group' };
  });
}

async function phaseRows(table: ArgumentTable, plugins: readonly InstalledPlugin[]): Promise<readonly CommandRow[]> {
  const loaded = await loadPlugins(plugins);
  return workflowNames.flatMap((workflow) => {
    const whole = table.commands.find(({ path }) => path.length === 1 && path[0] === workflow);
    return whole === undefined ? [] : insertionsFor(workflow, loaded).flatMap((one) => rowsOf(whole, one));
  });
}

/** A phase takes the flags of the whole workflow, as those do that kubeadm does not know; groups of its own name have no command. */
function rowsOf({ aliases: _, ...whole }: CommandRow, { insertions }: Insertions): readonly CommandRow[] {
  return insertions
    .filter(({ phase }) => !phase.hidden)
    .flatMap(({ phase }) => {
      const path = [...whole.path, 'phase', ...phase.name.split('/')];
      const row = { ...whole, path, summary: phase.summary };
      return [...parentsOf(row, 2), row];
    });
}
