import { normalQuantity } from '@groundplane/manifest';
import type { AnyField, Field, FieldKind } from './field-schema.ts';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';
import { isBootstrapToken } from './text-grammars.ts';

/** A value that cannot be used, at a field path such as `nodeRegistration.taints[0].key`. */
export interface Problem {
  readonly path: string;
  /** What is required instead, to follow "as": `it must be of type string`. */
  readonly reason: string;
  /** The value as shown in messages; absent for secrets. */
  readonly value?: unknown;
  readonly hint?: string;
}

export interface Decoded<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
  /** Paths of fields that the table does not know, wrong letter case included. They are left out of the value. */
  readonly unknownFields: readonly string[];
}

type Raw = Readonly<Record<string, unknown>>;

interface Sink {
  readonly problems: Problem[];
  readonly unknownFields: string[];
}

/**
 * Reads a parsed document by its field table, as Go's JSON decoder reads it into a struct: names are case-sensitive,
 * null and absent are the same, nothing is converted between types; then the table's defaults fill zero values.
 *
 * @param value parsed YAML or JSON; undefined gives the defaults
 */
export function decodeDocument<T>(field: Field<T>, value: unknown): Decoded<T> {
  const sink: Sink = { problems: [], unknownFields: [] };
  const decoded = decode(field as unknown as AnyField, value, '', sink) as T;
  return { value: decoded, problems: sink.problems, unknownFields: sink.unknownFields };
}

function decode(field: AnyField, raw: unknown, path: string, sink: Sink): unknown {
  const isNull = raw === undefined || raw === null;
  // Go calls a duration's own reader for null and that one wants text.
  if (raw === null && field.kind === 'duration' && field.optional !== true) return refuse(field, raw, path, sink);
  const value = isNull ? undefined : readers[field.kind](field, raw, path, sink);
  const isUnset = value === undefined || (field.optional !== true && isZero(value));
  if (field.default !== undefined && isUnset) return readers[field.kind](field, field.default, path, sink);
  // What was refused counts as unset, so that the rest of the document can still be looked at.
  return value === undefined && field.optional !== true ? zeroOf(field, path, sink) : value;
}

