import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import { parseKubeletConfig } from '@groundplane/kubelet';
import { type Pod, parseYaml } from '@groundplane/manifest';
import type { Host } from '@groundplane/phases';
import { describeCertificate } from '@groundplane/pki';
import { readText } from './read-text.ts';

/** Reads what is on the node for a look at it: what is not there, cannot be read or is broken says nothing. */

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

/** The server of the current context of a kubeconfig. */
export async function serverInKubeconfig(host: Host, path: string): Promise<string | undefined> {
  return silently(async () => {
    const text = await readText(host, path);
    return text && currentContextOf(parseKubeconfig(text), {}).server;
  });
}

export async function podInManifest(host: Host, path: string): Promise<Pod | undefined> {
  return silently(async () => {
    const text = await readText(host, path);
    const pod = text === undefined ? undefined : (parseYaml(text) as Pod | null);
    return Array.isArray(pod?.spec?.containers) ? (pod ?? undefined) : undefined;
  });
}

/** The text of the kubelet's configuration, if it is one. */
export async function kubeletConfigText(host: Host, path: string): Promise<string | undefined> {
  return silently(async () => {
    const text = await readText(host, path);
    if (text !== undefined) parseKubeletConfig(text, path);
    return text;
  });
}

export async function silently<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
