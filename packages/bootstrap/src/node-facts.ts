import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { type Pod, parseYaml } from '@groundplane/manifest';
import type { Host } from '@groundplane/phases';
import { describeCertificate } from '@groundplane/pki';
import { readText } from './read-text.ts';
import { usualLayout } from './usual-layout.ts';

/** Reads what is on the node for a look at it: what is not there, cannot be read or is broken says nothing. */

/** How long the API server is given by who can do without it, in milliseconds: the cluster may be gone. */
export const patienceMs = 2_000;

const userPrefix = 'system:node:';

/** The name by which the kubelet of this node is known to its cluster (kubeadm: util/config/cluster.go, GetNodeName). */
export async function nameInKubeletConf(
  host: Host,
  { kubeconfig, pem }: { readonly kubeconfig: string; readonly pem: string },
): Promise<string | undefined> {
  return silently(async () => {
    const text = await readText(host, kubeconfig);
    if (text === undefined) return undefined;
    const certificate = await silently(() => readText(host, pem));
    const { clientCertificate } = currentContextOf(
      parseKubeconfig(text),
      certificate === undefined ? {} : { [pem]: certificate },
    );
    if (clientCertificate === undefined) return undefined;
    const { subject } = await describeCertificate(clientCertificate);
    return subject.commonName.startsWith(userPrefix) ? subject.commonName.slice(userPrefix.length) : undefined;
  });
}

/** The credentials with which the cluster can be asked: those of its administrator, or the kubelet's on a worker. */
export async function kubeconfigOfNode(host: Host): Promise<string | undefined> {
  for (const name of ['admin.conf', 'kubelet.conf']) {
    const text = await silently(() => readText(host, `${usualLayout.kubernetes}/${name}`));
    if (text !== undefined) return text;
  }
  return undefined;
}

export async function podInManifest(host: Host, path: string): Promise<Pod | undefined> {
  return silently(async () => {
    const text = await readText(host, path);
    return text === undefined ? undefined : podOf(text);
  });
}

/** What a manifest holds, if it is a pod. */
export function podOf(text: string): Pod | undefined {
  const pod = parseYaml(text) as Pod | null;
  return Array.isArray(pod?.spec?.containers) ? (pod ?? undefined) : undefined;
}

export async function silently<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
