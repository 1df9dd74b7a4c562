import { type JoinConfiguration, readStoredConfiguration } from '@groundplane/config';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { SuppliedPorts } from '@groundplane/phases';
import { kubeletConfigFile } from './artifacts.ts';
import type { ClusterOfJoin } from './cluster-for-join.ts';
import { anyCluster } from './default-documents.ts';
import { bootstrapError } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import { bootstrapKubeconfig, joinedKubeconfig } from './join-artifacts.ts';
import { readText } from './read-text.ts';
import { usualLayout } from './usual-layout.ts';

/**
 * What an earlier phase of a join has left on this machine, for phases that are not told how the cluster is found: the kubeconfig with
 * which the kubelet asks, or the one that it has made from it, and its configuration.
 *
 * @throws BOOTSTRAP_JOIN_NOT_STARTED, KUBECONFIG_UNREADABLE, KUBECONFIG_CONTEXT_MISSING
 */
export async function leftByJoin(join: JoinConfiguration, { host }: SuppliedPorts): Promise<ClusterOfJoin> {
  const places = [bootstrapKubeconfig, joinedKubeconfig].map((artifact) => filePathOf(artifact, usualLayout));
  const [asking, joined, authority, kubelet] = await Promise.all(
    [...places, join.caCertPath, filePathOf(kubeletConfigFile, usualLayout)].map((path) => readText(host, path)),
  );
  const kubeconfig = asking ?? joined;
  if (kubeconfig === undefined || kubelet === undefined) {
    const missing = kubelet === undefined ? filePathOf(kubeletConfigFile, usualLayout) : places.join(' and ');
    throw bootstrapError('BOOTSTRAP_JOIN_NOT_STARTED', `Cannot go on with a join as there is no ${missing}`, {
      hint: 'Run the phase before it first: groundplane join phase kubelet-start',
    });
  }
  const { server, certificateAuthority } = currentContextOf(parseKubeconfig(kubeconfig), {});
  return {
    server,
    certificateAuthority: certificateAuthority ?? authority ?? '',
    bootstrapKubeconfig: kubeconfig,
    // Of the cluster nothing is on the node, and these phases ask for nothing of it.
    stored: readStoredConfiguration({ cluster: anyCluster, kubelet }),
    findings: [],
  };
}
