import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Event } from '@groundplane/phases';
import { describe, expect, it } from 'vitest';
import type { CommandRow } from '../src/arguments/flag-row.ts';
import { argumentTable } from '../src/commands/command-row.ts';
import { outputSchemas } from '../src/commands/output-schemas.ts';
import { helpDocument } from '../src/help/help-document.ts';
import { readSchemas, wholeSchema } from '../src/schemas.ts';
import { schemaErrors, strictValidator } from './output-validator.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const schemas = readSchemas(root);
const manifest = JSON.parse(readFileSync(`${root}/oclif.manifest.json`, 'utf8'));
const table = argumentTable('groundplane', Object.values(manifest.commands));

describe('the schemas', () => {
  it('have what every command prints', () => {
    const missing = table.commands.flatMap((row) => {
      const { json, jsonl } = outputSchemas(row);
      return [...json, ...jsonl].filter((name) => !schemas.has(name)).map((name) => `${row.path.join(' ')}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('are each for something that is printed, told to the command of a signer, or referred to', () => {
    const printed = table.commands.flatMap((row) => Object.values(outputSchemas(row)).flat());
    const used = new Set([...printed, 'error', 'event', 'help', 'signing-request']);
    for (const name of [...used]) for (const other of references(name)) used.add(other);
    expect([...schemas.keys()].filter((name) => !used.has(name))).toEqual([]);
  });

  it('have an event for everything that a run tells', () => {
    // A new kind of event does not compile without a line here.
    const told: Record<Event['type'] | 'run' | 'lock-wait' | 'plan' | 'dry-run' | 'error', true> = {
      'workflow-started': true,
      'phase-started': true,
      artifact: true,
      progress: true,
      waiting: true,
      result: true,
      finding: true,
      'phase-finished': true,
      'phase-failed': true,
      'phase-undone': true,
      'workflow-finished': true,
      run: true,
      'lock-wait': true,
      plan: true,
      'dry-run': true,
      error: true,
    };
    expect(Object.keys(schemas.get('event')?.$defs ?? {}).toSorted()).toEqual(Object.keys(told).toSorted());
  });

  it.each([...schemas])('%s is of draft 2020-12 and called by its name', (name, schema) => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://groundplane.dev/schemas/v1/${name}.schema.json`,
      title: expect.stringMatching(/\S/),
    });
    const ajv = strictValidator();
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
  });

  it.each([...schemas])('%s says for each object whether there may be more in it', (_, schema) => {
    const open = objectsIn(schema).filter(
      ({ additionalProperties, $comment }) => additionalProperties !== false && typeof $comment !== 'string',
    );
    expect(open).toEqual([]);
  });

  it.each([...schemas.keys()])('%s can be used alone as it is printed', (name) => {
    expect(typeof strictValidator().compile(wholeSchema(name, schemas))).toBe('function');
  });
});

it('help is data for every command', () => {
  const wrong = table.commands.flatMap((row: CommandRow) => schemaErrors(['help'], helpDocument(table, row)));
  expect(wrong).toEqual([]);
});

function references(name: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const [, other = ''] of JSON.stringify(schemas.get(name) ?? {}).matchAll(/"([a-z-]+)\.schema\.json[#"]/g)) {
    if (seen.has(other)) continue;
    seen.add(other);
    references(other, seen);
  }
  return seen;
}

/** All subschemas that are about objects. */
function objectsIn(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'type' in schema && schema.type === 'object' ? [schema as Readonly<Record<string, unknown>>] : [];
  return [...own, ...Object.values(schema).flatMap(objectsIn)];
}
