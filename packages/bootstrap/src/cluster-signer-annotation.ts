import type { ConfigMap } from '@groundplane/manifest';

/** On the ConfigMap kubeadm-config: that nothing in the cluster signs, so that who joins can be told before anything is written. */
export const clusterSignerAnnotation = 'groundplane.dev/cluster-signer';
export const noClusterSigner = 'none';

/** True if both say the same about who signs. One that says nothing is not satisfied with one that does: it would be believed. */
export function agreeOnClusterSigner(one: ConfigMap, other: ConfigMap): boolean {
  const said = ({ metadata: { annotations } }: ConfigMap) => annotations?.[clusterSignerAnnotation];
  return said(one) === said(other);
}
