import { defaultKubernetesVersion } from './component-table.ts';
import { hostKubeletSettings } from './host-kubelet-settings.ts';
import { addresses } from './testbed-identity.ts';

export interface KubeadmConfigurationOptions {
  /** Without `v`. Default: the version that machines have by default. */
  readonly kubernetesVersion?: string;
  /** `host:port` under which all control planes are reached. Default: none. */
  readonly controlPlaneEndpoint?: string;
}

/**
 * A configuration for `init` on a machine of this host, as YAML documents: the
 * cluster with the machines' pod addresses, and what the kubelet must be told here.
 * The value of `--ignore-preflight-errors` is in `hostKubeletSettings()`.
 */
export function kubeadmConfiguration(options: KubeadmConfigurationOptions = {}): string {
  const kubelet = Object.entries(hostKubeletSettings().kubeletConfiguration);
  return [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: ClusterConfiguration',
    `kubernetesVersion: v${options.kubernetesVersion ?? defaultKubernetesVersion}`,
    ...(options.controlPlaneEndpoint ? [`controlPlaneEndpoint: ${JSON.stringify(options.controlPlaneEndpoint)}`] : []),
    'networking:',
    `  podSubnet: ${addresses.allPods}`,
    '---',
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'kind: KubeletConfiguration',
    // A value in JSON is a value in YAML.
    ...kubelet.map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    '',
  ].join('\n');
}
