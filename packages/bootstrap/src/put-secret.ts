import { isGroundplaneError } from '@groundplane/errors';
import type { Secret } from '@groundplane/manifest';
import type { Cluster, ClusterObject, ObjectReference } from '@groundplane/phases';

export function secretReference({ metadata }: Pick<Secret, 'metadata'>): ObjectReference {
  const { name, namespace = '' } = metadata;
  return { apiVersion: 'v1', kind: 'Secret', namespace, name };
}

/**
 * Makes a Secret, or has an existing one hold exactly these data and owners. An apply would leave the keys that another tool wrote: a
 * usage that a token is not to have any more, a second owner.
 */
export async function putSecret(cluster: Cluster, secret: Secret): Promise<ClusterObject> {
  const reference = secretReference(secret);
  const existing = (await cluster.get(reference)) as Secret | undefined;
  if (existing === undefined) {
    try {
      return await cluster.create(secret as unknown as ClusterObject);
    } catch (error) {
      // Somebody was faster; what is there now is treated like what was there before.
      if (!isGroundplaneError(error) || error.code !== 'CLUSTER_ALREADY_EXISTS') throw error;
    }
  }
  const present = existing ?? ((await cluster.get(reference)) as Secret | undefined);
  const surplus = Object.keys(present?.data ?? {}).filter((key) => !(key in (secret.data ?? {})));
  const { ownerReferences } = secret.metadata as { readonly ownerReferences?: unknown };
  return cluster.patch(reference, {
    ...(ownerReferences === undefined ? {} : { metadata: { ownerReferences } }),
    data: { ...secret.data, ...Object.fromEntries(surplus.map((key) => [key, null])) },
  });
}
