import { isGroundplaneError, messageOf } from '@groundplane/errors';
import type { Artifact, Clock, Cluster, ClusterObject, Clusters } from '@groundplane/phases';
import { readSigningRequest } from '@groundplane/pki';
import { list } from './artifacts.ts';
import { requestedNodeName } from './judge-kubelet-request.ts';
import {
  conditionsOf,
  type KubeletRequestState,
  kubeletRequestKind,
  kubeletSigners,
  readKubeletRequest,
} from './kubelet-request.ts';

export const clientRequestQuery = {
  ...kubeletRequestKind,
  fieldSelector: `spec.signerName=${kubeletSigners.client}`,
} as const;

/** Requests of kubelets for client certificates; who has a bootstrap token may list them (ClusterRole system:node-bootstrapper). */
export const clientRequests: Artifact<readonly ClusterObject[]> = list(
  'list/kubelet-client-requests',
  'requests of kubelets for client certificates',
  clientRequestQuery,
);

/** What has become of the request of one node for its client certificate. */
export type OwnRequest =
  | { readonly state: 'unmade' }
  /** It could not be looked at. */
  | { readonly state: 'unseen'; readonly reason: string }
  | {
      readonly state: KubeletRequestState;
      readonly name: string;
      /** When it was made, by the clock of the API server: ISO 8601. */
      readonly made: string | undefined;
      /** What whoever refused it, or gave it up, says. */
      readonly remark: string | undefined;
    };

/** How long one answer of the API server is awaited, in milliseconds. */
const timeoutMs = 2_000;

/** Looks for the latest request of a node. Nothing is thrown. */
export async function ownRequestOf(
  node: string,
  { clusters, kubeconfig }: { readonly clusters: Clusters; readonly kubeconfig: string | undefined },
): Promise<OwnRequest> {
  if (kubeconfig === undefined) return { state: 'unseen', reason: 'there is nothing left to ask the cluster with' };
  try {
    const cluster = await clusters.connect({ kubeconfig, timeoutMs });
    return (await latestRequest(node, cluster)) ?? { state: 'unmade' };
  } catch (error) {
    const isForbidden = isGroundplaneError(error) && error.code === 'CLUSTER_FORBIDDEN';
    return { state: 'unseen', reason: isForbidden ? 'the token may not look at requests' : messageOf(error) };
  }
}

async function latestRequest(node: string, cluster: Cluster): Promise<OwnRequest | undefined> {
  const objects = await cluster.list(clientRequestQuery);
  const byAge = objects.toSorted((one, other) => madeAt(other).localeCompare(madeAt(one)));
  for (const object of byAge) {
    const { name, state, text } = readKubeletRequest(object);
    const content = await readSigningRequest(text).catch(() => undefined);
    if (content === undefined || requestedNodeName(content) !== node) continue;
    return { state, name, made: madeAt(object) || undefined, remark: remarkOf(object, state) };
  }
  return undefined;
}

/** ISO 8601 in UTC and whole seconds, so that it sorts as text. */
function madeAt({ metadata: { creationTimestamp } }: ClusterObject): string {
  return typeof creationTimestamp === 'string' ? creationTimestamp : '';
}

const conditionTypes: Readonly<Partial<Record<KubeletRequestState, string>>> = { denied: 'Denied', failed: 'Failed' };

function remarkOf(object: ClusterObject, state: KubeletRequestState): string | undefined {
  const condition = conditionsOf(object).find(({ type }) => type === conditionTypes[state]);
  const said = [condition?.reason, condition?.message].filter((text) => typeof text === 'string' && text !== '');
  return said.length === 0 ? undefined : said.join(': ');
}

/** What it is, in a few words. */
export function ownRequestText(request: OwnRequest): string {
  switch (request.state) {
    case 'unmade':
      return 'the kubelet has not asked for it yet';
    case 'unseen':
      return `what became of the request of the kubelet is not known: ${request.reason}`;
    default: {
      const { name, made, remark } = request;
      const about = `its request ${name}${made === undefined ? '' : ` of ${made}`}`;
      return `${about} ${stateTexts[request.state]}${remark === undefined ? '' : `: ${remark}`}`;
    }
  }
}

const stateTexts: Readonly<Record<KubeletRequestState, string>> = {
  pending: 'is pending, as nobody has approved it',
  approved: 'is approved, and nobody has signed it',
  issued: 'has its certificate, which the kubelet has not taken yet',
  denied: 'was denied',
  failed: 'was given up by the signer',
};

/** The way on, as lines. */
export function ownRequestRemedy(request: OwnRequest, node: string): readonly string[] {
  switch (request.state) {
    case 'unmade':
      return ['The kubelet has not asked for its certificate: its log says why'];
    case 'unseen':
      return [
        `Where the kubelet has asked for its certificate there is a CertificateSigningRequest for system:node:${node}. On a control-plane node:`,
        `  kubectl get csr --field-selector ${clientRequestQuery.fieldSelector}`,
        `  Pending: ${approving('NAME')}`,
        `  Approved without Issued: ${signing('NAME')}`,
      ];
    case 'pending':
      return [approving(request.name)];
    case 'approved':
      return [signing(request.name)];
    case 'issued':
      return ['The log of the kubelet says why it does not take it'];
    case 'denied':
    case 'failed':
      return [
        `Who did so tells why: kubectl describe csr ${request.name}`,
        'The kubelet asks again after a while, at once when it is restarted: systemctl restart kubelet',
      ];
  }
}

function approving(name: string): string {
  return `The controller manager approves it if it runs and the ClusterRoleBinding kubeadm:node-autoapprove-bootstrap names the group of the token; by hand: kubectl certificate approve ${name}`;
}

function signing(name: string): string {
  return `The controller manager signs it if it runs with the key of the CA (--cluster-signing-key-file), which it has not with an external CA: have it signed where a signer is: groundplane certs sign-kubelet-requests ${name}; or bring this node its kubelet.conf`;
}

/** The cluster is asked only when a wait has lasted this long, in milliseconds. */
const patienceMs = 3_000;
/** And then this often. */
const askAgainMs = 5_000;

/**
 * Looks at the request now and then while it is awaited.
 *
 * @returns asks for a text; undefined as long as nothing is known
 */
export function followedRequest(ask: () => Promise<OwnRequest>, clock: Clock): () => Promise<string | undefined> {
  const start = clock.monotonicMs();
  let asked = Number.NEGATIVE_INFINITY;
  let known: OwnRequest | undefined;
  return async () => {
    const now = clock.monotonicMs();
    if (now - start >= patienceMs && now - asked >= askAgainMs) {
      known = await ask();
      asked = clock.monotonicMs();
    }
    return known === undefined ? undefined : ownRequestText(known);
  };
}
