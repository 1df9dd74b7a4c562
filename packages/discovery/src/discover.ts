import type { Finding } from '@groundplane/errors';
import { buildKubeconfig, stringifyKubeconfig, tlsBootstrapUser } from '@groundplane/kubeconfig';
import { parseToken } from './bootstrap-token.ts';
import { type ClusterLocation, withoutUser } from './cluster-info.ts';
import { type AuthorityDescription, describeAuthorities } from './describe-authorities.ts';
import type { ConnectCluster, DiscoveryClock, HttpsGet, ReadFile } from './discovery-ports.ts';
import { discoveryError } from './error-codes.ts';
import { discoverByFile, isHttpsUrl } from './file-discovery.ts';
import type { DiscoveryProgress } from './keep-trying.ts';
import { discoverByToken, type TokenSource } from './token-discovery.ts';

/** `discovery` of a JoinConfiguration. */
export interface DiscoverySource {
  readonly bootstrapToken?: TokenSource;
  readonly file?: {
    /** A path, or a URL of scheme https. */
    readonly kubeConfigPath: string;
  };
  /** `id.secret` that the kubelet authenticates with; empty where the credentials of a file are to do. Secret. */
  readonly tlsBootstrapToken: string;
}

export interface DiscoverOptions {
  readonly discovery: DiscoverySource;
  /** For all of it. */
  readonly timeoutMs: number;
  readonly fetch: HttpsGet;
  readonly clock: DiscoveryClock;
  /** For a discovery file and what it refers to. */
  readonly readFile: ReadFile;
  /** For a discovery file: its own connection to the cluster. */
  readonly connect: ConnectCluster;
  /** Called whenever an attempt has failed and another one will be made. */
  readonly onProgress?: ((progress: DiscoveryProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** On what the trust in the cluster rests. */
export interface DiscoveryReport {
  readonly method: 'token' | 'file' | 'url';
  /** What was asked: endpoint, path or URL. */
  readonly source: string;
  /**
   * `pin`: a pinned public key · `token`: the signature of the token alone · `file`: the local file · `machine`: the authorities
   * that this machine trusts, by one of which the server of the URL is certified.
   */
  readonly anchor: 'pin' | 'token' | 'file' | 'machine';
  readonly authorities: readonly AuthorityDescription[];
}

export interface Discovered extends ClusterLocation {
  /** Text of the kubeconfig that the new kubelet authenticates with at first. Holds a secret. */
  readonly kubeconfig: string;
  readonly report: DiscoveryReport;
  /** Warnings. */
  readonly findings: readonly Finding[];
}

/**
 * Finds out where a cluster is and which CA to trust there, as `join` has to before anything else (kubeadm: discovery).
 *
 * @throws errors of {@link discoveryErrorCodes}
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { bootstrapToken, file, tlsBootstrapToken } = options.discovery;
  if (tlsBootstrapToken !== '') parseToken(tlsBootstrapToken);
  if (file !== undefined) return fromFile(file.kubeConfigPath, options);
  if (bootstrapToken !== undefined) return fromToken(bootstrapToken, options);
  throw discoveryError(
    'DISCOVERY_SOURCE_MISSING',
    'Cannot discover the cluster as neither a token nor a file is given',
    {
      hint: 'Give --token and --discovery-token-ca-cert-hash with an endpoint, or --discovery-file',
    },
  );
}

async function fromToken(source: TokenSource, options: DiscoverOptions): Promise<Discovered> {
  const location = await discoverByToken(source, options);
  const isPinned = source.caCertHashes.length > 0;
  const token = options.discovery.tlsBootstrapToken || source.token;
  return {
    ...location,
    kubeconfig: tokenKubeconfig(location, token),
    report: {
      method: 'token',
      source: source.apiServerEndpoint,
      anchor: isPinned ? 'pin' : 'token',
      authorities: await describeAuthorities(location.certificateAuthority),
    },
    findings: isPinned ? [] : [notPinned(source.apiServerEndpoint)],
  };
}

async function fromFile(path: string, options: DiscoverOptions): Promise<Discovered> {
  const { tlsBootstrapToken } = options.discovery;
  const { server, certificateAuthority, kubeconfig, findings } = await discoverByFile(path, {
    ...options,
    hasToken: tlsBootstrapToken !== '',
  });
  const location = { server, certificateAuthority };
  const isUrl = isHttpsUrl(path);
  return {
    ...location,
    kubeconfig:
      tlsBootstrapToken === '' ? stringifyKubeconfig(kubeconfig) : tokenKubeconfig(location, tlsBootstrapToken),
    report: {
      method: isUrl ? 'url' : 'file',
      source: isUrl ? withoutUser(path) : path,
      anchor: isUrl ? 'machine' : 'file',
      authorities: await describeAuthorities(location.certificateAuthority),
    },
    findings,
  };
}

function tokenKubeconfig({ server, certificateAuthority }: ClusterLocation, token: string): string {
  return stringifyKubeconfig(
    buildKubeconfig({ clusterName: 'kubernetes', server, certificateAuthority, user: tlsBootstrapUser, token }),
  );
}

function notPinned(endpoint: string): Finding {
  return {
    code: 'DISCOVERY_CA_NOT_PINNED',
    severity: 'warning',
    artifact: 'discovery.bootstrapToken',
    message: `Cannot rule out that another server poses as ${endpoint} as its CA is not pinned; whoever knows the token could`,
    hint: 'Give --discovery-token-ca-cert-hash; a control-plane node prints it with: groundplane token create --print-join-command',
  };
}
