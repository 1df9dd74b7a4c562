import type { CommandRow } from '../arguments/flag-row.ts';
import type { Handler } from '../invocation.ts';

interface HandlerRow {
  /** First words of the commands that it carries out; the longest match counts. */
  readonly words: readonly string[];
  /** Loaded when one of its commands runs. */
  readonly load: () => Promise<Handler>;
  /** True if it answers at once, so that not even oclif is worth its time. */
  readonly direct?: true;
}

const handlers: readonly HandlerRow[] = [
  { words: ['version'], load: async () => (await import('../handlers/print-version.ts')).printVersion, direct: true },
  { words: ['phases', 'list'], load: async () => (await import('../handlers/list-phases.ts')).listPhases },
  { words: ['phases', 'graph'], load: async () => (await import('../handlers/print-graph.ts')).printGraph },
  { words: ['init'], load: async () => (await import('../handlers/run-init.ts')).runInit },
];

/**
 * The code behind a command.
 *
 * @throws TypeError if the catalogue lists a command that nothing carries out
 */
export async function handlerOf(row: CommandRow): Promise<Handler> {
  const handler = (await directHandlerOf(row)) ?? (await rowOf(row)?.load());
  if (handler === undefined) {
    throw new TypeError(`Cannot run '${row.path.join(' ')}' as no handler is registered for it`);
  }
  return handler;
}

/** The code behind a command that needs no more than the manifest; undefined for all others. */
export async function directHandlerOf(row: CommandRow): Promise<Handler | undefined> {
  if (row.kind === 'group') return (await import('../handlers/require-subcommand.ts')).requireSubcommand;
  const found = rowOf(row);
  return found?.direct === true ? found.load() : undefined;
}

function rowOf({ path }: CommandRow): HandlerRow | undefined {
  const matching = handlers.filter(({ words }) => words.every((word, index) => path[index] === word));
  return matching.toSorted((one, other) => other.words.length - one.words.length)[0];
}