function zeroOf(field: AnyField, path: string, sink: Sink): unknown {
  switch (field.kind) {
    case 'struct':
      return readStruct(field, {}, path, sink);
    case 'list':
      return field.nullable === true ? null : [];
    case 'map':
      return field.nullable === true ? null : {};
    case 'bool':
      return false;
    case 'duration':
      return '0s';
    case 'quantity':
      return '0';
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'float':
    case 'float32':
    case 'log-duration':
      return 0;
    case 'any':
      return undefined;
    default:
      return '';
  }
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

const requirements: Readonly<Record<FieldKind, string>> = {
  string: 'it must be of type string (put numbers and words like yes, on and null in quotes)',
  bool: 'it must be of type bool: true or false, without quotes',
  int32: 'it must be a whole number of 32 bits, without quotes',
  int64: 'it must be a whole number, without quotes',
  uint32: 'it must be a whole number from 0 on, without quotes',
  float: 'it must be a number, without quotes',
  float32: 'it must be a number of 32 bits, without quotes',
  duration: 'it must be a duration with units, for instance 1h30m or 0s',
  'log-duration': 'it must be a duration such as 5s or a number of nanoseconds',
  time: 'it must be a time in the form of RFC 3339',
  token: 'a bootstrap token must match [a-z0-9]{6}.[a-z0-9]{16} and be a string (put it in quotes)',
  quantity: 'it must be a quantity such as 10Mi',
  list: 'it must be a list',
  map: 'it must be a mapping',
  struct: 'it must be a mapping',
  any: '',
};

function refuse(field: AnyField, raw: unknown, path: string, sink: Sink): undefined {
  const problem = { path, reason: requirements[field.kind] };
  // A list or mapping in a wrong place may hold a token as well as anything else.
  const isShown = !holdsSecret(field) && (typeof raw !== 'object' || raw === null);
  sink.problems.push(isShown ? { ...problem, value: raw } : problem);
  return undefined;
}

/** Whether the field is a secret, or has one somewhere in it. */
function holdsSecret(field: AnyField): boolean {
  const inner = [...Object.values(field.fields ?? {}), ...(field.items === undefined ? [] : [field.items])];
  return field.secret === true || inner.some((each) => holdsSecret(each as AnyField));
}

type Reader = (field: AnyField, raw: unknown, path: string, sink: Sink) => unknown;

const readInteger =
  (minimum: number, maximum: number): Reader =>
  (field, raw, path, sink) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= minimum && raw <= maximum
      ? raw
      : refuse(field, raw, path, sink);

/** One reader for each kind; a value of the wrong type is noted and counts as undefined. */
const readers: Readonly<Record<FieldKind, Reader>> = {
  string: (field, raw, path, sink) => (typeof raw === 'string' ? raw : refuse(field, raw, path, sink)),
  bool: (field, raw, path, sink) => (typeof raw === 'boolean' ? raw : refuse(field, raw, path, sink)),
  int32: readInteger(-(2 ** 31), 2 ** 31 - 1),
  int64: readInteger(-(2 ** 63), 2 ** 63 - 1),
  uint32: readInteger(0, 2 ** 32 - 1),
  float: (field, raw, path, sink) => (typeof raw === 'number' ? raw : refuse(field, raw, path, sink)),
  float32: (field, raw, path, sink) => {
    const value = typeof raw === 'number' ? shortestFloat32(raw) : Number.NaN;
    return Number.isFinite(value) ? value : refuse(field, raw, path, sink);
  },
  duration: (field, raw, path, sink) => {
    const nanoseconds = typeof raw === 'string' ? parseGoDuration(raw) : undefined;
    return nanoseconds === undefined ? refuse(field, raw, path, sink) : formatGoDuration(nanoseconds);
  },
  'log-duration': (field, raw, path, sink) =>
    typeof raw === 'number' && Number.isInteger(raw) ? raw : readers.duration(field, raw, path, sink),
  time: (field, raw, path, sink) => {
    const time = typeof raw === 'string' ? normalTime(raw) : undefined;
    return time ?? refuse(field, raw, path, sink);
  },
  token: (field, raw, path, sink) =>
    typeof raw === 'string' && isBootstrapToken(raw) ? raw : refuse(field, raw, path, sink),
  quantity: (field, raw, path, sink) =>
    (typeof raw === 'string' || typeof raw === 'number' ? normalQuantity(String(raw)) : undefined) ??
    refuse(field, raw, path, sink),
  list: (field, raw, path, sink) => {
    if (!Array.isArray(raw)) return refuse(field, raw, path, sink);
    return raw.map((item, index) => decode(field.items as AnyField, item, `${path}[${index}]`, sink));
  },
  map: (field, raw, path, sink) => {
    if (!isMapping(raw)) return refuse(field, raw, path, sink);
    const entries = Object.entries(raw);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, decode(field.items as AnyField, item, join(path, key), sink)]),
    );
  },
  struct: readStruct,
  any: (_field, raw) => raw,
};

/** The number with the fewest digits that is the same in 32 bits, which is what Go writes. */
function shortestFloat32(value: number): number {
  const wanted = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(wanted.toPrecision(digits));
    if (Math.fround(candidate) === wanted) return candidate;
  }
  return Number(wanted.toPrecision(9));
}

function readStruct(field: AnyField, raw: unknown, path: string, sink: Sink): unknown {
  if (!isMapping(raw)) return refuse(field, raw, path, sink);
  const rows = field.fields ?? {};
  for (const key of Object.keys(raw)) {
    if (!Object.hasOwn(rows, key) && !(path === '' && (key === 'apiVersion' || key === 'kind'))) {
      sink.unknownFields.push(join(path, key));
    }
  }
  const struct: Record<string, unknown> = {};
  for (const [key, row] of Object.entries(rows)) {
    const value = decode(row, Object.hasOwn(raw, key) ? raw[key] : undefined, join(path, key), sink);
    if (value !== undefined) struct[key] = value;
  }
  return struct;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isMapping(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339 in UTC without fractions, as Kubernetes writes times. */
function normalTime(text: string): string | undefined {
  const date = new Date(text.replace(',', '.'));
  return rfc3339.test(text) && !Number.isNaN(date.getTime()) ? `${date.toISOString().slice(0, 19)}Z` : undefined;
}
