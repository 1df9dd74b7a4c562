import type { Pod } from '@groundplane/manifest';

/** True if it says that it is a v1 Pod, and has what each has. */
export function isPodKind(value: unknown): boolean {
  return (
    isObject(value) && value.apiVersion === 'v1' && value.kind === 'Pod' && [value.metadata, value.spec].every(isObject)
  );
}

/** True if all that is looked at here has the types of a v1 Pod; the kubelet takes no container without an image. */
export function isPod(value: unknown): value is Pod {
  if (!isObject(value) || !isPodKind(value) || !isObject(value.spec)) return false;
  const { spec } = value;
  return (
    spec.containers !== undefined &&
    [spec.containers, spec.initContainers].every((list) => isListOf(list, isContainer)) &&
    isListOf(spec.volumes, isObject)
  );
}

function isContainer(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { image, command, args, volumeMounts } = value;
  const isMount = (mount: unknown) => isObject(mount) && typeof mount.mountPath === 'string';
  return typeof image === 'string' && [command, args].every(areWords) && isListOf(volumeMounts, isMount);
}

function areWords(value: unknown): boolean {
  return isListOf(value, (word) => typeof word === 'string');
}

/** A list may be left out. */
function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isItem));
}

/** A field that is null is one that is left out. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(given.map(([name, part]) => [name, withoutNulls(part)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
