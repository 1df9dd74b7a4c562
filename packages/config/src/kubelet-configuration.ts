import type { Finding } from '@groundplane/errors';
import { componentValueUnusual } from './component-value-unusual.ts';
import type {
  ClusterConfiguration,
  ComponentConfigurations,
  DecodedKubeletConfiguration,
  KubeletConfiguration,
} from './configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { encodeDocument } from './encode-document.ts';
import { kubeletNumbersAstray } from './judge-kubelet-configuration.ts';
import { kubeletConfigurationSchema } from './kubelet-configuration-schema.ts';
import { kubeletApiVersion } from './read-documents.ts';
import { serviceAddress } from './subnet.ts';

export interface KubeletConfigurationResult {
  readonly configuration: KubeletConfiguration;
  /** False if it was generated: its ConfigMap then carries the hash annotation. */
  readonly userSupplied: boolean;
  /** Fields in which the user's document differs from what kubeadm recommends. */
  readonly warnings: readonly Finding[];
}

const clusterDnsIndex = 10;
const fallbackClusterDns = '10.96.0.10';

/**
 * Builds the KubeletConfiguration of a cluster: the user's document, if any, with kubeadm's defaults
 * (kubeadm, componentconfigs/kubelet.go). It holds nothing of the node; node values are merged into the node's file.
 */
export function kubeletConfiguration(resolved: {
  readonly cluster: ClusterConfiguration;
  readonly componentConfigs: ComponentConfigurations;
}): KubeletConfigurationResult {
  const user = resolved.componentConfigs.kubelet;
  const warnings: Finding[] = (user === undefined ? [] : kubeletNumbersAstray(user)).map(({ path, reason, value }) => ({
    code: 'CONFIG_COMPONENT_VALUE_REFUSED',
    severity: 'warning',
    artifact: `KubeletConfiguration.${path}`,
    message: `The kubelet does not start with this ${path} as ${reason}: ${value}`,
    hint: 'Correct the field of the KubeletConfiguration',
  }));
  const decoded = withDefaults(
    user ?? decodeDocument(kubeletConfigurationSchema, {}).value,
    resolved.cluster,
    (field, recommended, value) => {
      if (JSON.stringify(recommended) !== JSON.stringify(value))
        warnings.push(componentValueUnusual('KubeletConfiguration', field, { recommended, value }));
    },
  );
  return {
    configuration: {
      apiVersion: kubeletApiVersion,
      kind: 'KubeletConfiguration',
      ...encodeDocument(kubeletConfigurationSchema, decoded),
    } as unknown as KubeletConfiguration,
    userSupplied: user !== undefined,
    warnings,
  };
}

type Compare = (field: string, recommended: unknown, value: unknown) => void;

function withDefaults(
  user: DecodedKubeletConfiguration,
  cluster: ClusterConfiguration,
  compare: Compare,
): DecodedKubeletConfiguration {
  const { authentication, authorization } = user;
  const clusterDns = serviceAddress(cluster.networking.serviceSubnet, clusterDnsIndex) ?? fallbackClusterDns;
  /** The user's value, compared with the recommendation, or the recommendation. */
  const choose = <T>(field: string, value: T | null | undefined, recommended: T): T => {
    if (value === undefined || value === null || value === '') return recommended;
    compare(field, recommended, value);
    return value;
  };
  compare('readOnlyPort', 0, user.readOnlyPort);
  return {
    ...user,
    staticPodPath: choose('staticPodPath', user.staticPodPath, '/etc/kubernetes/manifests'),
    clusterDNS: choose<readonly string[]>('clusterDNS', user.clusterDNS, [clusterDns]),
    clusterDomain: choose('clusterDomain', user.clusterDomain, cluster.networking.dnsDomain),
    authentication: {
      x509: {
        clientCAFile: choose(
          'authentication.x509.clientCAFile',
          authentication.x509.clientCAFile,
          joinPath(cluster.certificatesDir, 'ca.crt'),
        ),
      },
      anonymous: { enabled: choose('authentication.anonymous.enabled', authentication.anonymous.enabled, false) },
      webhook: {
        ...authentication.webhook,
        enabled: choose('authentication.webhook.enabled', authentication.webhook.enabled, true),
      },
    },
    authorization: { ...authorization, mode: choose('authorization.mode', authorization.mode, 'Webhook') },
    healthzBindAddress: choose('healthzBindAddress', user.healthzBindAddress, '127.0.0.1'),
    healthzPort: choose('healthzPort', user.healthzPort, 10248),
    // Joining relies on rotation, and Go cannot tell false from unset.
    rotateCertificates: true,
    cgroupDriver: user.cgroupDriver === '' ? 'systemd' : user.cgroupDriver,
  };
}

/** Go's path.Join for an absolute folder and a name: `.`, `..` and repeated slashes are resolved. */
export function joinPath(folder: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${name}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
