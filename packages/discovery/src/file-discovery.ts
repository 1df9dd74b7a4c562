import { type Finding, type GroundplaneError, isGroundplaneError, messageOf } from '@groundplane/errors';
import { currentContextOf, type Kubeconfig, parseKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { decodeBase64, encodeBase64, splitCertificates } from '@groundplane/pki';
import { answerText, faultHints, redirected } from './answer-text.ts';
import { isToken } from './bootstrap-token.ts';
import { type ClusterLocation, clusterInfoReference, clusterOf, readClusterInfo, withoutUser } from './cluster-info.ts';
import { describeAuthorities } from './describe-authorities.ts';
import { readDiscoveryFile, readText } from './discovery-file.ts';
import type { ConnectCluster, HttpsGet, ReadFile } from './discovery-ports.ts';
import { type DiscoveryErrorCode, type DiscoveryFindingCode, discoveryError } from './error-codes.ts';
import { type KeepTryingOptions, keepTrying } from './keep-trying.ts';

/** What a discovery file leads to. */
export interface FileDiscovery extends ClusterLocation {
  /** The current context of the file with all that it refers to in it. May hold secrets. */
  readonly kubeconfig: Kubeconfig;
  readonly findings: readonly Finding[];
}

export interface FileDiscoveryOptions extends Omit<KeepTryingOptions, 'waitingFor'> {
  readonly fetch: HttpsGet;
  readonly connect: ConnectCluster;
  readonly readFile: ReadFile;
  /** True if the joining kubelet has a token of its own, so that the file needs no credentials. */
  readonly hasToken: boolean;
}

/** No kubeconfig is larger than what a ConfigMap holds. */
const maximumBytes = 1024 * 1024;

/** The largest ConfigMap has 1 MiB; written as JSON it may take more. */
const mostAnswered = 2 * 1024 * 1024;

/** True for a place that is asked over the network. */
export function isHttpsUrl(path: string): boolean {
  return /^https:\/\//i.test(path);
}

/**
 * Takes a discovery file's word for where the cluster is and checks that an API server answers there that the CA of the file
 * stands for (kubeadm: discovery/file, discovery/https). cluster-info is read with what the file holds and only
 * supplies a CA that is missing; where the server does not let us read it, the file stands as it is.
 *
 * @param source path of a file, or an https URL, which is fetched once from a server that the machine trusts
 * @throws errors of {@link discoveryErrorCodes}, those for which waiting makes sense when the time is over
 */
export async function discoverByFile(source: string, options: FileDiscoveryOptions): Promise<FileDiscovery> {
  const isUrl = isHttpsUrl(source);
  const path = isUrl ? withoutUser(source) : source;
  const text = isUrl
    ? await download(source, options)
    : await readText(path, { what: 'the discovery file', readFile: options.readFile });
  const { kubeconfig, hasCredentials, refersTo } = await readDiscoveryFile(text, { path, readFile: options.readFile });
  if (!hasCredentials && !options.hasToken) throw credentialsMissing(path);
  const { server, certificateAuthority: ownAuthority, token = '' } = currentContextOf(kubeconfig);
  if (ownAuthority !== undefined) await requireAuthority(ownAuthority, path);
  const waitingFor = `cluster-info of ${server}`;
  const request = { kubeconfig: stringifyKubeconfig(kubeconfig), connect: options.connect, server };
  const answer = await keepTrying((limits) => readWith({ ...request, ...limits }), {
    ...options,
    waitingFor,
    byBootstrapToken: isToken(token),
  });
  const theirs = answer === 'forbidden' ? undefined : clusterIn(answer);
  const certificateAuthority = ownAuthority ?? theirs?.certificateAuthority ?? '';
  await requireAuthority(certificateAuthority, path);
  return {
    server,
    certificateAuthority,
    kubeconfig: ownAuthority === undefined ? withAuthority(kubeconfig, certificateAuthority) : kubeconfig,
    findings: [
      ...(isUrl && refersTo.length > 0 ? [refersLocally(path, refersTo)] : []),
      ...(isUnverified(kubeconfig) ? [unverified(server)] : []),
      ...(answer === 'forbidden' ? [forbidden(server)] : []),
      ...(theirs !== undefined && theirs.server !== server ? [serverDiffers(server, theirs.server)] : []),
    ],
  };
}

async function download(url: string, { fetch, timeoutMs, signal }: FileDiscoveryOptions): Promise<string> {
  if (!URL.canParse(url) || new URL(url).port === '0') {
    throw discoveryError(
      'DISCOVERY_ENDPOINT_INVALID',
      `Cannot fetch the discovery file as this is no URL of a host and a port: ${withoutUser(url)}`,
    );
  }
  const limits = { timeoutMs: Math.max(1000, Math.min(timeoutMs, 30_000)), maximumBytes };
  const result = await fetch(url, { trust: 'machine', ...limits, ...(signal === undefined ? {} : { signal }) });
  return answerText(result, { what: 'the discovery file', from: new URL(url).origin });
}

/** What the failures of a connection mean, by the codes of `@groundplane/cluster`. Others say themselves what they are. */
const connectionCodes: Readonly<Record<string, DiscoveryErrorCode>> = {
  CLUSTER_KUBECONFIG_INVALID: 'DISCOVERY_FILE_INVALID',
  CLUSTER_PLUGIN_MISSING: 'DISCOVERY_FILE_INVALID',
  CLUSTER_PLUGIN_FAILED: 'DISCOVERY_CREDENTIALS_FAILED',
  CLUSTER_UNAVAILABLE: 'DISCOVERY_UNREACHABLE',
  CLUSTER_UNTRUSTED: 'DISCOVERY_UNTRUSTED',
  CLUSTER_UNAUTHORIZED: 'DISCOVERY_UNAUTHORIZED',
  CLUSTER_ANSWER_INVALID: 'DISCOVERY_ANSWER_INVALID',
  CLUSTER_INVALID: 'DISCOVERY_REFUSED',
  CLUSTER_NOT_FOUND: 'DISCOVERY_REFUSED',
  CLUSTER_UNKNOWN_KIND: 'DISCOVERY_REFUSED',
  CLUSTER_CONFLICT: 'DISCOVERY_REFUSED',
};

/** Those of the file itself are told by their own hints, the others by those for a machine that joins. */
const ownHints: ReadonlySet<string> = new Set([
  'CLUSTER_PLUGIN_MISSING',
  'CLUSTER_PLUGIN_FAILED',
  'CLUSTER_KUBECONFIG_INVALID',
]);

function connectionFault(thrown: GroundplaneError, server: string): GroundplaneError {
  const { status, location, attempts } = thrown.details ?? {};
  if (thrown.code === 'CLUSTER_REDIRECTED') {
    return redirected({ what: 'cluster-info', from: server, status: Number(status), location: String(location ?? '') });
  }
  const known = connectionCodes[thrown.code];
  if (known === undefined) return thrown;
  // Somebody answers, only not with cluster-info.
  const code = known === 'DISCOVERY_UNREACHABLE' && typeof status === 'number' ? 'DISCOVERY_REFUSED' : known;
  const hint = ownHints.has(thrown.code) ? thrown.hint : faultHints[code];
  return discoveryError(code, `Cannot read cluster-info from ${server} as the request failed: ${thrown.message}`, {
    cause: thrown,
    details: {
      ...(typeof status === 'number' ? { status } : {}),
      ...(typeof attempts === 'number' ? { requests: attempts } : {}),
    },
    ...(hint === undefined ? {} : { hint }),
  });
}

async function readWith(request: {
  readonly kubeconfig: string;
  readonly server: string;
  readonly timeoutMs: number;
  readonly connect: ConnectCluster;
}): Promise<Readonly<Record<string, string>> | 'forbidden'> {
  const { kubeconfig, timeoutMs, connect, server } = request;
  let found: object | undefined;
  try {
    const cluster = await connect({ kubeconfig, timeoutMs, maximumBytes: mostAnswered });
    found = await cluster.get(clusterInfoReference);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    if (thrown.code === 'CLUSTER_FORBIDDEN') return 'forbidden';
    throw connectionFault(thrown, server);
  }
  if (found === undefined) {
    throw discoveryError('DISCOVERY_REFUSED', `Cannot read cluster-info from ${server} as it is not there yet`);
  }
  const { data } = found as { readonly data?: unknown };
  const entries = Object.entries(typeof data === 'object' && data !== null ? data : {});
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

/** What cluster-info says, as far as it says anything: the connection is verified, and the file alone would do. */
function clusterIn(data: Readonly<Record<string, string>>): ClusterLocation | undefined {
  try {
    const cluster = clusterOf(parseKubeconfig(readClusterInfo({ data }).kubeconfig));
    if (cluster === undefined) return undefined;
    const bytes = decodeBase64(cluster['certificate-authority-data'] ?? '') ?? new Uint8Array();
    return { server: cluster.server ?? '', certificateAuthority: new TextDecoder().decode(bytes) };
  } catch (thrown) {
    if (isGroundplaneError(thrown)) return undefined;
    throw new Error(messageOf(thrown), { cause: thrown });
  }
}

function withAuthority(kubeconfig: Kubeconfig, certificateAuthority: string): Kubeconfig {
  const data = encodeBase64(new TextEncoder().encode(certificateAuthority));
  const clusters = kubeconfig.clusters.map(({ name, cluster }) => ({
    name,
    // Nobody takes a CA together with the word that none is to be used.
    cluster: { ...cluster, 'certificate-authority-data': data, 'insecure-skip-tls-verify': undefined },
  }));
  return { ...kubeconfig, clusters };
}

function warning(code: DiscoveryFindingCode, message: string, hint: string): Finding {
  return { code, severity: 'warning', artifact: 'discovery.file', message, hint };
}

function isUnverified({ clusters }: Kubeconfig): boolean {
  return clusters.some(({ cluster }) => cluster['insecure-skip-tls-verify'] === true);
}

function refersLocally(url: string, fields: readonly string[]): Finding {
  return warning(
    'DISCOVERY_FILE_REFERS_LOCALLY',
    `Cannot rule out that the server of the discovery file reaches for this machine as the file has files read or programs run here (${fields.join(', ')}), and the API server it names gets what comes of it: ${url}`,
    'Put the content into the file instead: certificate-authority-data, client-certificate-data, client-key-data, token',
  );
}

function unverified(server: string): Finding {
  return warning(
    'DISCOVERY_TLS_UNVERIFIED',
    `Cannot rule out that another server poses as this one as the discovery file says insecure-skip-tls-verify: ${server}`,
    'Put the CA of the cluster into the file instead: certificate-authority-data',
  );
}

function forbidden(server: string): Finding {
  return warning(
    'DISCOVERY_CLUSTER_INFO_FORBIDDEN',
    `Cannot compare the discovery file with cluster-info as ${server} does not let us read it; the file is used as it is`,
    'Nothing to do if that is how the cluster is set up',
  );
}

function serverDiffers(server: string, theirs: string): Finding {
  return warning(
    'DISCOVERY_SERVER_DIFFERS',
    `Cannot be sure of the server in the discovery file as cluster-info names another one, ${JSON.stringify(theirs)}: ${server}`,
    'The one of the file is used; change it there if the other one is right',
  );
}

function credentialsMissing(path: string) {
  return discoveryError(
    'DISCOVERY_CREDENTIALS_MISSING',
    `Cannot authenticate the new node as the discovery file holds no credentials and there is no TLS bootstrap token: ${path}`,
    { hint: 'Give a token: --tls-bootstrap-token, or tlsBootstrapToken in the configuration' },
  );
}

async function requireAuthority(certificateAuthority: string, path: string): Promise<void> {
  const hint = 'Put the CA of the cluster into the file: certificate-authority-data';
  if (splitCertificates(certificateAuthority).length === 0) {
    throw discoveryError(
      'DISCOVERY_FILE_INVALID',
      `Cannot trust the API server as neither the discovery file nor cluster-info holds a CA certificate: ${path}`,
      { hint },
    );
  }
  try {
    await describeAuthorities(certificateAuthority);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    throw discoveryError('DISCOVERY_FILE_INVALID', `Cannot trust the API server as its CA is not readable: ${path}`, {
      hint,
      cause: thrown,
    });
  }
}
