import { type Finding, isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Cluster, type ClusterObject, momentOfAnswer, type SuppliedPorts } from '@groundplane/phases';
import { type CertificateDescription, encodeBase64, readSigningRequest } from '@groundplane/pki';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { judgeKubeletAnswer } from './judge-kubelet-answer.ts';
import { foreignSignerReason, kubeletRequestObstacle, requestedNodeName } from './judge-kubelet-request.ts';
import { kubeletAuthority } from './kubelet-authority.ts';
import {
  conditionsOf,
  type KubeletRequest,
  kubeletRequestKind,
  kubeletRequestReference,
  readKubeletRequest,
} from './kubelet-request.ts';
import { type KubeletAuthority, kubeletRequestOrder } from './kubelet-request-order.ts';

export interface KubeletSigningRequest {
  readonly context: InitContext;
  readonly ports: Pick<SuppliedPorts, 'host' | 'signer' | 'clock'>;
  readonly cluster: Cluster;
  /** True if requests that nobody has decided about are approved as well. */
  readonly approve: boolean;
  /** Told what became of each request at once. */
  readonly onOutcome?: (outcome: KubeletRequestOutcome) => void;
}

/** What became of one request. */
export interface KubeletRequestOutcome {
  readonly name: string;
  /** Absent where there is no such request. */
  readonly request?: KubeletRequest;
  /** `signed` it has got its certificate · `kept` it had one already · `left` nothing was changed, see `finding`. */
  readonly outcome: 'signed' | 'kept' | 'left';
  /** True if it was approved on that occasion. */
  readonly approved: boolean;
  /** Of the certificate that was signed. */
  readonly certificate?: CertificateDescription;
  readonly finding?: Finding;
}

/**
 * Signs requests of kubelets that are open in the API (certificates.k8s.io/v1), one after another. A request that anything speaks against is left
 * as it is; another signer at the same time does no harm.
 *
 * @param names of requests. @default all of kubelets that are open
 * @throws GroundplaneError BOOTSTRAP_KUBELET_SIGNER_MISSING, BOOTSTRAP_AUTHORITY_EXPIRED; what the Cluster port throws when the API is not there
 */
export async function signKubeletRequests(
  request: KubeletSigningRequest,
  names: readonly string[] = [],
): Promise<readonly KubeletRequestOutcome[]> {
  const { context, ports, cluster } = request;
  const authority = await kubeletAuthority(context, ports, ports.clock.now());
  const outcomes: KubeletRequestOutcome[] = [];
  const note = (outcome: KubeletRequestOutcome) => {
    outcomes.push(outcome);
    request.onOutcome?.(outcome);
  };
  if (names.length === 0) {
    for (const object of await openKubeletRequests(cluster))
      for (const outcome of await signOne(object, authority, request)) note(outcome);
    return outcomes;
  }
  for (const name of new Set(names)) {
    const object = await cluster.get(kubeletRequestReference(name));
    const made = object === undefined ? [] : await signOne(object, authority, request);
    note(made[0] ?? left({ name }, 'REFUSED', 'there is no such request'));
  }
  return outcomes;
}

/** Requests of kubelets that have no certificate yet, and that nobody has refused. */
export async function openKubeletRequests(cluster: Cluster): Promise<readonly ClusterObject[]> {
  const objects = await cluster.list(kubeletRequestKind);
  return objects.filter((object) => {
    const { purpose, state } = readKubeletRequest(object);
    return purpose !== undefined && (state === 'pending' || state === 'approved');
  });
}

/** Others that sign or approve at the same time change a request once or twice. */
const mostAttempts = 5;

/** @returns nothing if the request has gone meanwhile */
export async function signOne(
  found: ClusterObject,
  authority: KubeletAuthority,
  request: KubeletSigningRequest,
): Promise<readonly KubeletRequestOutcome[]> {
  const { cluster } = request;
  const { name } = found.metadata;
  let object: ClusterObject | undefined = found;
  let answer: Answer | undefined;
  let isApproved = false;
  for (let attempt = 1; object !== undefined; attempt += 1) {
    const subject: KubeletRequest = readKubeletRequest(object);
    // One that was made anew under the same name is another request.
    if (answer?.uid !== subject.uid) answer = undefined;
    try {
      const prepared: Answer | KubeletRequestOutcome = answer ?? (await prepare(subject, authority, request));
      if ('outcome' in prepared) return [prepared];
      answer = prepared;
      const obstacle = decisionAgainst(subject, request);
      if (obstacle !== undefined) return [obstacle];
      if (subject.state === 'pending') {
        object = await approveRequest(object, request);
        isApproved = true;
      }
      const certificate = await store(object, prepared, request);
      return [{ name, request: subject, outcome: 'signed', approved: isApproved, certificate }];
    } catch (error) {
      if (!isGroundplaneError(error) || !singleFaults.has(error.code)) throw error;
      if (!passingFaults.has(error.code) || attempt === mostAttempts)
        return [left({ name, request: subject }, 'UNSTORED', messageOf(error), error.hint)];
    }
    object = await cluster.get(kubeletRequestReference(name));
  }
  return [];
}

/** Faults of the API that are about one request. */
const passingFaults: ReadonlySet<string> = new Set(['CLUSTER_CONFLICT', 'CLUSTER_NOT_FOUND']);
const singleFaults: ReadonlySet<string> = new Set([...passingFaults, 'CLUSTER_FORBIDDEN', 'CLUSTER_INVALID']);

