/**
 * Writes packages/controlplane/src/pod-types.ts: the types of all fields of a v1 Pod, from the OpenAPI document of an API server.
 *
 * usage: kubectl get --raw /openapi/v3/api/v1 | node scripts/pod-types.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
export interface OpenAPIDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What nobody writes into a manifest, the API server does: not followed. */
const notFollowed = new Set(['PodStatus', 'ManagedFieldsEntry', 'OwnerReference']);
const scalars: Readonly<Record<string, string>> = { Quantity: 'quantity', IntOrString: 'int-or-string', Time: 'time' };

/** @returns name of a struct → field → type, in the notation of `podTypes` */
export function podTypesOf({ components: { schemas } }: OpenAPIDocument): Record<string, Record<string, string>> {
  const byName = new Map(Object.entries(schemas).map(([name, schema]) => [shortName(name), schema]));
  const found: Record<string, Record<string, string>> = {};
  const follow = (name: string) => {
    const properties = byName.get(name)?.properties;
    if (properties === undefined || name in found) return;
    found[name] = {};
    for (const [field, schema] of Object.entries(properties)) {
      const type = typeOf(schema);
      found[name][field] = type;
      follow(type.replace(/^(?:\[\]|\{\})+/, ''));
    }
  };
  follow('Pod');
  return Object.fromEntries(Object.entries(found).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function typeOf(schema: Schema): string {
  const { type, format, $ref, allOf, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = shortName($ref);
    return notFollowed.has(name) ? 'any' : (scalars[name] ?? name);
  }
  if (allOf?.[0] !== undefined) return typeOf(allOf[0]);
  if (items !== undefined) return `[]${typeOf(items)}`;
  if (additionalProperties !== undefined) return `{}${typeOf(additionalProperties)}`;
  return type === 'integer' ? (format ?? 'int64') : (type ?? 'any');
}

function shortName(name: string): string {
  return name.split(/[./]/).at(-1) ?? name;
}

/** The text of the module. */
export function podTypesModule(document: OpenAPIDocument): string {
  const rows = Object.entries(podTypesOf(document)).map(
    ([name, fields]) =>
      `  ${name}: {\n${Object.entries(fields)
        .map(([field, type]) => `    ${field}: '${type}',\n`)
        .join('')}  },\n`,
  );
  return `import type { FieldTypes } from '@groundplane/manifest';

/**
 * The types of the fields of a v1 Pod (k8s.io/api, core/v1), from the API server's own description.
 * Made by scripts/pod-types.ts; do not edit.
 */
export const podTypes: FieldTypes = {
${rows.join('')}};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = new URL('../packages/controlplane/src/pod-types.ts', import.meta.url);
  writeFileSync(target, podTypesModule(JSON.parse(readFileSync(0, 'utf8'))));
}
