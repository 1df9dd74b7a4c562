import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { readSchemas } from '../src/schemas.ts';

const schemas = readSchemas(fileURLToPath(new URL('..', import.meta.url)));

/** A validator of draft 2020-12 to which a misspelled keyword is an error. */
export function strictValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  const dateTime = (text: string) => /^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(Date.parse(text));
  return ajv.addFormat('date-time', dateTime);
}

const ajv = strictValidator();
for (const schema of schemas.values()) ajv.addSchema(schema);

/** What is wrong with a value as one of these schemas; nothing if it fits one. */
export function schemaErrors(names: readonly string[], value: unknown): readonly string[] {
  const failures = names.map((name) => errorsOf(name, value));
  return failures.some((errors) => errors.length === 0) ? [] : failures.flat();
}

/** What is wrong with the output of `-o json`, which is exactly one document. */
export function documentErrors(names: readonly string[], stdout: string): readonly string[] {
  const parsed = parse(stdout);
  return 'reason' in parsed ? [parsed.reason] : schemaErrors(names, parsed.value);
}

/** What is wrong with the output of `-o jsonl`: lines of JSON and nothing else, each with a type; none for an empty list. */
export function lineErrors(names: readonly string[], stdout: string): readonly string[] {
  if (stdout === '') return [];
  if (!stdout.endsWith('\n')) return [`the last line does not end: ${stdout.slice(-80)}`];
  return stdout
    .slice(0, -1)
    .split('\n')
    .flatMap((line) => {
      const parsed = parse(line);
      if ('reason' in parsed) return [parsed.reason];
      const { type } = parsed.value as { readonly type?: unknown };
      if (typeof type !== 'string') return [`a line without a type: ${line}`];
      // An event is held to its own definition, which tells more than that it is none of all.
      return schemaErrors(
        names.map((name) => (name === 'event' ? `event#${type}` : name)),
        parsed.value,
      ).map((error) => `${type}: ${error}`);
    });
}

/** The types of the lines of `-o jsonl`. */
export function lineTypes(stdout: string): readonly string[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).type);
}

function parse(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    return { reason: `no JSON: ${(thrown as Error).message}: ${text.slice(0, 200)}` };
  }
}

/** @param name of a schema, or `event#<type>` */
function errorsOf(name: string, value: unknown): readonly string[] {
  const [file = '', definition] = name.split('#');
  const schema = schemas.get(file);
  if (schema === undefined) return [`there is no schema ${file}`];
  const validate = ajv.getSchema(definition === undefined ? schema.$id : `${schema.$id}#/$defs/${definition}`);
  if (validate === undefined) return [`there is no definition ${name}`];
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map((error) => `${name}${textOf(error)}`);
}

function textOf({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}
