import fc from 'fast-check';
import { parseAllDocuments, stringify } from 'yaml';
import type { Mutation } from './mutate-bytes.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Key = string | number;

/** Values that a field might be given by mistake, or by somebody who means ill. */
const values: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e30,
  70_000,
  '',
  ' ',
  'yes',
  '0',
  '1e3',
  'a/b',
  '../../etc',
  '/',
  'Ünïcødé',
  'x'.repeat(5_000),
  '\0',
  '-----BEGIN EC PRIVATE KEY-----',
  '10.0.0.0/8',
  '::1',
  '999.1.1.1',
  'https://192.0.2.1:2379',
  '1h',
  '$HOME',
  [],
  {},
  [null],
  [[]],
  [''],
  { '': '' },
  { name: 'x', value: 'y' },
  [{ name: 'x', value: 'y' }],
  [{}],
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}') as Json,
  Array(300).fill('a'),
];

const nested = (depth: number): Json =>
  depth === 0 ? 'x' : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };

interface Change {
  readonly name: string;
  /** The new value of the field; undefined to take it away. */
  readonly value: (before: Json) => Json | undefined;
  readonly rename?: string;
}

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(...values)
      .map((value) => ({ name: `set to ${JSON.stringify(value).slice(0, 60)}`, value: () => value })),
  },
  { weight: 1, arbitrary: fc.constant({ name: 'delete', value: () => undefined }) },
  { weight: 1, arbitrary: fc.constant({ name: 'put into a list', value: (before: Json) => [before] }) },
  { weight: 1, arbitrary: fc.constant({ name: 'put into a mapping', value: (before: Json) => ({ value: before }) }) },
  { weight: 1, arbitrary: fc.constant({ name: 'make a text of it', value: (before: Json) => JSON.stringify(before) }) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 2, max: 400 })
      .map((depth) => ({ name: `nest ${depth} deep`, value: () => nested(depth) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((text) => ({ name: `set to the text ${JSON.stringify(text)}`, value: () => text })),
  },
  {
    weight: 1,
    arbitrary: fc
      .json({ maxDepth: 3 })
      .map((text) => ({ name: `set to ${text.slice(0, 60)}`, value: () => JSON.parse(text) as Json })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('Name', 'frob', '', '__proto__', 'api Version')
      .map((rename) => ({ name: `rename to '${rename}'`, rename, value: (before: Json) => before })),
  },
);

/** Changes one field of one document of a YAML file, and writes the file again, as YAML or as JSON. */
export const fieldMutation: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((number) => number / 10_000),
    change,
    fc.boolean(),
  )
  .map(([fraction, step, asJson]) => ({
    name: `field at ${fraction.toFixed(3)}: ${step.name}${asJson ? ', as JSON' : ''}`,
    apply(bytes) {
      const documents = documentsOf(bytes);
      if (documents === undefined) return bytes;
      const paths = pathsOf(documents).filter((path) => path.length > 1);
      const path = paths[Math.floor(paths.length * fraction)];
      if (path === undefined) return bytes;
      const changed = replaced(documents, path, step) as readonly Json[];
      const texts = changed.map((document) => (asJson ? `${JSON.stringify(document)}\n` : stringify(document)));
      return Buffer.from(texts.join('---\n'));
    },
  }));

/** Texts that grow when they are read: aliases of aliases, merge keys of merge keys, collections in collections. */
export const bombMutation: fc.Arbitrary<Mutation> = fc
  .tuple(fc.constantFrom('aliases', 'merge keys', 'lists', 'mappings', 'keys'), fc.integer({ min: 2, max: 3_000 }))
  .map(([kind, size]) => ({
    name: `append ${size} ${kind}`,
    apply: (bytes) => Buffer.concat([bytes, Buffer.from(`\n${bombs[kind]?.(size) ?? ''}\n`)]),
  }));

const levels = (size: number, line: (level: number) => string) =>
  Array.from({ length: Math.min(size, 60) }, (_, level) => line(level)).join('\n');

const bombs: Readonly<Record<string, (size: number) => string>> = {
  aliases: (size) =>
    levels(size, (level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1}, *a${level - 1}`}]`),
  'merge keys': (size) =>
    levels(size, (level) => `m${level}: &m${level} {${level === 0 ? '' : `<<: [*m${level - 1}, *m${level - 1}]`}}`),
  lists: (size) => `l: ${'['.repeat(size)}${']'.repeat(size)}`,
  mappings: (size) => `l: ${'{a: '.repeat(size)}1${'}'.repeat(size)}`,
  keys: (size) => Array.from({ length: size }, (_, index) => `k${index}: ${index}`).join('\n'),
};

function documentsOf(bytes: Uint8Array): readonly Json[] | undefined {
  try {
    const parsed = parseAllDocuments(Buffer.from(bytes).toString('utf8'));
    if (!Array.isArray(parsed) || parsed.some(({ errors }) => errors.length > 0)) return undefined;
    return parsed.map((document) => document.toJS({ maxAliasCount: 100 }) as Json);
  } catch {
    return undefined;
  }
}

function pathsOf(value: Json, path: readonly Key[] = []): readonly (readonly Key[])[] {
  if (path.length > 30 || typeof value !== 'object' || value === null) return [path];
  const entries: readonly (readonly [Key, Json])[] = Array.isArray(value)
    ? value.map((item: Json, index) => [index, item] as const)
    : Object.entries(value);
  return [path, ...entries.flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function replaced(value: Json, [key, ...rest]: readonly Key[], step: Change): Json {
  const inner = (before: Json) => (rest.length === 0 ? step.value(before) : replaced(before, rest, step));
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      const after = index === key ? inner(item) : item;
      return after === undefined ? [] : [after];
    });
  }
  const entries = Object.entries(value as Readonly<Record<string, Json>>).flatMap(([name, item]) => {
    if (name !== key) return [[name, item]];
    const after = inner(item);
    return after === undefined ? [] : [[rest.length === 0 ? (step.rename ?? name) : name, after]];
  });
  return Object.fromEntries(entries) as Json;
}
