import { normalQuantity } from '@groundplane/manifest';
import { type FieldRow, fieldsOf } from './field-table.ts';
import { describe, isObject, type JsonObject, memberOf, setMember } from './json-value.ts';

/** What is lost or wrong in a document, by field path. */
export interface DecodeReport {
  /** A field that the type does not have. */
  unknown(path: string): void;
  /** A value that does not fit its field; completes "… must be". */
  mistyped(path: string, reason: string): void;
}

/**
 * Reads a document as an object of a type and writes it again, as a Go program with that type does: unknown fields and empty
 * values are left out, quantities get their normal form, fields that always stand there are added.
 *
 * @param type name of a type of the tables, `Pod`
 */
export function decodeObject(type: string, document: JsonObject, report: DecodeReport): JsonObject {
  return decodeStruct(type, document, '', report);
}

function decodeStruct(type: string, value: JsonObject, path: string, report: DecodeReport): JsonObject {
  const fields = fieldsOf(type);
  if (fields === undefined) throw new TypeError(`Cannot decode as the tables lack the type ${type}`);
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of Object.keys(value)) if (!fields.has(name)) report.unknown(below(name));
  const result: JsonObject = {};
  for (const row of fields.values()) {
    const decoded = decode(row.type, memberOf(value, row.name) ?? null, below(row.name), report);
    if (row.isAlwaysWritten || !isEmpty(row, decoded)) result[row.name] = decoded;
  }
  return result;
}

/** What stands behind a pointer counts, whatever it is. */
function isEmpty({ type }: FieldRow, value: unknown): boolean {
  if (value === null) return true;
  if (type.startsWith('*')) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (type.startsWith('map:')) return Object.keys(value as JsonObject).length === 0;
  return value === '' || value === false || value === 0;
}

function decode(type: string, value: unknown, path: string, report: DecodeReport): unknown {
  if (type.startsWith('*')) return value === null ? null : decode(type.slice(1), value, path, report);
  if (type.startsWith('[]')) {
    if (value === null) return null;
    if (Array.isArray(value)) {
      return value.map((item, index) => decode(type.slice(2), item ?? null, `${path}[${index}]`, report));
    }
    return mistyped(path, 'a list', { value, type, report });
  }
  if (type.startsWith('map:')) {
    if (value === null) return null;
    if (!isObject(value)) return mistyped(path, 'a mapping', { value, type, report });
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      setMember(result, key, decode(type.slice(4), member, `${path}.${key}`, report));
    }
    return result;
  }
  const leaf = Object.hasOwn(leafTable, type) ? leafTable[type] : undefined;
  if (leaf === undefined) {
    if (value === null || isObject(value)) return decodeStruct(type, value ?? {}, path, report);
    return mistyped(path, 'a mapping', { value, type, report });
  }
  if (value === null) return leaf.empty;
  const decoded = leaf.read(value);
  return decoded === undefined ? mistyped(path, leaf.name, { value, type, report }) : decoded;
}

interface Mismatch {
  readonly value: unknown;
  readonly type: string;
  readonly report: DecodeReport;
}

function mistyped(path: string, expected: string, { value, type, report }: Mismatch): unknown {
  report.mistyped(path, `must be ${expected}: ${describe(value)}`);
  return decode(type, null, path, report);
}

interface Leaf {
  /** For messages. */
  readonly name: string;
  /** What is written if nothing was given. */
  readonly empty: unknown;
  /** undefined if the value does not fit. */
  readonly read: (value: unknown) => unknown;
}

const leafTable: Readonly<Record<string, Leaf>> = {
  string: { name: 'a string', empty: '', read: (value) => (typeof value === 'string' ? value : undefined) },
  bool: { name: 'a boolean', empty: false, read: (value) => (typeof value === 'boolean' ? value : undefined) },
  int32: wholeNumber(-(2 ** 31), 2 ** 31 - 1),
  int64: wholeNumber(-(2 ** 63), 2 ** 63 - 1),
  uint32: wholeNumber(0, 2 ** 32 - 1),
  float64: { name: 'a number', empty: 0, read: (value) => (typeof value === 'number' ? value : undefined) },
  quantity: { name: 'a quantity such as 100m or 1Gi', empty: '0', read: readQuantity },
  intOrString: {
    name: 'a string or a whole number',
    empty: 0,
    read: (value) => (typeof value === 'string' ? value : wholeNumber(-(2 ** 31), 2 ** 31 - 1).read(value)),
  },
  time: { name: 'a time such as 2026-01-02T03:04:05Z', empty: null, read: readTime },
  duration: {
    name: 'a duration such as 1m30s',
    empty: '0s',
    read: (value) => (typeof value === 'string' ? value : undefined),
  },
  any: { name: 'anything', empty: null, read: (value) => value },
};

function wholeNumber(least: number, most: number): Leaf {
  const fits = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return {
    name: least === 0 ? 'a whole number from 0 on' : 'a whole number',
    empty: 0,
    read: (value) => (fits(value) ? value : undefined),
  };
}

function readQuantity(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? normalQuantity(String(value)) : undefined;
}

/** RFC 3339, written in UTC and whole seconds. */
function readTime(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value))
    return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
