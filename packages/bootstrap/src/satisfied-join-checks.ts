import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { Host } from '@groundplane/phases';
import { haveCommonAuthority } from './authority-match.ts';
import type { JoinContext } from './join-context.ts';
import { type KubeletCredentials, kubeletMembership } from './joined-kubelet.ts';
import { readText } from './read-text.ts';

export interface PresentOnNode extends KubeletCredentials {
  /** Text of the kubeconfig with which the kubelet asks for its certificate. */
  readonly bootstrap: string | undefined;
  /** PEM */
  readonly authority: string | undefined;
  readonly kubeletConfig: string | undefined;
}

export interface SatisfiedRequest {
  readonly present: PresentOnNode;
  readonly paths: Readonly<Record<'kubeconfig' | 'bootstrap' | 'authority', string>>;
  readonly host: Host;
  readonly now: Date;
}

/**
 * Names of the pre-flight checks that ask for the absence of something that a run before this one made for the same cluster: the
 * kubelet's files, and its port, if that is this node's by its files. What belongs to another cluster is not left out.
 */
export async function satisfiedJoinChecks(
  config: JoinContext,
  { present, paths, host, now }: SatisfiedRequest,
): Promise<ReadonlySet<string>> {
  const { bootstrap, authority, kubeletConfig } = present;
  // One that was cut short is not among what is present; the kubelet writes it again.
  const kubeconfig = present.kubeconfig ?? (await readText(host, paths.kubeconfig));
  const credentials = { kubeconfig, certificate: present.certificate };
  const isOurs = {
    kubeconfig: kubeconfig !== undefined && (await kubeletMembership(credentials, config, now)).state !== 'foreign',
    bootstrap: bootstrap !== undefined && (await isSameCluster(bootstrap, config)),
    authority:
      authority !== undefined && (await haveCommonAuthority(authority, config.certificateAuthority).catch(() => false)),
  };
  const names = (['kubeconfig', 'bootstrap', 'authority'] as const)
    .filter((key) => isOurs[key])
    .map((key) => `FileAvailable-${paths[key].replaceAll('/', '-')}`);
  const hasKubeletFiles = kubeletConfig !== undefined || kubeconfig !== undefined;
  const hasPort = hasKubeletFiles && (await host.services.status('kubelet')).active;
  return new Set([...names, ...(hasPort ? ['Port-10250'] : [])]);
}

/** True for a kubeconfig of the cluster that discovery led to; one that cannot be read is of none. */
async function isSameCluster(text: string, { certificateAuthority }: JoinContext): Promise<boolean> {
  try {
    const current = currentContextOf(parseKubeconfig(text), {});
    return await haveCommonAuthority(current.certificateAuthority ?? '', certificateAuthority);
  } catch {
    return false;
  }
}
