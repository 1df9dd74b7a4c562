/**
 * Compares an object that we want with the one that the API server holds.
 *
 * Every field that `desired` sets must have that value in `live`; what only `live` has (uid, defaults, other people's
 * labels) does not count. Lists must be equal item by item and of one length. The API server drops empty strings, lists
 * and maps, so absent, null and empty are the same.
 *
 * @returns the paths of the fields that differ, for instance `spec.taints[0].effect` or `data["kubeadm.conf"]`; of a list
 *   with another length only the list's own path. Paths only: values may be secret.
 */
export function subsetDifferences(desired: unknown, live: unknown): readonly string[] {
  return differencesAt(desired, live, '');
}

/** True if `live` already holds everything that `desired` sets, see {@link subsetDifferences}. */
export function sameObject(desired: unknown, live: unknown): boolean {
  return subsetDifferences(desired, live).length === 0;
}

function differencesAt(desired: unknown, live: unknown, path: string): string[] {
  if (desired === undefined) return [];
  if (isEmpty(desired)) return isEmpty(live) || (isRecord(desired) && isRecord(live)) ? [] : [path];
  if (Array.isArray(desired)) {
    if (!Array.isArray(live) || live.length !== desired.length) return [path];
    return desired.flatMap((item, index) => differencesAt(item, live[index], `${path}[${index}]`));
  }
  if (isRecord(desired)) {
    const other = isRecord(live) ? live : {};
    return Object.entries(desired).flatMap(([key, value]) => differencesAt(value, other[key], fieldPath(path, key)));
  }
  return desired === live ? [] : [path];
}

/** True for what the API server does not store. A map that holds only such values is stored as nothing, too. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldPath(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
