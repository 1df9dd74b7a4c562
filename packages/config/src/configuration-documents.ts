import { stringifyYaml } from '@groundplane/manifest';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import type { ClusterConfiguration, InitConfiguration } from './configuration-types.ts';
import { encodeDocument } from './encode-document.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { kubeadmApiVersion } from './read-documents.ts';

/**
 * The YAML text of a ClusterConfiguration as kubeadm writes it, for the ConfigMap kube-system/kubeadm-config (key
 * ClusterConfiguration) and for printing. Keys are sorted, defaults are written out.
 *
 * @param options.kubernetesVersion what to store as version, where it differs (ResolvedConfiguration.storedKubernetesVersion)
 */
export function clusterConfigurationDocument(
  cluster: ClusterConfiguration,
  options: { readonly kubernetesVersion?: string } = {},
): string {
  return stringifyYaml({
    apiVersion: kubeadmApiVersion,
    kind: 'ClusterConfiguration',
    ...encodeDocument(clusterConfiguration, { ...cluster, ...options }),
  });
}

/** The YAML text of an InitConfiguration as kubeadm writes it. It holds secrets: token and certificate key. */
export function initConfigurationDocument(init: InitConfiguration): string {
  return stringifyYaml({
    apiVersion: kubeadmApiVersion,
    kind: 'InitConfiguration',
    ...encodeDocument(initConfiguration, init),
  });
}
