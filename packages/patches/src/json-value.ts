export type JsonObject = Record<string, unknown>;

export type JsonKind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

export function kindOf(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as JsonKind;
}

export function isObject(value: unknown): value is JsonObject {
  return kindOf(value) === 'object';
}

/** An ordinary assignment of __proto__ would change the object's prototype. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The member's own value; undefined if there is none. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Equality of JSON values; the order of members does not count. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
}

/** `a list`, `the number 5`: what a value is, without telling strings, which may be secret. */
export function describe(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'null') return 'null';
  return kind === 'number' || kind === 'boolean'
    ? `the ${kind} ${String(value)}`
    : `${kind === 'object' ? 'an' : 'a'} ${kind}`;
}
