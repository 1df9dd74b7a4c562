import type { ArgumentTable } from '../arguments/flag-row.ts';
import type { NormalizedArguments } from '../arguments/normalize-arguments.ts';
import type { Output } from '../invocation.ts';
import { printDocument, wantsDocument } from '../render/print-document.ts';
import { helpDocument } from './help-document.ts';
import { helpLines } from './help-lines.ts';

/** Prints the help that was asked for; for a topic that does not exist on stderr, as nothing that was asked for. */
export function showHelp(given: NormalizedArguments, table: ArgumentTable, output: Output): void {
  const { command, flags, unknownTopic } = given;
  if (wantsDocument(given)) {
    printDocument({ output, flags, path: command.path }, helpDocument(table, command), 'help');
  } else {
    const text = `${helpLines(table, command, { columns: output.columns }).join('\n')}\n`;
    output[unknownTopic === true ? 'stderr' : 'stdout'](text);
  }
}
