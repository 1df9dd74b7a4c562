import type { ClusterObject } from '../ports.ts';

/**
 * What a forced server-side apply makes of an object: maps are merged, lists and values replaced, and what the same manager
 * applied before and now leaves out is removed. Lists count as atomic, which is less than the API server does for lists that
 * have keys.
 */
export function applied(
  live: ClusterObject | undefined,
  previous: ClusterObject | undefined,
  desired: ClusterObject,
): ClusterObject {
  const wanted = withEncodedData(desired);
  const pruned = previous === undefined ? live : withoutDropped(live, withEncodedData(previous), wanted);
  return merged(pruned ?? {}, wanted) as ClusterObject;
}

/** RFC 7386: null removes, maps are merged, everything else is replaced. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatched(result[key], value);
  }
  return result;
}

/** The API server turns `stringData` of a Secret into `data`. */
export function withEncodedData(object: ClusterObject): ClusterObject {
  const { stringData, ...rest } = object;
  if (object.kind !== 'Secret' || !isMap(stringData)) return object;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, base64(String(text))]);
  return {
    ...rest,
    data: { ...(isMap(object.data) ? object.data : {}), ...Object.fromEntries(encoded) },
  } as ClusterObject;
}

/** True if both are the same JSON, whatever the order of their keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((entry, index) => sameJson(entry, other[index]));
  if (!isMap(one) || !isMap(other)) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => sameJson(one[key], other[key]));
}

function merged(live: unknown, desired: unknown): unknown {
  if (!isMap(live) || !isMap(desired)) return desired;
  const result: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(desired)) if (value !== undefined) result[key] = merged(live[key], value);
  return result;
}

function withoutDropped<T>(live: T, previous: unknown, desired: unknown): T {
  if (!isMap(live) || !isMap(previous)) return live;
  const wanted = isMap(desired) ? desired : {};
  const kept = Object.entries(live).flatMap(([key, value]) => {
    if (!(key in previous)) return [[key, value]];
    if (isMap(previous[key])) return [[key, withoutDropped(value, previous[key], wanted[key])]];
    return key in wanted ? [[key, value]] : [];
  });
  return Object.fromEntries(kept) as T;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
