import type { ArgumentTable } from '../arguments/flag-row.ts';
import type { NormalizedArguments } from '../arguments/normalize-arguments.ts';
import type { Output } from '../invocation.ts';
import { helpLines } from './help-lines.ts';

/** Prints the help that was asked for; for a topic that does not exist on stderr, as nothing that was asked for. */
export function showHelp(given: NormalizedArguments, table: ArgumentTable, output: Output): void {
  const text = `${helpLines(table, given.command, { columns: output.columns }).join('\n')}\n`;
  output[given.unknownTopic === true ? 'stderr' : 'stdout'](text);
}
