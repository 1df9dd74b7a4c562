import type { ClusterConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import type { ClusterObject } from '@groundplane/phases';
import { certificateArtifactsOf } from './artifacts.ts';
import { bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';

/** On the ConfigMap kubeadm-config: that nothing in the cluster signs, so that who joins can be told before anything is written. */
export const clusterSignerAnnotation = 'groundplane.dev/cluster-signer';
export const noClusterSigner = 'none';

/** Flags with which the controller manager signs for the clients among the kubelets (kube-controller-manager: CSRSigningControllerOptions). */
const signingKeyFlags: ReadonlySet<string> = new Set([
  'cluster-signing-key-file',
  'cluster-signing-kubelet-client-key-file',
]);

/** Whether the configuration gives the controller manager a key of its own to sign with. */
export function givesSigningKey({ controllerManager }: ClusterConfiguration): boolean {
  return controllerManager.extraArgs.some(({ name }) => signingKeyFlags.has(name));
}

/** Commands that write the static pod of the controller manager. */
const makingControllerManager: ReadonlySet<string> = new Set([
  'init',
  'init phase control-plane all',
  'init phase control-plane controller-manager',
]);

const waysOn =
  'Have them signed where a signer is: groundplane certs sign-kubelet-requests; or bring each node its kubelet.conf before it joins';

/** What follows of a CA elsewhere for those who join; kubeadm says nothing of it. */
export function initWithoutClusterSigner(context: InitContext, command: string): readonly Finding[] {
  if (!makingControllerManager.has(command)) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING',
      severity: 'warning',
      artifact: placeIn(context, certificateArtifactsOf('ca').key),
      message:
        'The controller manager gets nothing to sign with, as the key of the CA is not on this node: requests of kubelets that join, and those to renew their certificates, stay pending',
      hint: waysOn,
    }),
  ];
}

/**
 * The same for one who joins.
 *
 * @param kubeadmConfig the ConfigMap of that name
 */
export function joinWithoutClusterSigner(kubeadmConfig: ClusterObject): readonly Finding[] {
  const { name, annotations } = kubeadmConfig.metadata;
  if (annotations?.[clusterSignerAnnotation] !== noClusterSigner) return [];
  return [
    bootstrapFinding({
      code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING',
      severity: 'warning',
      artifact: `ConfigMap kube-system/${name}`,
      message: `Nothing in this cluster signs the request of the kubelet, as the key of its CA is kept elsewhere (annotation ${clusterSignerAnnotation}: ${noClusterSigner})`,
      hint: waysOn,
    }),
  ];
}
