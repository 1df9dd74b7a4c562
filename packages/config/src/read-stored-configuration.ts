import { errorsOf, type Finding } from '@groundplane/errors';
import { clusterConfiguration, clusterConfigurationV1 } from './cluster-configuration-schema.ts';
import type {
  ClusterConfiguration,
  InitConfiguration,
  KubeletConfiguration,
  KubeProxyConfiguration,
} from './configuration-types.ts';
import { type Decoded, decodeDocument } from './decode-document.ts';
import { configError } from './error-codes.ts';
import type { Field } from './field-schema.ts';
import { invalidConfiguration, problemFinding } from './findings.ts';
import type { GroundplaneConfiguration } from './groundplane-configuration.ts';
import { initConfiguration } from './init-configuration-schema.ts';
import { kubeProxyConfiguration } from './kube-proxy-configuration.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { kubeletConfigurationSchema } from './kubelet-configuration-schema.ts';
import { normalizeInitDocuments } from './normalize-configuration.ts';
import {
  type ConfigurationDocument,
  type DocumentKind,
  experimentalApiVersion,
  requireSupported,
  splitConfiguration,
} from './read-documents.ts';
import { readGroundplaneDocument } from './read-groundplane-document.ts';
import { imageSourceOf, resolveVersion } from './resolve-configuration.ts';
import { unusedFields } from './strict-decoding.ts';

/** Texts of the ConfigMaps that a cluster keeps its configuration in. */
export interface StoredDocuments {
  /** `ClusterConfiguration` of kube-system/kubeadm-config. */
  readonly cluster: string;
  /** `kubelet` of kube-system/kubelet-config. */
  readonly kubelet: string;
  /** `GroundplaneConfiguration` of kube-system/groundplane-config, where there is one. */
  readonly groundplane?: string | undefined;
}

export interface StoredConfiguration {
  /** Nothing of it is stored: the defaults, without tokens. */
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly kubelet: KubeletConfiguration;
  /** What kubeadm generates for such a cluster. */
  readonly kubeProxy: KubeProxyConfiguration;
  /** Our own settings, where somebody gave them. */
  readonly groundplane?: GroundplaneConfiguration;
  /** Repository of the images that carry the Kubernetes version. */
  readonly kubernetesImageRepository: string;
  /** With the prefix `ci/` for CI builds. */
  readonly storedKubernetesVersion: string;
  readonly warnings: readonly Finding[];
}

/**
 * Reads the configuration of a cluster back and fills in defaults. As kubeadm does, it is not held to the rules for new clusters: it
 * is in use (kubeadm, util/config/cluster.go, FetchInitConfigurationFromCluster).
 *
 * @throws GroundplaneError CONFIG_UNREADABLE, CONFIG_DOCUMENT_MISSING, CONFIG_API_VERSION_UNSUPPORTED; CONFIG_INVALID with all
 *   problems as findings
 */
export function readStoredConfiguration(texts: StoredDocuments): StoredConfiguration {
  const findings: Finding[] = [];
  const read = <T>(text: string, kind: DocumentKind, schemaOf: (document: ConfigurationDocument) => Field<T>): T => {
    const document = onlyDocument(text, kind);
    const decoded: Decoded<T> = decodeDocument(schemaOf(document), document.value);
    findings.push(...decoded.problems.map(problemFinding), ...unusedFields(document, decoded.unknownFields));
    return decoded.value;
  };
  const stored = read(texts.cluster, 'ClusterConfiguration', ({ apiVersion }) =>
    apiVersion === experimentalApiVersion ? clusterConfigurationV1 : clusterConfiguration,
  );
  const kubelet = read(texts.kubelet, 'KubeletConfiguration', () => kubeletConfigurationSchema);
  const defaults = { ...decodeDocument(initConfiguration, {}).value, bootstrapTokens: [] };
  const normal = normalizeInitDocuments({ init: defaults, cluster: stored }, '');
  const own = readGroundplaneDocument(splitConfiguration(texts.groundplane ?? ''), { strict: false });
  findings.push(...normal.findings, ...own.findings);
  const errors = errorsOf(findings);
  if (errors.length > 0) throw invalidConfiguration("the cluster's configuration", errors);
  const version = resolveVersion(normal.cluster.kubernetesVersion, {}, findings);
  const cluster = { ...normal.cluster, kubernetesVersion: version.version };
  return {
    init: normal.init,
    cluster,
    kubelet: kubeletConfiguration({ cluster, componentConfigs: { kubelet } }).configuration,
    kubeProxy: kubeProxyConfiguration({ init: normal.init, cluster, componentConfigs: {} }).configuration,
    ...(own.groundplane === undefined ? {} : { groundplane: own.groundplane }),
    ...imageSourceOf(cluster, version),
    warnings: findings,
  };
}

function onlyDocument(text: string, kind: DocumentKind): ConfigurationDocument {
  const documents = splitConfiguration(text);
  const document = documents.get(kind);
  if (document === undefined) {
    const found = [...documents.keys()].join(', ');
    throw configError('CONFIG_DOCUMENT_MISSING', `it holds no ${kind}: ${found === '' ? 'it is empty' : found}`);
  }
  requireSupported(document, { allowExperimentalApi: true });
  return document;
}
