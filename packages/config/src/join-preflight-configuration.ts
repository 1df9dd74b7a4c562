import type { JoinFacts, PreflightConfiguration } from '@groundplane/kubelet';
import type { JoinConfiguration } from './command-configuration-types.ts';
import type { ClusterConfiguration } from './configuration-types.ts';
import { splitHostPort } from './host-port.ts';
import { parseIpAddress } from './ip-address.ts';
import { kubernetesVersions } from './kubernetes-version.ts';

/**
 * What the preflight checks of `join` look at (kubeadm, preflight/checks.go, JoinNodeChecks). The kernel has to forward packets of the
 * IP family in which the API server is named, if it is named by an address.
 */
export function joinPreflightConfiguration(
  { join, cluster }: { readonly join: JoinConfiguration; readonly cluster: ClusterConfiguration },
  { kubeconfigs }: Pick<JoinFacts, 'kubeconfigs'>,
): PreflightConfiguration {
  const { nodeRegistration, discovery, caCertPath, controlPlane } = join;
  const host = splitHostPort(discovery.bootstrapToken?.apiServerEndpoint ?? '')?.host;
  const family = host === undefined ? undefined : parseIpAddress(host)?.family;
  return {
    kubernetesVersion: cluster.kubernetesVersion,
    toolVersion: kubernetesVersions.newest,
    minimumKubeletVersion: kubernetesVersions.minimumKubelet,
    nodeName: nodeRegistration.name,
    advertiseAddress: '',
    bindPort: 0,
    bindAddresses: {},
    subnets: [],
    families: family === undefined ? [] : [family],
    manifestsDir: '/etc/kubernetes/manifests',
    join: {
      kubeconfigs,
      ...(controlPlane === undefined ? { authority: caCertPath } : {}),
      ...(host === undefined ? {} : { apiServerHost: host }),
    },
  };
}
