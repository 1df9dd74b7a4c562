import { describe, isObject, type JsonObject, setMember } from './json-value.ts';
import { PatchFault } from './patch-fault.ts';

/** The names with which a strategic merge patch says more than what members are to be. */
export const directive = '$patch';
export const retainKeys = '$retainKeys';
export const orderPrefix = '$setElementOrder';
export const deletionPrefix = '$deleteFromPrimitiveList';

/** The member that a directive such as `$setElementOrder/containers` is about. */
export function targetOfDirective(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1);
  throw new PatchFault(`${prefix}/<list> is misspelt: ${key}`);
}

export function unknownDirective(verb: unknown): PatchFault {
  const given = typeof verb === 'string' ? verb : describe(verb);
  return new PatchFault(`${directive} must be delete or replace: ${given}`);
}

/** The items without mappings that carry `$patch`, at any depth: where there is nothing to merge with, there is nothing to delete. */
export function withoutDirectives(items: readonly unknown[]): unknown[] {
  return items.filter((item) => !hasDirective(item)).map(stripped);
}

export function hasDirective(value: unknown): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, directive);
}

export function isDeletion(value: unknown): boolean {
  return hasDirective(value) && value[directive] === 'delete';
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return withoutDirectives(value);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (!hasDirective(member)) setMember(result, key, stripped(member));
  }
  return result;
}
