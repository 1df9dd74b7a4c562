import type { AnyField, Field } from './field-schema.ts';

/**
 * Turns a decoded value back into the plain document that Go would write: zero values are left out unless the table
 * says `always`, structs and durations are written even when empty.
 *
 * @returns JSON data for stringifyYaml; apiVersion and kind are for the caller to add
 */
export function encodeDocument<T>(field: Field<T>, value: T): Record<string, unknown> {
  return encode(field as unknown as AnyField, value) as Record<string, unknown>;
}

function encode(field: AnyField, value: unknown): unknown {
  if (field.kind === 'list' && Array.isArray(value)) return value.map((item) => encode(field.items as AnyField, item));
  if (typeof value !== 'object' || value === null) return value;
  if (field.kind === 'map') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(field.items as AnyField, item)]));
  }
  if (field.kind !== 'struct') return value;
  const members = value as Readonly<Record<string, unknown>>;
  const document: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(field.fields ?? {})) {
    const member = members[key];
    if (isWritten(row, member)) document[key] = member === undefined ? null : encode(row, member);
  }
  return document;
}

function isWritten(field: AnyField, value: unknown): boolean {
  if (field.always === true) return true;
  if (value === undefined || value === null) return false;
  if (field.optional === true) return true;
  if (field.kind === 'list') return (value as readonly unknown[]).length > 0;
  if (field.kind === 'map') return Object.keys(value).length > 0;
  return value !== '' && value !== 0 && value !== false;
}
