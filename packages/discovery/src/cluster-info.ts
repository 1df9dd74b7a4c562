import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { type Cluster, type Kubeconfig, parseKubeconfig } from '@groundplane/kubeconfig';
import { type ConfigMap, stringifyYaml } from '@groundplane/manifest';
import { decodeBase64, encodeBase64, splitCertificates } from '@groundplane/pki';
import { discoveryError } from './error-codes.ts';

/** The ConfigMap that tells everybody where the cluster is (k8s.io/cluster-bootstrap, token/api). */
export const clusterInfoReference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-public',
  name: 'cluster-info',
} as const;

/** Path of {@link clusterInfoReference} at an API server. */
export const clusterInfoPath = '/api/v1/namespaces/kube-public/configmaps/cluster-info';

const kubeconfigKey = 'kubeconfig';
const signaturePrefix = 'jws-kubeconfig-';

/** The key under which the signature of a token stands in cluster-info. */
export function signatureKey(tokenId: string): string {
  return `${signaturePrefix}${tokenId}`;
}

/** Where a cluster is and what to trust there. */
export interface ClusterLocation {
  /** URL of scheme https */
  readonly server: string;
  /** PEM, one or several certificates */
  readonly certificateAuthority: string;
}

/**
 * The ConfigMap cluster-info, unsigned, with the bytes that kubeadm writes (kubeadm: phases/bootstraptoken/clusterinfo): a
 * kubeconfig of one cluster without name, no context and no user.
 */
export function clusterInfo({ server, certificateAuthority }: ClusterLocation): ConfigMap {
  const { apiVersion, kind, namespace, name } = clusterInfoReference;
  const cluster = {
    'certificate-authority-data': encodeBase64(new TextEncoder().encode(certificateAuthority)),
    server,
  };
  const kubeconfig = stringifyYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: '', cluster }],
    contexts: null,
    'current-context': '',
    users: null,
  });
  return { apiVersion, kind, metadata: { name, namespace }, data: { [kubeconfigKey]: kubeconfig } };
}

/** What cluster-info holds, not judged yet. */
export interface ClusterInfo {
  /** The signed text, empty if there is none. */
  readonly kubeconfig: string;
  /** Token id → detached JWS. */
  readonly signatures: ReadonlyMap<string, string>;
}

export function readClusterInfo(configMap: Pick<ConfigMap, 'data'>): ClusterInfo {
  const data = configMap.data ?? {};
  const signatures = Object.entries(data)
    .filter(([key]) => key.startsWith(signaturePrefix))
    .map(([key, signature]) => [key.slice(signaturePrefix.length), signature] as const);
  return { kubeconfig: data[kubeconfigKey] ?? '', signatures: new Map(signatures) };
}

/**
 * Reads the kubeconfig in cluster-info. Whoever signed it, it is refused if it carries credentials, which nobody should get
 * from a place that everybody can read, or names a server to which a token must not be sent.
 *
 * @param text the value of the ConfigMap
 * @throws DISCOVERY_CLUSTER_INFO_INVALID, DISCOVERY_CREDENTIALS_INSIDE
 */
export function readClusterLocation(text: string): ClusterLocation {
  let kubeconfig: Kubeconfig;
  try {
    kubeconfig = parseKubeconfig(text);
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    throw invalid(`its kubeconfig is not readable: ${messageOf(thrown)}`);
  }
  const user = kubeconfig.users.find((entry) => Object.values(entry.user).some((value) => !isNothing(value)));
  if (user !== undefined) {
    throw discoveryError(
      'DISCOVERY_CREDENTIALS_INSIDE',
      `Cannot use cluster-info as its kubeconfig carries credentials, which everybody can read: user '${user.name}'`,
      {
        hint: 'Revoke them, and have cluster-info made again on a control-plane node: groundplane init phase bootstrap-token',
      },
    );
  }
  const cluster = clusterOf(kubeconfig);
  if (cluster === undefined) throw invalid('its kubeconfig names no cluster');
  const server = httpsServer(cluster.server ?? '');
  if (server === undefined) {
    throw invalid(`the server in it is no https URL of a host and a port: '${withoutUser(cluster.server ?? '')}'`);
  }
  const bytes = decodeBase64(cluster['certificate-authority-data'] ?? '');
  const certificateAuthority = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  const count = splitCertificates(certificateAuthority).length;
  if (count === 0) throw invalid('it holds no CA certificate');
  if (count > mostCertificates) throw invalid(`it holds more than ${mostCertificates} CA certificates: ${count}`);
  return { server, certificateAuthority };
}

/** Two while a CA is exchanged, some more with those between it and a root. */
const mostCertificates = 64;

/** A CA of which not all is a certificate, said as this package says it. */
export function unreadableAuthority(thrown: unknown): unknown {
  return isGroundplaneError(thrown) && thrown.code === 'PKI_CERTIFICATE_UNREADABLE'
    ? invalid(`its CA is not readable: ${messageOf(thrown)}`)
    : thrown;
}

/** The cluster without name, or else that of the current context (kubeadm: util/kubeconfig). */
export function clusterOf(kubeconfig: Kubeconfig): Cluster | undefined {
  const named = (wanted: string) => kubeconfig.clusters.find(({ name }) => name === wanted)?.cluster;
  const context = kubeconfig.contexts.find(({ name }) => name === kubeconfig['current-context'])?.context;
  return named('') ?? (context === undefined ? undefined : named(context.cluster));
}

/** What a parser of URLs leaves out or takes for something else. */
const strange = /[\s\u0000-\u001f\u007f\\]/;

/** The same text if it is a URL of scheme https with a host that can be asked, and without a user. */
export function httpsServer(server: string): string | undefined {
  if (!/^https:\/\/[^/]/i.test(server) || strange.test(server) || !URL.canParse(server)) return undefined;
  const [, authority = ''] = /^https:\/\/([^/?#]*)/i.exec(server) ?? [];
  return authority.includes('@') || new URL(server).port === '0' ? undefined : server;
}

/** A text for a message, without the user and the password that it may hold. */
export function withoutUser(server: string): string {
  return server.replace(/\/\/[^/?#]*@/, '//…@');
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === undefined || value === '' || value === false;
}

function invalid(why: string) {
  return discoveryError('DISCOVERY_CLUSTER_INFO_INVALID', `Cannot use cluster-info as ${why}`, {
    hint: 'Have it made again on a control-plane node: groundplane init phase bootstrap-token',
  });
}
