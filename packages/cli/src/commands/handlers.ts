import type { CommandRow } from '../arguments/flag-row.ts';
import type { Handler } from '../invocation.ts';

/** Handlers by the first words of the command; the longest match counts. Each is loaded when its command runs. */
const handlers: readonly { readonly words: readonly string[]; readonly load: () => Promise<Handler> }[] = [
  { words: ['version'], load: async () => (await import('../handlers/print-version.ts')).printVersion },
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
  if (row.kind === 'group') return (await import('../handlers/require-subcommand.ts')).requireSubcommand;
  const found = handlers
    .filter(({ words }) => words.every((word, index) => row.path[index] === word))
    .sort((one, other) => other.words.length - one.words.length)[0];
  if (found === undefined) throw new TypeError(`Cannot run '${row.path.join(' ')}' as no handler is registered for it`);
  return found.load();
}
