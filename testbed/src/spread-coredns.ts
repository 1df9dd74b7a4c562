import { waitUntilReady } from './cluster-readiness.ts';
import { kubectlOutput } from './kubectl.ts';
import type { Machine } from './machine.ts';

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string };
}

/**
 * Has CoreDNS run on two nodes: its pods, made when the control plane was the only node, stay there together until one of
 * them is made again. Nothing is done if they are apart.
 */
export async function spreadCoreDns(controlPlane: Machine, workers: readonly Machine[]): Promise<void> {
  const coreDns = ['-n', 'kube-system', '-l', 'k8s-app=kube-dns'];
  const list = await kubectlOutput(controlPlane, ['get', 'pods', ...coreDns, '-o', 'json']);
  const pods = (JSON.parse(list) as { items: readonly Pod[] }).items;
  if (new Set(pods.map(({ spec }) => spec.nodeName)).size > 1) return;
  const [first] = pods;
  if (first === undefined) throw new Error(`there is no pod of CoreDNS in the cluster of ${controlPlane.name}`);
  // It goes on answering for some seconds, and its successor starts meanwhile.
  await kubectlOutput(controlPlane, ['delete', 'pod', '-n', 'kube-system', first.metadata.name, '--wait=false']);
  await waitUntilReady(controlPlane, workers);
}
