import { type GroundplaneConfiguration, readGroundplaneConfiguration } from '@groundplane/config';
import { isGroundplaneError } from '@groundplane/errors';
import type { Cluster, ClusterObject, ObjectReference, SuppliedPorts } from '@groundplane/phases';
import { kubeconfigOfNode, patienceMs, silently } from './node-facts.ts';
import { textIn } from './text-in.ts';

/** Where a cluster keeps our own settings, if somebody gave them. */
export const groundplaneConfigMap: ObjectReference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'groundplane-config',
};

/** Key of the ConfigMap. */
export const groundplaneConfigKey = 'GroundplaneConfiguration';

export interface StoredSettings {
  readonly groundplane?: GroundplaneConfiguration;
}

/**
 * Reads our own settings from a cluster. Most clusters keep none, and who may read them is said where they are kept alone: a refusal
 * says that there are none.
 *
 * @returns nothing as well for what cannot be used: a setting must not keep a node from being looked at or reset
 * @throws what the Cluster port throws, but for a refusal
 */
export async function storedSettings(cluster: Cluster): Promise<StoredSettings> {
  const text = await storedText(cluster);
  if (text === undefined) return {};
  try {
    const groundplane = readGroundplaneConfiguration(text, { strict: false });
    return groundplane === undefined ? {} : { groundplane };
  } catch (thrown) {
    if (!isGroundplaneError(thrown) || thrown.kind === 'internal') throw thrown;
    return {};
  }
}

/** The document in the ConfigMap of our settings, as it is; undefined if there is none. */
export function settingsTextIn(configMap: ClusterObject | undefined): string | undefined {
  return textIn(configMap, groundplaneConfigKey);
}

async function storedText(cluster: Cluster): Promise<string | undefined> {
  try {
    return settingsTextIn(await cluster.get(groundplaneConfigMap));
  } catch (thrown) {
    if (isGroundplaneError(thrown) && thrown.code === 'CLUSTER_FORBIDDEN') return undefined;
    throw thrown;
  }
}

/** What the cluster of this node keeps, asked with the credentials that are on the node. What cannot be asked is not known. */
export async function settingsOfNode({
  host,
  clusters,
}: Pick<SuppliedPorts, 'host' | 'clusters'>): Promise<StoredSettings> {
  const kubeconfig = await kubeconfigOfNode(host);
  if (kubeconfig === undefined) return {};
  const settings = await silently(async () =>
    storedSettings(await clusters.connect({ kubeconfig, timeoutMs: patienceMs })),
  );
  return settings ?? {};
}
