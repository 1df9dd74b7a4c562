import type { ClusterConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import type { ClusterObject } from '@groundplane/phases';
import { certificateArtifactsOf } from './artifacts.ts';
import { clusterSignerAnnotation, noClusterSigner } from './cluster-signer-annotation.ts';
import { bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';
import { conditionsOf, readKubeletRequest } from './kubelet-request.ts';

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
  'Have them signed where a signer is, groundplane certs sign-kubelet-requests, or by a controller of your own; or bring each node its kubelet.conf before it joins: groundplane certs requests --workflow join HOST:PORT';

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
 * The same for one who joins, as far as he can know.
 *
 * @param options.kubeadmConfig the ConfigMap of that name
 * @param options.requests those of kubelets for client certificates
 */
export function joinWithoutClusterSigner({ kubeadmConfig, requests, now }: SignsOfCluster): readonly Finding[] {
  const { name, annotations } = kubeadmConfig.metadata;
  const warn = (artifact: string, message: string) => [
    bootstrapFinding({
      code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING',
      severity: 'warning',
      artifact,
      message,
      hint: waysOn,
    }),
  ];
  if (annotations?.[clusterSignerAnnotation] === noClusterSigner)
    return warn(
      `ConfigMap kube-system/${name}`,
      `Nothing in this cluster signs the request of the kubelet, as the key of its CA is kept elsewhere (annotation ${clusterSignerAnnotation}: ${noClusterSigner})`,
    );
  const unsigned = longestUnsigned(requests, now);
  if (unsigned === undefined) return [];
  return warn(
    `CertificateSigningRequest ${unsigned.name}`,
    `Nothing in this cluster seems to sign the request of the kubelet: that of another one, ${unsigned.name}, was approved at ${unsigned.approved} and has no certificate`,
  );
}

interface SignsOfCluster {
  readonly kubeadmConfig: ClusterObject;
  readonly requests: readonly ClusterObject[];
  readonly now: Date;
}

/** The controller manager signs within a second; more is for clocks that differ, and for one that has just been started. */
const patienceMs = 60_000;

/** A request that waits for its signature in vain; none if one that was approved later has got it. */
function longestUnsigned(requests: readonly ClusterObject[], now: Date) {
  const approved = requests.flatMap((object) => {
    const { name, state } = readKubeletRequest(object);
    const { lastUpdateTime } = conditionsOf(object).find(({ type }) => type === 'Approved') ?? {};
    const at = typeof lastUpdateTime === 'string' ? Date.parse(lastUpdateTime) : Number.NaN;
    if (Number.isNaN(at) || (state !== 'issued' && state !== 'approved')) return [];
    return [{ name, state, at, approved: String(lastUpdateTime) }];
  });
  const lastIssued = Math.max(...approved.filter(({ state }) => state === 'issued').map(({ at }) => at));
  return approved
    .filter(({ state, at }) => state === 'approved' && at > lastIssued && at < +now - patienceMs)
    .toSorted((one, other) => one.at - other.at)[0];
}
