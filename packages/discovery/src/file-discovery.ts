import { type Finding, isGroundplaneError, messageOf } from '@groundplane/errors';
import { currentContextOf, type Kubeconfig, parseKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { decodeBase64, encodeBase64, splitCertificates } from '@groundplane/pki';
import { answerText } from './answer-text.ts';
import { type ClusterLocation, clusterInfoReference, clusterOf, readClusterInfo } from './cluster-info.ts';
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

/** True for a place that is asked over the network. */
export function isHttpsUrl(path: string): boolean {
  return /^https:\/\//i.test(path);
}

/**
 * Takes a discovery file's word for where the cluster is and checks that an API server answers there that the CA of the file
 * stands for (kubeadm: discovery/file, discovery/https). cluster-info is read with what the file holds and only
 * supplies a CA that is missing; where the server does not let us read it, the file stands as it is.
 *
 * @param path of a file, or an https URL, which is fetched once from a server that the machine trusts
 * @throws errors of {@link discoveryErrorCodes}, those for which waiting makes sense when the time is over
 */
export async function discoverByFile(path: string, options: FileDiscoveryOptions): Promise<FileDiscovery> {
  const text = isHttpsUrl(path)
    ? await download(path, options)
    : await readText(path, { what: 'the discovery file', readFile: options.readFile });
  const { kubeconfig, hasCredentials } = await readDiscoveryFile(text, { path, readFile: options.readFile });
  if (!hasCredentials && !options.hasToken) throw credentialsMissing(path);
  const { server, certificateAuthority: ownAuthority } = currentContextOf(kubeconfig);
  if (ownAuthority !== undefined) await requireAuthority(ownAuthority, path);
  const waitingFor = `cluster-info of ${server}`;
  const request = { kubeconfig: stringifyKubeconfig(kubeconfig), connect: options.connect, server };
  const answer = await keepTrying((limits) => readWith({ ...request, ...limits }), { ...options, waitingFor });
  const theirs = answer === 'forbidden' ? undefined : clusterIn(answer);
  const certificateAuthority = ownAuthority ?? theirs?.certificateAuthority ?? '';
  await requireAuthority(certificateAuthority, path);
  return {
    server,
    certificateAuthority,
    kubeconfig: ownAuthority === undefined ? withAuthority(kubeconfig, certificateAuthority) : kubeconfig,
    findings: [
      ...(isUnverified(kubeconfig) ? [unverified(server)] : []),
      ...(answer === 'forbidden' ? [forbidden(server)] : []),
      ...(theirs !== undefined && theirs.server !== server ? [serverDiffers(server, theirs.server)] : []),
    ],
  };
}

async function download(url: string, { fetch, timeoutMs, signal }: FileDiscoveryOptions): Promise<string> {
  if (!URL.canParse(url)) {
    throw discoveryError('DISCOVERY_ENDPOINT_INVALID', `Cannot fetch the discovery file as this is no URL: ${url}`);
  }
  const limits = { timeoutMs: Math.max(1000, Math.min(timeoutMs, 30_000)), maximumBytes };
  const result = await fetch(url, { trust: 'machine', ...limits, ...(signal === undefined ? {} : { signal }) });
  return answerText(result, { what: 'the discovery file', from: new URL(url).origin });
}

/** What the failures of a connection mean, by the codes of `@groundplane/cluster`; others are the kubeconfig's fault. */
const connectionCodes: Readonly<Record<string, DiscoveryErrorCode>> = {
  CLUSTER_UNAVAILABLE: 'DISCOVERY_UNREACHABLE',
  CLUSTER_UNTRUSTED: 'DISCOVERY_UNTRUSTED',
  CLUSTER_UNAUTHORIZED: 'DISCOVERY_UNAUTHORIZED',
};

async function readWith(request: {
  readonly kubeconfig: string;
  readonly server: string;
  readonly timeoutMs: number;
  readonly connect: ConnectCluster;
}): Promise<Readonly<Record<string, string>> | 'forbidden'> {
  const { kubeconfig, timeoutMs, connect, server } = request;
  let found: object | undefined;
  try {
    const cluster = await connect({ kubeconfig, timeoutMs });
    found = await cluster.get(clusterInfoReference);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    if (thrown.code === 'CLUSTER_FORBIDDEN') return 'forbidden';
    const { hint } = thrown;
    const code = connectionCodes[thrown.code] ?? 'DISCOVERY_FILE_INVALID';
    throw discoveryError(code, `Cannot read cluster-info from ${server} as the request failed: ${thrown.message}`, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  if (found === undefined) {
    throw discoveryError('DISCOVERY_REFUSED', `Cannot read cluster-info from ${server} as it is not there yet`);
  }
  const { data } = found as { readonly data?: Readonly<Record<string, string>> };
  return data ?? {};
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
