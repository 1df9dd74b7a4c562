import type { KubernetesObject } from './kubernetes-objects.ts';

/**
 * Names an object for people: `Kind namespace/name` or, in no namespace, `Kind name`. The group is left out, as bootstrap
 * uses no two kinds of one name.
 */
export function objectReference(object: KubernetesObject): string {
  const { name = '(no name)', namespace } = object.metadata ?? {};
  return `${object.kind} ${namespace === undefined || namespace === '' ? '' : `${namespace}/`}${name}`;
}
