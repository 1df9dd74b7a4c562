import type { Host } from '@groundplane/phases';
import { kubeletClientCertificate } from './discovery-artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import { joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';
import type { KubeletCredentials } from './joined-kubelet.ts';
import { readText } from './read-text.ts';

/** What the kubelet of a node that joins is, or is not yet, known by. */
export async function kubeletCredentials(config: JoinContext, host: Host): Promise<KubeletCredentials> {
  const layout = joinLayoutOf(config);
  const [kubeconfig, certificate] = await Promise.all(
    [joinedKubeconfig, kubeletClientCertificate].map((artifact) => readText(host, filePathOf(artifact, layout))),
  );
  return { kubeconfig, certificate };
}
