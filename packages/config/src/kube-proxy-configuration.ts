import type { Finding } from '@groundplane/errors';
import { componentValueUnusual } from './component-value-unusual.ts';
import type {
  ClusterConfiguration,
  ComponentConfigurations,
  InitConfiguration,
  KubeProxyConfiguration,
} from './configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { encodeDocument } from './encode-document.ts';
import { parseIpAddress } from './ip-address.ts';
import { kubeProxyConfigurationSchema } from './kube-proxy-configuration-schema.ts';
import { kubeProxyApiVersion } from './read-documents.ts';

export interface KubeProxyConfigurationResult {
  readonly configuration: KubeProxyConfiguration;
  /** False if it was generated: its ConfigMap then carries the hash annotation. */
  readonly userSupplied: boolean;
  readonly warnings: readonly Finding[];
}

const kind = 'KubeProxyConfiguration';
const kubeconfigPath = '/var/lib/kube-proxy/kubeconfig.conf';
const wildcards: readonly string[] = ['0.0.0.0', '::'];

/**
 * Builds the KubeProxyConfiguration of a cluster: the user's document, if any, with kubeadm's defaults
 * (kubeadm, componentconfigs/kubeproxy.go).
 */
export function kubeProxyConfiguration(resolved: {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly componentConfigs: ComponentConfigurations;
}): KubeProxyConfigurationResult {
  const supplied = resolved.componentConfigs.kubeProxy;
  const user = supplied ?? decodeDocument(kubeProxyConfigurationSchema, {}).value;
  const { podSubnet } = resolved.cluster.networking;
  const warnings: Finding[] = [];
  const compare = (field: string, recommended: string, value: string) => {
    if (value !== recommended) warnings.push(componentValueUnusual(kind, field, { recommended, value }));
  };
  if (user.bindAddress !== '' && !wildcards.includes(user.bindAddress)) {
    compare('bindAddress', wildcardFor(user.bindAddress), user.bindAddress);
  }
  if (user.clusterCIDR !== '' && podSubnet !== '') compare('clusterCIDR', podSubnet, user.clusterCIDR);
  const { kubeconfig } = user.clientConnection;
  if (kubeconfig !== '') compare('clientConnection.kubeconfig', kubeconfigPath, kubeconfig);
  if (user.mode === 'ipvs') warnings.push(ipvsDeprecated);
  const decoded = {
    ...user,
    bindAddress: user.bindAddress || wildcardFor(resolved.init.localAPIEndpoint.advertiseAddress),
    clusterCIDR: user.clusterCIDR || podSubnet,
    clientConnection: { ...user.clientConnection, kubeconfig: kubeconfig || kubeconfigPath },
    mode: user.mode || 'iptables',
  };
  return {
    configuration: {
      apiVersion: kubeProxyApiVersion,
      kind,
      ...encodeDocument(kubeProxyConfigurationSchema, decoded),
    } as unknown as KubeProxyConfiguration,
    userSupplied: supplied !== undefined,
    warnings,
  };
}

/** All addresses of the family of an address; IPv6 for what is none. */
function wildcardFor(address: string): string {
  return parseIpAddress(address)?.family === 'ipv4' ? '0.0.0.0' : '::';
}

const ipvsDeprecated: Finding = {
  code: 'CONFIG_COMPONENT_VALUE_DEPRECATED',
  severity: 'warning',
  artifact: `${kind}.mode`,
  message: 'The mode "ipvs" of kube-proxy is deprecated since v1.35: use "nftables", or "iptables" on old kernels',
};
