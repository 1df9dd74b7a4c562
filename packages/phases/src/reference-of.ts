import type { ObjectReference } from './artifact.ts';
import type { ClusterObject } from './ports.ts';

/** Which object it is. */
export function referenceOf({ apiVersion, kind, metadata }: ClusterObject): ObjectReference {
  const { name, namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
