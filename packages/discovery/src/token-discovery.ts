import { answerText } from './answer-text.ts';
import { parseToken, type TokenParts } from './bootstrap-token.ts';
import {
  type ClusterInfo,
  type ClusterLocation,
  clusterInfoPath,
  httpsServer,
  readClusterInfo,
  readClusterLocation,
  unreadableAuthority,
} from './cluster-info.ts';
import { describeAuthorities } from './describe-authorities.ts';
import { isSignedBy } from './detached-jws.ts';
import type { HttpsGet, HttpsTrust } from './discovery-ports.ts';
import { discoveryError } from './error-codes.ts';
import { type KeepTryingOptions, keepTrying } from './keep-trying.ts';
import { parsePins, pinnedCertificates } from './public-key-pins.ts';

/** `discovery.bootstrapToken` of a JoinConfiguration. */
export interface TokenSource {
  /** `id.secret`. Secret. */
  readonly token: string;
  /** `host:port` */
  readonly apiServerEndpoint: string;
  /** Pins of the CA. */
  readonly caCertHashes: readonly string[];
  /** Has the token alone trusted where there are no pins. Where there are, it changes nothing. */
  readonly unsafeSkipCAVerification: boolean;
}

/** A host, that of IPv6 in brackets, and a port; no user, no path. */
const hostPort = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]/@?#\\]+):\d+$/;

/** The largest ConfigMap has 1 MiB; written as JSON it may take more. */
const maximumBytes = 2 * 1024 * 1024;

export interface TokenDiscoveryOptions extends Omit<KeepTryingOptions, 'waitingFor'> {
  readonly fetch: HttpsGet;
}

/**
 * Asks the API server at an address for cluster-info, without knowing it, and believes the answer if the token has signed it.
 * With pins the CA in it must be a pinned one, and the same cluster-info must come a second time from a server that proves
 * itself to that CA (kubeadm: discovery/token). Nothing but the id of the token gets to know who answers.
 *
 * @throws errors of {@link discoveryErrorCodes}, those for which waiting makes sense when the time is over
 */
export async function discoverByToken(source: TokenSource, options: TokenDiscoveryOptions): Promise<ClusterLocation> {
  const token = parseToken(source.token);
  const pins = parsePins(source.caCertHashes);
  if (pins.length === 0 && !source.unsafeSkipCAVerification) {
    throw discoveryError(
      'DISCOVERY_PIN_MISSING',
      'Cannot tell the cluster from another one as no public key of its CA is pinned',
      { hint: 'Give --discovery-token-ca-cert-hash, or take the risk: --discovery-token-unsafe-skip-ca-verification' },
    );
  }
  const { apiServerEndpoint: endpoint } = source;
  const server = httpsServer(`https://${endpoint}`);
  if (server === undefined || !hostPort.test(endpoint)) {
    throw discoveryError(
      'DISCOVERY_ENDPOINT_INVALID',
      `Cannot ask an API server as the endpoint is not host:port with a port above 0: ${JSON.stringify(endpoint)}`,
      { hint: 'Brackets go around an address of IPv6: [2001:db8::10]:6443' },
    );
  }
  const { fetch, clock, signal } = options;
  const ask = async (trust: HttpsTrust, timeoutMs: number): Promise<ClusterInfo> => {
    const request = { trust, timeoutMs, maximumBytes, ...(signal === undefined ? {} : { signal }) };
    const result = await fetch(`${server}${clusterInfoPath}`, request);
    return parseAnswer(answerText(result, { what: 'cluster-info', from: endpoint }), endpoint);
  };
  const attempt = async ({ timeoutMs }: { readonly timeoutMs: number }): Promise<ClusterLocation> => {
    const first = await ask('nobody', timeoutMs);
    await requireSignature(first, { token, endpoint });
    const location = readClusterLocation(first.kubeconfig);
    await describeAuthorities(location.certificateAuthority).catch((thrown) => {
      throw unreadableAuthority(thrown);
    });
    if (pins.length === 0) return location;
    const authority = await pinnedCertificates(location.certificateAuthority, { pins, now: clock.now() });
    const second = await ask({ authority }, timeoutMs);
    if (second.kubeconfig !== first.kubeconfig) throw changed(endpoint);
    // Now all of it is the word of a server that the pinned CA answers for, also the other certificates beside that CA.
    return location;
  };
  return keepTrying(attempt, { ...options, waitingFor: `cluster-info of ${endpoint}, signed by token ${token.id}` });
}

function parseAnswer(text: string, endpoint: string): ClusterInfo {
  const found = readClusterInfo({ data: configMapData(text, endpoint) });
  if (found.kubeconfig === '') throw invalidAnswer(endpoint, 'the ConfigMap has no kubeconfig');
  return found;
}

function configMapData(text: string, endpoint: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidAnswer(endpoint, 'it is no JSON');
  }
  const { kind, data } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (kind !== 'ConfigMap') throw invalidAnswer(endpoint, 'it is no ConfigMap');
  const entries = Object.entries(typeof data === 'object' && data !== null ? data : {});
  if (entries.some(([, item]) => typeof item !== 'string')) throw invalidAnswer(endpoint, 'its data are no texts');
  return Object.fromEntries(entries);
}

async function requireSignature(
  { kubeconfig, signatures }: ClusterInfo,
  { token, endpoint }: { readonly token: TokenParts; readonly endpoint: string },
): Promise<void> {
  const signature = signatures.get(token.id) ?? '';
  if (signature === '') throw unsigned(token.id, { endpoint, others: signatures.size });
  if (await isSignedBy(kubeconfig, { signature, token })) return;
  throw discoveryError(
    'DISCOVERY_SIGNATURE_INVALID',
    `Cannot trust ${endpoint} as the signature of token ${token.id} over its cluster-info is wrong: the token has another secret there, or the content was altered`,
    { hint: newToken },
  );
}

const newToken =
  'On a control-plane node, see which tokens there are: groundplane token list; make a new one: groundplane token create --print-join-command';

/** The three causes look the same from here; whether others have signed tells whether the signer works. */
function unsigned(id: string, { endpoint, others }: { readonly endpoint: string; readonly others: number }) {
  const why =
    others === 0
      ? 'no token has signed it: the kube-controller-manager has yet to do so, or there is no token for signing'
      : `only other tokens have signed it, ${others} of them: this one is unknown there, has expired, or lacks the usage signing`;
  return discoveryError(
    'DISCOVERY_UNSIGNED',
    `Cannot trust ${endpoint} as its cluster-info has no signature of token ${id}; ${why}`,
    { hint: newToken, details: { tokenId: id, otherSignatures: others } },
  );
}

function changed(endpoint: string) {
  return discoveryError(
    'DISCOVERY_CLUSTER_INFO_CHANGED',
    `Cannot trust ${endpoint} as its cluster-info over verified TLS differs from the one that came first`,
    { hint: 'Somebody on the way may have altered it, or it is being made again; try once more' },
  );
}

function invalidAnswer(endpoint: string, why: string) {
  return discoveryError('DISCOVERY_ANSWER_INVALID', `Cannot use the answer of ${endpoint} as cluster-info as ${why}`, {
    hint: 'Check that an API server listens there: curl -k https://HOST:PORT/version',
  });
}
