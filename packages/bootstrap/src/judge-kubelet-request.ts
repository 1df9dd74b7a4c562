import type { ClusterObject } from '@groundplane/phases';
import { isDnsName, normalizeIpAddress, type SigningRequest, weaknessOf } from '@groundplane/pki';
import type { KubeletRequest, KubeletRequestPurpose } from './kubelet-request.ts';

/** What a kubelet's request is judged by. */
export interface KubeletRequestFacts {
  readonly request: KubeletRequest;
  /** What its PKCS#10 says. */
  readonly content: SigningRequest;
  /** The Node object of the name that it asks for; undefined if there is none. Only requests of servers are held to it. */
  readonly node: ClusterObject | undefined;
}

/** Who asks, by its group (kubeadm: constants.NodeBootstrapTokenAuthGroup; k8s.io/apiserver: user.NodesGroup). */
const bootstrappers = 'system:bootstrappers:kubeadm:default-node-token';
const nodes = 'system:nodes';
const nodeUser = 'system:node:';

/** Name of the node that a request is for; undefined if its common name is that of no node. */
export function requestedNodeName({ subject: { commonName } }: Pick<SigningRequest, 'subject'>): string | undefined {
  const name = commonName.startsWith(nodeUser) ? commonName.slice(nodeUser.length) : '';
  return isDnsName(name) && name === name.toLowerCase() ? name : undefined;
}

interface Check {
  /** Of which requests; of all without it. */
  readonly purpose?: KubeletRequestPurpose;
  /** Why the request is refused: after "as". Undefined if nothing is wrong. */
  readonly reason: (facts: KubeletRequestFacts) => string | undefined;
}

/** The first that has a reason counts. */
const checks: readonly Check[] = [
  {
    reason: ({ content }) =>
      requestedNodeName(content) === undefined
        ? `its common name is not ${nodeUser}NAME of a node: '${content.subject.commonName}'`
        : undefined,
  },
  {
    reason: ({ content: { subject } }) =>
      subject.organizations.length === 1 && subject.organizations[0] === nodes
        ? undefined
        : `its only organization must be ${nodes}: ${listText(subject.organizations)}`,
  },
  {
    reason: ({ content: { besides } }) =>
      besides.length === 0 ? undefined : `it asks for what no kubelet needs: ${besides.join(', ')}`,
  },
  { purpose: 'client', reason: ({ request }) => usageReason(request.usages, 'client auth') },
  { purpose: 'serving', reason: ({ request }) => usageReason(request.usages, 'server auth') },
  {
    purpose: 'client',
    reason: ({ request, content }) =>
      isNodeItself(request, content) || isBootstrapper(request)
        ? undefined
        : `it was made neither with a bootstrap token of the group ${bootstrappers} nor by the node itself: ${requestorText(request)}`,
  },
  {
    purpose: 'serving',
    reason: ({ request, content }) =>
      isNodeItself(request, content) ? undefined : `it was not made by the node itself: ${requestorText(request)}`,
  },
  {
    purpose: 'client',
    reason: ({ content }) =>
      namesOf(content).length === 0
        ? undefined
        : `clients have no names, and it asks for ${listText(namesOf(content))}`,
  },
  {
    purpose: 'serving',
    reason: ({ content }) =>
      namesOf(content).length > 0 ? undefined : 'a server needs a DNS name or an IP address, and it asks for none',
  },
  { purpose: 'serving', reason: ({ content, node }) => addressReason(content, node) },
  {
    reason: ({ content: { publicKey } }) => {
      const weakness = weaknessOf(publicKey, { isShown: true });
      return weakness?.severity === 'error' ? `${weakness.reason}: ${weakness.value}` : undefined;
    },
  },
];

/**
 * Holds a request to what kube-controller-manager signs and approves for kubelets (k8s.io/kubernetes: pkg/apis/certificates/helpers.go,
 * pkg/controller/certificates/approver; RBAC of kubeadm: phases/bootstraptoken/node), and beyond that to the addresses of the node: nobody
 * in a cluster looks at these.
 *
 * @returns why it is refused, after "as"; undefined if nothing speaks against it
 */
export function kubeletRequestObstacle(facts: KubeletRequestFacts): string | undefined {
  const { purpose } = facts.request;
  if (purpose === undefined) return foreignSignerReason(facts.request);
  for (const check of checks) {
    if (check.purpose !== undefined && check.purpose !== purpose) continue;
    const reason = check.reason(facts);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Of a request that is none of a kubelet. */
export function foreignSignerReason({ signerName }: Pick<KubeletRequest, 'signerName'>): string {
  return `it is for another signer than those of kubelets: ${signerName}`;
}

/** What every kubelet's certificate is for; RSA keys encipher keys as well, and kubelets ask for that with other keys too. */
function usageReason(usages: readonly string[], purpose: string): string | undefined {
  const allowed = ['digital signature', purpose];
  const others = usages.filter((usage) => !allowed.includes(usage) && usage !== 'key encipherment');
  if (others.length === 0 && allowed.every((usage) => usages.includes(usage))) return undefined;
  return `its usages must be ${allowed.join(', ')} and perhaps key encipherment: ${listText(usages)}`;
}

function isNodeItself({ username, groups }: KubeletRequest, { subject }: SigningRequest): boolean {
  return username === subject.commonName && groups.includes(nodes);
}

/** Users of bootstrap tokens are called after the id of the token (k8s.io/cluster-bootstrap: BootstrapUserPrefix). */
function isBootstrapper({ username, groups }: KubeletRequest): boolean {
  return /^system:bootstrap:[a-z0-9]{6}$/.test(username) && groups.includes(bootstrappers);
}

function requestorText({ username, groups }: KubeletRequest): string {
  return `'${username}' of ${listText(groups)}`;
}

function namesOf({ sans }: SigningRequest): readonly string[] {
  return [...sans.dnsNames, ...sans.ipAddresses];
}

interface Address {
  readonly type?: unknown;
  readonly address?: unknown;
}

/** Types of addresses that are names (k8s.io/api/core/v1, NodeAddressType); one of them may hold an IP address all the same. */
const nameTypes: ReadonlySet<unknown> = new Set(['Hostname', 'InternalDNS', 'ExternalDNS']);

function addressReason(content: SigningRequest, node: ClusterObject | undefined): string | undefined {
  const name = requestedNodeName(content);
  if (node === undefined) return `there is no Node that says which addresses it has: ${name}`;
  const { status } = node as ClusterObject & { readonly status?: { readonly addresses?: readonly Address[] } };
  const addresses = (status?.addresses ?? []).filter((one): one is Address & { readonly address: string } => {
    return typeof one.address === 'string';
  });
  const ips = new Set(addresses.map(({ address }) => normalizeIpAddress(address)));
  const names = new Set(
    addresses.filter(({ type }) => nameTypes.has(type)).map(({ address }) => address.toLowerCase()),
  );
  const others = [
    ...content.sans.dnsNames.filter((one) => !names.has(one.toLowerCase())),
    ...content.sans.ipAddresses.filter((one) => !ips.has(normalizeIpAddress(one) ?? one)),
  ];
  if (others.length === 0) return undefined;
  return `the addresses of Node ${name} are ${listText(addresses.map(({ address }) => address))}, and it asks for ${listText(others)}`;
}

function listText(list: readonly string[]): string {
  return list.join(', ') || 'none';
}
