import { type KubernetesObject, objectReference, subsetDifferences } from '@groundplane/manifest';
import type { RbacObject } from './rbac-objects.ts';

/** How an object of a cluster deviates from the table. */
export interface Drift {
  /** `Role kube-system/kube-proxy`. */
  readonly object: string;
  readonly state: 'missing' | 'differs';
  /** Paths of the fields that differ: `subjects`, `rules[0].verbs`. */
  readonly fields: readonly string[];
}

/**
 * Compares objects of the table with those of a cluster.
 *
 * @param wanted some objects of the table
 * @param live what the cluster has; objects that are not in `wanted` do not count
 * @returns nothing for an object that is as in the table
 */
export function driftOf(wanted: readonly RbacObject[], live: readonly KubernetesObject[]): readonly Drift[] {
  return wanted.flatMap((object): readonly Drift[] => {
    const name = objectReference(object);
    const found = live.find((candidate) => objectReference(candidate) === name);
    if (found === undefined) return [{ object: name, state: 'missing', fields: [] }];
    const fields = subsetDifferences(object, found);
    return fields.length === 0 ? [] : [{ object: name, state: 'differs', fields }];
  });
}
