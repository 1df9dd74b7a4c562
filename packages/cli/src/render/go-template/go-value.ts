/**
 * A value of a template. What Go tells apart and JavaScript does not is kept apart: integers have a class of their own, a plain number is
 * a float64; `null` is a null of the data, `undefined` is no value at all, as of a key that is not there.
 */
export type GoValue = undefined | null | boolean | number | string | GoInteger | GoList | GoMap;
export type GoList = readonly GoValue[];
/** Its keys are in the order of their bytes, which is how Go walks and prints a map. */
export type GoMap = ReadonlyMap<string, GoValue>;

export class GoInteger {
  readonly value: bigint;
  readonly type: 'int' | 'int64' | 'uint8';

  constructor(value: bigint | number, type: 'int' | 'int64' | 'uint8' = 'int') {
    this.value = BigInt(value);
    this.type = type;
  }
}

/** A template that cannot be read or does not fit; the message is that of Go's text/template. */
export class GoTemplateError extends Error {
  override readonly name = 'GoTemplateError';
}

/** Plain JSON as Kubernetes decodes it: whole numbers are int64 (k8s.io/apimachinery/pkg/util/json). */
export function goValueOf(data: unknown): GoValue {
  if (typeof data === 'string') return data.replace(/\p{Surrogate}/gu, '\ufffd');
  if (typeof data === 'boolean') return data;
  if (typeof data === 'number') {
    return Number.isInteger(data) && Math.abs(data) < 2 ** 63 ? new GoInteger(data, 'int64') : data;
  }
  if (Array.isArray(data)) return data.map((element) => goValueOf(element ?? null));
  if (typeof data !== 'object' || data === null) return null;
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return new Map(
    entries
      .toSorted(([one], [other]) => compareBytes(one, other))
      .map(([key, value]) => [key, goValueOf(value)] as const),
  );
}

/** Go compares texts by their UTF-8 bytes. */
export function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function isGoList(value: GoValue): value is GoList {
  return Array.isArray(value);
}

export function isGoMap(value: GoValue): value is GoMap {
  return value instanceof Map;
}

/** The name of a value's type, as messages and `%T` print it. */
export function goTypeOf(value: GoValue): string {
  if (value === null || value === undefined) return 'interface {}';
  if (value instanceof GoInteger) return value.type;
  if (isGoList(value)) return '[]interface {}';
  if (isGoMap(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Whether `if`, `with`, `and`, `or` and `not` take a value as true: anything but nothing, zero and what is empty. */
export function isTrue(value: GoValue): boolean {
  if (value === null || value === undefined) return false;
  if (value instanceof GoInteger) return value.value !== 0n;
  if (isGoList(value)) return value.length > 0;
  if (isGoMap(value)) return value.size > 0;
  return typeof value === 'number' ? value !== 0 : Boolean(value);
}
