import { dataFormat } from '../arguments/data-format.ts';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { printDocument, printLines } from '../render/print-document.ts';
import { jsonText } from '../render/shown-text.ts';
import { readSchemas, type Schema, wholeSchema } from '../schemas.ts';

/**
 * `schemas`: the names of all schemas; `schemas NAME`: that schema, with all that it refers to.
 *
 * @throws GroundplaneError CLI_SCHEMA_UNKNOWN
 */
export async function printSchemas(invocation: Invocation): Promise<void> {
  const schemas = readSchemas(invocation.release.root);
  const [name] = invocation.words;
  if (name === undefined) return list(invocation, schemas);
  if (!schemas.has(name)) {
    throw cliError(
      'CLI_SCHEMA_UNKNOWN',
      `Cannot print a schema as there is none of that name: ${JSON.stringify(name)}`,
      {
        hint: `List them with: ${invocation.program} schemas`,
      },
    );
  }
  const schema = wholeSchema(name, schemas);
  if (dataFormat(invocation.flags.output) === 'jsonl') {
    return printLines(invocation.output, [{ type: 'schema', ...entryOf([name, schema]), schema }]);
  }
  invocation.output.stdout(`${jsonText(schema, 2)}\n`);
}

function list(invocation: Invocation, schemas: ReadonlyMap<string, Schema>): void {
  const { output, flags } = invocation;
  const entries = [...schemas].map(entryOf);
  const format = dataFormat(flags.output);
  const width = Math.max(...entries.map(({ name }) => name.length));
  if (format === 'json') printDocument(invocation, { schemas: entries });
  else if (format === 'jsonl') {
    printLines(
      output,
      entries.map((entry) => ({ type: 'schema', ...entry })),
    );
  } else output.stdout(entries.map(({ name, title }) => `${name.padEnd(width)}  ${title}\n`).join(''));
}

function entryOf([name, { $id, title }]: readonly [string, Schema]) {
  return { name, id: $id, title };
}
