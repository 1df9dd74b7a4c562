import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ending = '.schema.json';

/** A JSON schema of draft 2020-12, as it is in its file. */
export interface Schema {
  readonly $id: string;
  readonly title: string;
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, unknown>>;
  readonly [keyword: string]: unknown;
}

/**
 * The schemas of this release by name, sorted.
 *
 * @param root folder of this package
 */
export function readSchemas(root: string): ReadonlyMap<string, Schema> {
  const folder = join(root, 'schemas');
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return new Map(
    files.toSorted().map((file) => {
      const name = file.slice(0, -ending.length);
      return [name, JSON.parse(readFileSync(join(folder, file), 'utf8')) as Schema];
    }),
  );
}

/**
 * A schema with all others that it refers to, so that it can be used alone: they are among its definitions, each with its own `$id`
 * (JSON Schema 2020-12 core, section 9.3, compound documents).
 *
 * @throws TypeError if there is none of that name
 */
export function wholeSchema(name: string, schemas: ReadonlyMap<string, Schema>): Schema {
  const schema = schemas.get(name);
  if (schema === undefined) throw new TypeError(`Cannot print a schema as there is none of that name: ${name}`);
  const others = [...referredTo(name, schemas)].filter((other) => other !== name).toSorted();
  if (others.length === 0) return schema;
  const embedded = Object.fromEntries(others.map((other) => [`${other}${ending}`, schemas.get(other)]));
  return { ...schema, $defs: { ...schema.$defs, ...embedded } };
}

/** The names of all schemas that one refers to, directly or not, its own included. */
function referredTo(name: string, schemas: ReadonlyMap<string, Schema>, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other = ''] of JSON.stringify(schemas.get(name)).matchAll(/"\$ref":"([a-z-]+)\.schema\.json[#"]/g)) {
    referredTo(other, schemas, found);
  }
  return found;
}
