import type { ClusterObject } from '@groundplane/phases';

/** One text of a ConfigMap as the cluster returns it; `undefined` if the object or the text is not there. */
export function textIn(object: ClusterObject | undefined, key: string): string | undefined {
  return (object?.data as Readonly<Record<string, string>> | undefined)?.[key];
}
