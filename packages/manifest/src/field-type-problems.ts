import { normalQuantity } from './quantity.ts';

/**
 * Types of fields: name of a struct → field → type. `[]` in front of a type is a list, `{}` a mapping of names to it; else it is `string`,
 * `boolean`, `int32`, `int64`, `quantity`, `int-or-string`, `time`, `base64`, `any`, or the name of a struct.
 */
export type FieldTypes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A requirement on one value. */
export interface FieldRule {
  readonly meets: (value: unknown) => boolean;
  /** The requirement, after "must". */
  readonly must: string;
}

/** A field that is not as it has to be. */
export interface FieldProblem {
  /** Such as `spec.containers[0].image`. */
  readonly path: string;
  /** What it has to be, after "must". */
  readonly must: string;
  /** As it stands there; absent where nothing does, and for lists and mappings. */
  readonly value?: unknown;
}

export interface TypedDocument {
  readonly types: FieldTypes;
  /** The struct that the document is. */
  readonly root: string;
  /** `Struct.field` → what its value has to be beside its type. Zero and empty values get defaults, and are not asked. */
  readonly rules?: Readonly<Record<string, FieldRule>>;
  /** Takes the paths of fields that the types do not have. */
  readonly onUnknown?: (path: string) => void;
}

const scalars: Readonly<Record<string, FieldRule>> = {
  string: { meets: (value) => typeof value === 'string', must: 'be a string (numbers, yes, on and null in quotes)' },
  boolean: { meets: (value) => typeof value === 'boolean', must: 'be true or false, without quotes' },
  int32: { meets: isInteger(2 ** 31), must: 'be a whole number of 32 bits, without quotes' },
  int64: { meets: isInteger(2 ** 63), must: 'be a whole number, without quotes' },
  quantity: {
    meets: (value) =>
      (typeof value === 'string' || typeof value === 'number') && normalQuantity(String(value)) !== undefined,
    must: 'be a quantity such as 100m or 64Mi',
  },
  'int-or-string': {
    meets: (value) => typeof value === 'string' || isInteger(2 ** 31)(value),
    must: 'be a number or a name',
  },
  time: {
    meets: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
    must: 'be a time as in RFC 3339',
  },
  base64: {
    meets: (value) =>
      typeof value === 'string' &&
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value.replaceAll(/[\r\n]/g, '')),
    must: 'be base64 with its padding (RFC 4648, section 4)',
  },
};

/**
 * Fields that Go's JSON decoder would refuse for their type, or that break a rule. Names are case-sensitive, null is a field that is
 * left out, and fields that there are not are passed over.
 *
 * @param value as parsed
 */
export function fieldTypeProblems(document: TypedDocument, value: unknown): readonly FieldProblem[] {
  return problemsOf(document, document.root, { value, path: '' });
}

interface Part {
  readonly value: unknown;
  readonly path: string;
}

function problemsOf(document: TypedDocument, type: string, { value, path }: Part): readonly FieldProblem[] {
  if (value === undefined || value === null) return [];
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [wrong(path, 'be a list', value)];
    return value.flatMap((item, index) => {
      const at = `${path}[${index}]`;
      return item === null
        ? [wrong(at, 'not be empty', item)]
        : problemsOf(document, type.slice(2), { value: item, path: at });
    });
  }
  const fields = document.types[type];
  if (fields === undefined && !type.startsWith('{}')) return judged(scalars[type], value, path);
  if (typeof value !== 'object' || Array.isArray(value)) return [wrong(path, 'be a mapping', value)];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const partType = fields === undefined ? type.slice(2) : Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (partType === undefined) {
      document.onUnknown?.(at);
      return [];
    }
    const found = problemsOf(document, partType, { value: part, path: at });
    const isUnset = part === undefined || part === null || part === '' || part === 0;
    return found.length > 0 || isUnset ? found : judged(document.rules?.[`${type}.${name}`], part, at);
  });
}

function judged(rule: FieldRule | undefined, value: unknown, path: string): readonly FieldProblem[] {
  return rule === undefined || rule.meets(value) ? [] : [wrong(path, rule.must, value)];
}

function wrong(path: string, must: string, value: unknown): FieldProblem {
  return typeof value === 'object' && value !== null ? { path, must } : { path, must, value };
}

function isInteger(limit: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= -limit && value < limit;
}