/** A certificate for a request, which is not in the API yet. */
interface Answer {
  readonly uid: string | undefined;
  /** PEM of the certificate and the intermediates behind it. */
  readonly text: string;
  readonly description: CertificateDescription;
}

async function prepare(
  subject: KubeletRequest,
  authority: KubeletAuthority,
  { cluster, ports: { signer, clock }, approve }: KubeletSigningRequest,
): Promise<Answer | KubeletRequestOutcome> {
  const about = { name: subject.name, request: subject };
  if (subject.purpose === undefined) return left(about, 'REFUSED', foreignSignerReason(subject));
  const undecided = decisionAgainst(subject, { approve });
  if (undecided !== undefined && subject.state !== 'pending') return undecided;
  const content = await readSigningRequest(subject.text).catch((error: unknown) => messageOf(error));
  if (typeof content === 'string') return left(about, 'REFUSED', content);
  const nodeName = subject.purpose === 'serving' ? requestedNodeName(content) : undefined;
  const node =
    nodeName === undefined ? undefined : await cluster.get({ apiVersion: 'v1', kind: 'Node', name: nodeName });
  const obstacle = kubeletRequestObstacle({ request: subject, content, node });
  if (obstacle !== undefined) return left(about, 'REFUSED', obstacle, refusalHint);
  if (undecided !== undefined) return undecided;
  const order = kubeletRequestOrder({ request: subject, content }, authority, clock.now());
  const asked = { name: order.name, algorithm: '', certificate: order.certificate };
  try {
    if (!signer.canIssue(asked)) throw new Error(`${signer.name ?? 'the signer'} does not sign such certificates`);
    const judged = await judgeKubeletAnswer(await signer.certify?.(order), {
      order,
      publicKey: content.publicKey,
      authority: authority.issuer.certificate,
      isLimited: subject.expirationSeconds !== undefined,
      now: momentOfAnswer(clock),
    });
    return { uid: subject.uid, ...judged };
  } catch (error) {
    const hint = isGroundplaneError(error) ? error.hint : undefined;
    return left(about, 'UNSIGNED', messageOf(error), hint ?? 'Run it again when the signer is in order');
  }
}

const refusalHint = 'If nobody knows of this request, refuse it: kubectl certificate deny NAME';

/** That it is decided already, or that it is not. */
function decisionAgainst(
  request: KubeletRequest,
  { approve }: Pick<KubeletSigningRequest, 'approve'>,
): KubeletRequestOutcome | undefined {
  const about = { name: request.name, request };
  switch (request.state) {
    case 'issued':
      return { ...about, outcome: 'kept', approved: false };
    case 'denied':
      return left(about, 'REFUSED', 'somebody has denied it');
    case 'failed':
      return left(about, 'REFUSED', 'a signer has marked it as failed');
    case 'pending':
      return approve
        ? undefined
        : left(about, 'UNAPPROVED', 'nobody has approved it', approvalHints[request.purpose ?? 'client']);
    case 'approved':
      return undefined;
  }
}

const approvalHints = {
  client: 'The controller manager approves those of nodes that join, in a moment; or approve it here: --approve',
  serving: 'Nobody in the cluster approves those of servers: --approve, or kubectl certificate approve NAME',
};

/** Fails if anybody else has changed the request meanwhile. */
async function approveRequest(
  object: ClusterObject,
  { cluster, ports: { clock } }: KubeletSigningRequest,
): Promise<ClusterObject> {
  const conditions = [...conditionsOf(object), approval(clock.now())];
  const changing = { subresource: 'approval', ...versionOf(object) } as const;
  return cluster.patch(kubeletRequestReference(object.metadata.name), { status: { conditions } }, changing);
}

/** As {@link approveRequest}. */
async function store(
  object: ClusterObject,
  { text, description }: Answer,
  { cluster }: KubeletSigningRequest,
): Promise<CertificateDescription> {
  const certificate = encodeBase64(new TextEncoder().encode(text));
  const changing = { subresource: 'status', ...versionOf(object) } as const;
  await cluster.patch(kubeletRequestReference(object.metadata.name), { status: { certificate } }, changing);
  return description;
}

function versionOf({ metadata: { resourceVersion } }: ClusterObject) {
  return resourceVersion === undefined ? {} : { resourceVersion };
}

function approval(now: Date) {
  return {
    type: 'Approved',
    status: 'True',
    reason: 'GroundplaneApproved',
    message: 'Requestor, names and usages were found to be those of the kubelet of this node',
    lastUpdateTime: `${now.toISOString().slice(0, 19)}Z`,
  };
}

function left(
  about: Pick<KubeletRequestOutcome, 'name' | 'request'>,
  kind: 'REFUSED' | 'UNAPPROVED' | 'UNSIGNED' | 'UNSTORED',
  reason: string,
  hint?: string,
): KubeletRequestOutcome {
  const { name } = about;
  const finding = bootstrapFinding({
    code: `BOOTSTRAP_KUBELET_REQUEST_${kind}`,
    severity: 'error',
    artifact: `${kubeletRequestKind.kind}/${name}`,
    message: `Cannot sign the request ${name} as ${reason}`,
    ...(hint === undefined ? {} : { hint: hint.replace('NAME', name) }),
  });
  return { ...about, outcome: 'left', approved: false, finding };
}
