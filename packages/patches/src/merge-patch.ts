import { describe, isObject, type JsonObject, memberOf, setMember } from './json-value.ts';
import { PatchFault } from './patch-fault.ts';

/**
 * Applies a JSON merge patch (RFC 7386): objects are merged, null removes a member, everything else replaces what was there.
 *
 * As kubeadm's library does it, nulls are also dropped from objects in new lists, and the whole patch must not be a scalar.
 *
 * @param document is left as it is
 * @throws PatchFault
 */
export function mergePatch(document: JsonObject, patch: unknown): unknown {
  if (Array.isArray(patch)) return withoutNulls(patch);
  if (!isObject(patch)) throw new PatchFault(`a merge patch must be a mapping: ${describe(patch)}`);
  return merged(document, patch);
}

function merged(document: JsonObject, patch: JsonObject): JsonObject {
  const result = structuredClone(document);
  for (const [key, value] of Object.entries(patch)) {
    const current = memberOf(document, key);
    if (value === null) delete result[key];
    else if (!isObject(current)) setMember(result, key, withoutNulls(value));
    else setMember(result, key, isObject(value) ? merged(current, value) : structuredClone(value));
  }
  return result;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (member !== null) setMember(result, key, withoutNulls(member));
  return result;
}
