import { stringifyYaml } from '@groundplane/manifest';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import type { JoinConfiguration, ResetConfiguration, UpgradeConfiguration } from './command-configuration-types.ts';
import type { ClusterConfiguration, InitConfiguration } from './configuration-types.ts';
import { encodeDocument } from './encode-document.ts';
import type { Field } from './field-schema.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { joinConfiguration } from './join-configuration-schema.ts';
import { kubeadmApiVersion } from './read-documents.ts';
import { resetConfiguration } from './reset-configuration-schema.ts';
import { upgradeConfiguration } from './upgrade-configuration-schema.ts';

/** What stands between two documents that are printed one after the other. */
export const documentSeparator = '---\n';

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
  return documentText('ClusterConfiguration', clusterConfiguration, { ...cluster, ...options });
}

/** The YAML text of an InitConfiguration as kubeadm writes it. It holds secrets: token and certificate key. */
export function initConfigurationDocument(init: InitConfiguration): string {
  return documentText('InitConfiguration', initConfiguration, init);
}

/** The YAML text of a JoinConfiguration as kubeadm writes it. It holds secrets: tokens and certificate key. */
export function joinConfigurationDocument(join: JoinConfiguration): string {
  return documentText('JoinConfiguration', joinConfiguration, join);
}

/** The YAML text of a ResetConfiguration as kubeadm writes it. */
export function resetConfigurationDocument(reset: ResetConfiguration): string {
  return documentText('ResetConfiguration', resetConfiguration, reset);
}

/** The YAML text of an UpgradeConfiguration as kubeadm writes it. */
export function upgradeConfigurationDocument(upgrade: UpgradeConfiguration): string {
  return documentText('UpgradeConfiguration', upgradeConfiguration, upgrade);
}

function documentText<T>(kind: string, schema: Field<T>, value: T): string {
  return stringifyYaml({ apiVersion: kubeadmApiVersion, kind, ...encodeDocument(schema, value) });
}
