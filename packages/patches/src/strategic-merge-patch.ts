import { describe, isObject, type JsonObject, kindOf, memberOf, setMember } from './json-value.ts';
import { type MergedList, mergeLists, orderedList } from './merge-lists.ts';
import {
  deletionPrefix,
  directive,
  orderPrefix,
  retainKeys,
  targetOfDirective,
  unknownDirective,
  withoutDirectives,
} from './patch-directives.ts';
import { PatchFault } from './patch-fault.ts';
import { type ListSchema, listMember, objectMember } from './patch-schema.ts';

/**
 * Applies a strategic merge patch (k8s.io/apimachinery, util/strategicpatch): a merge patch in which lists are merged where the
 * kind says so, by a member that tells their items apart, with the directives `$patch: delete`, `$patch: replace`, `$retainKeys`,
 * `$setElementOrder/<list>` and `$deleteFromPrimitiveList/<list>`.
 *
 * @param document is left as it is
 * @param patch a mapping; null changes nothing
 * @param type name of the document's type in the tables, `Pod`
 * @throws PatchFault
 */
export function strategicMergePatch(document: JsonObject, patch: unknown, type: string): JsonObject {
  if (patch === null) return structuredClone(document);
  if (!isObject(patch)) throw new PatchFault(`a strategic merge patch must be a mapping: ${describe(patch)}`);
  // Below, both are taken apart and put together freely.
  return mergeObjects(structuredClone(document), structuredClone(patch), type);
}

/** Merges a patch into an object; both may be changed. */
function mergeObjects(original: JsonObject, patch: JsonObject, type: string): JsonObject {
  if (Object.hasOwn(patch, directive)) return replaced(patch);
  clearUnlessRetained(original, patch);
  mergeOrderedLists(original, patch, type);
  // Deletions from a list come before additions to it.
  const keys = Object.keys(patch);
  for (const key of keys.filter(namesDeletion)) {
    mergeMember(original, targetOfDirective(key, deletionPrefix), { value: patch[key], type, isDeletion: true });
  }
  for (const key of keys.filter((name) => !namesDeletion(name))) {
    mergeMember(original, key, { value: patch[key], type, isDeletion: false });
  }
  return original;
}

function namesDeletion(key: string): boolean {
  return key.startsWith(deletionPrefix);
}

/** The directive `$patch` in a mapping says what becomes of the whole mapping. */
function replaced(patch: JsonObject): JsonObject {
  const { [directive]: verb, ...rest } = patch;
  if (verb === 'replace') return rest;
  if (verb === 'delete') return {};
  throw unknownDirective(verb);
}

interface MemberPatch {
  readonly value: unknown;
  /** Type of the object that has the member. */
  readonly type: string;
  /** The value lists what is to go. */
  readonly isDeletion: boolean;
}

function mergeMember(original: JsonObject, key: string, { value, type, isDeletion }: MemberPatch): void {
  const current = memberOf(original, key);
  if (value === null) {
    delete original[key];
    return;
  }
  const kind = kindOf(value);
  if (!Object.hasOwn(original, key) || kindOf(current) !== kind) {
    if (!isDeletion) adopt(original, key, value);
    return;
  }
  if (isObject(current) && isObject(value)) {
    setMember(original, key, mergeObjects(current, value, objectMember(type, key)));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setMember(
      original,
      key,
      mergedList(current, value, { name: key, schema: listMember(type, key), isDeletion }).items,
    );
  } else {
    setMember(original, key, value);
  }
}

/** What was not there before is taken from the patch without nulls and directives. */
function adopt(original: JsonObject, key: string, value: unknown): void {
  const [kept] = withoutDirectives([withoutNullMembers(value)]);
  if (kept === undefined) delete original[key];
  else setMember(original, key, kept);
}

function withoutNullMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) setMember(result, key, withoutNullMembers(member));
  }
  return result;
}

interface ListPatch {
  readonly name: string;
  readonly schema: ListSchema;
  readonly isDeletion: boolean;
}

function mergedList(
  current: readonly unknown[],
  patch: readonly unknown[],
  { name, schema, isDeletion }: ListPatch,
): MergedList {
  if (!schema.merges && !isDeletion) return { items: patch, places: current };
  const { itemType, mergeKey } = schema;
  const mergeItem = (original: JsonObject, change: JsonObject) => mergeObjects(original, change, itemType);
  return mergeLists(current, patch, { name, mergeKey, isDeletion, mergeItem });
}

/** `$retainKeys` names the members that stay; all others go. */
function clearUnlessRetained(original: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const list = patch[retainKeys];
  delete patch[retainKeys];
  if (!Array.isArray(list)) throw new PatchFault(`${retainKeys} must be a list: ${describe(list)}`);
  const retained = new Set<unknown>(list);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith(deletionPrefix) || key.startsWith(orderPrefix) || retained.has(key)) continue;
    throw new PatchFault(`${retainKeys} does not list a member that the patch sets: ${key}`);
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

/** Merges the lists for which `$setElementOrder` gives an order, and takes them out of the patch. */
function mergeOrderedLists(original: JsonObject, patch: JsonObject, type: string): void {
  for (const key of Object.keys(patch).filter((name) => name.startsWith(orderPrefix))) {
    const order = patch[key];
    delete patch[key];
    if (!Array.isArray(order)) throw new PatchFault(`${key} must be a list: ${describe(order)}`);
    const name = targetOfDirective(key, orderPrefix);
    const schema = listMember(type, name);
    const list = { name, current: listOf(original, name), patch: listOf(patch, name), mergeKey: schema.mergeKey };
    const merged = orderedList(order, list, (current, change) =>
      mergedList(current, change, { name, schema, isDeletion: false }),
    );
    if (merged === undefined) continue;
    setMember(original, name, merged);
    delete patch[name];
  }
}

function listOf(object: JsonObject, key: string): unknown[] | undefined {
  if (!Object.hasOwn(object, key)) return undefined;
  const value = object[key];
  if (Array.isArray(value)) return value;
  throw new PatchFault(`${key} must be a list to be given an order: ${describe(value)}`);
}
