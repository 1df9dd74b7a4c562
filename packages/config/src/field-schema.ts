/** What a field of a Kubernetes document may hold. */
export type FieldKind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'float'
  | 'float32'
  | 'duration'
  | 'log-duration'
  | 'time'
  | 'token'
  | 'quantity'
  | 'list'
  | 'map'
  | 'struct'
  | 'any';

/** One row of a field table: how a field is read, what it is when absent, and when it is written. */
export interface Field<T> {
  readonly kind: FieldKind;
  /** The value of an absent, null or zero field. */
  readonly default?: T;
  /** True for Go pointers: the field may be absent after decoding, and zero values are kept. */
  readonly optional?: boolean;
  /** True if the field is written even when it is zero (Go: no omitempty). */
  readonly always?: boolean;
  /** True if null and an empty list or map differ. */
  readonly nullable?: boolean;
  /** Rows of a struct. */
  readonly fields?: Fields<NonNullable<T>>;
  /** Row of the entries of a list or map. */
  readonly items?: Field<unknown>;
  /** True if the value is a secret and belongs in no message. */
  readonly secret?: boolean;
}

/** A row without the type of its value, for walking a table. */
export interface AnyField extends Omit<Field<unknown>, 'fields' | 'items'> {
  readonly fields?: Readonly<Record<string, AnyField>>;
  readonly items?: AnyField;
}

/** The table of a struct: exactly one row for each field of the type, in any order. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

type Options<T> = Omit<Field<T>, 'kind' | 'items' | 'fields'>;

export const string = <T extends string = string>(options: Options<T> = {}): Field<T> => ({
  kind: 'string',
  ...options,
});
export const bool = (options: Options<boolean> = {}): Field<boolean> => ({ kind: 'bool', ...options });
export const int32 = (options: Options<number> = {}): Field<number> => ({ kind: 'int32', ...options });
export const int64 = (options: Options<number> = {}): Field<number> => ({ kind: 'int64', ...options });
export const uint32 = (options: Options<number> = {}): Field<number> => ({ kind: 'uint32', ...options });
/** A number that Go keeps in 32 bits. */
export const float32 = (options: Options<number> = {}): Field<number> => ({ kind: 'float32', ...options });
export const float = (options: Options<number> = {}): Field<number> => ({ kind: 'float', ...options });
export const duration = (options: Options<string> = {}): Field<string> => ({ kind: 'duration', ...options });
export const time = (options: Options<string> = {}): Field<string> => ({ kind: 'time', ...options });
export const token = (options: Options<string> = {}): Field<string> => ({ kind: 'token', secret: true, ...options });
/** A Kubernetes quantity: text or a number, kept as text. */
export const quantity = (options: Options<string> = {}): Field<string> => ({ kind: 'quantity', ...options });
/** A value that is taken and written as it is. */
export const any = (options: Options<unknown> = {}): Field<unknown> => ({ kind: 'any', ...options });

export function list<T>(items: Field<T>, options: Options<readonly T[] | null> = {}): Field<readonly T[]> {
  return { kind: 'list', items, ...options } as Field<readonly T[]>;
}

/** A list for which null and [] mean different things. */
export function nullableList<T>(
  items: Field<T>,
  options: Options<readonly T[] | null> = {},
): Field<readonly T[] | null> {
  return { kind: 'list', items, nullable: true, ...options };
}

export function map<T>(
  items: Field<T>,
  options: Options<Readonly<Record<string, T>>> = {},
): Field<Readonly<Record<string, T>>> {
  return { kind: 'map', items, ...options };
}

export function struct<T extends object>(fields: Fields<T>, options: Options<T> = {}): Field<T> {
  return { kind: 'struct', fields, ...options };
}
