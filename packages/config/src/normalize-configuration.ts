import type { Finding } from '@groundplane/errors';
import { clusterConfiguration } from './cluster-configuration-schema.ts';
import type {
  ApiEndpoint,
  ClusterConfiguration,
  Etcd,
  InitConfiguration,
  NodeRegistration,
} from './configuration-types.ts';
import { decodeDocument } from './decode-document.ts';
import { problemFinding } from './findings.ts';
import { parseHostPort } from './host-port.ts';
import { formatIpAddress, joinHostPort, parseIpAddress } from './ip-address.ts';
import { compareKubernetesVersions, kubernetesVersions, parseRequestedVersion } from './kubernetes-version.ts';

export interface NormalizedDocuments {
  readonly init: InitConfiguration;
  readonly cluster: ClusterConfiguration;
  readonly findings: readonly Finding[];
}

/**
 * Brings given values into their normal form, as far as that needs nothing of the host: node name, CRI socket URL,
 * addresses, SANs, endpoint port, version, and the defaults that depend on other fields.
 *
 * @param nodeName from the command line, or empty; wins over the file
 */
export function normalizeInitDocuments(
  documents: { readonly init: InitConfiguration; readonly cluster: ClusterConfiguration },
  nodeName: string,
): NormalizedDocuments {
  const findings: Finding[] = [];
  const init = normalizeInit(documents.init, nodeName, findings);
  return { init, cluster: normalizeCluster(documents.cluster, init, findings), findings };
}

/** A node name as kubeadm takes it: without surrounding blanks, in lower case. */
export function normalNodeName(name: string): string {
  return name.trim().toLowerCase();
}

function normalizeInit(init: InitConfiguration, nodeName: string, findings: Finding[]): InitConfiguration {
  return {
    ...init,
    nodeRegistration: normalizeNodeRegistration(init.nodeRegistration, nodeName, findings),
    localAPIEndpoint: normalizeApiEndpoint(init.localAPIEndpoint),
  };
}

/** Node name and CRI socket of `init` and `join`. */
export function normalizeNodeRegistration(
  node: NodeRegistration,
  nodeName: string,
  findings: Finding[],
): NodeRegistration {
  const given = nodeName === '' ? node.name : nodeName;
  const name = normalNodeName(given);
  if (given !== '' && name === '') {
    const reason = 'an empty host name is invalid: leave the field out to take the name of the host';
    findings.push(problemFinding({ path: 'nodeRegistration.name', reason, value: given }));
  }
  return { ...node, name, criSocket: normalCriSocket(node.criSocket, 'nodeRegistration.criSocket', findings) };
}

/** An address in its canonical text form; what is none stays for the rules to refuse. */
export function normalizeApiEndpoint(endpoint: ApiEndpoint): ApiEndpoint {
  const address = parseIpAddress(endpoint.advertiseAddress);
  return address === undefined ? endpoint : { ...endpoint, advertiseAddress: formatIpAddress(address) };
}

/** A socket without URL scheme gets `unix://`. */
export function normalCriSocket(socket: string, path: string, findings: Finding[]): string {
  if (socket === '' || socket.startsWith('unix')) return socket;
  const url = `unix://${socket}`;
  findings.push({
    code: 'CONFIG_CRI_SOCKET_SCHEME',
    severity: 'warning',
    artifact: path,
    message: `The CRI socket ${path} has no URL scheme, so 'unix://' is put in front: ${url}`,
    hint: `Write ${url}`,
  });
  return url;
}

function normalizeCluster(
  cluster: ClusterConfiguration,
  init: InitConfiguration,
  findings: Finding[],
): ClusterConfiguration {
  return {
    ...cluster,
    etcd: defaultEtcd(cluster.etcd),
    kubernetesVersion: normalVersion(cluster.kubernetesVersion, findings),
    controlPlaneEndpoint: endpointWithPort(cluster.controlPlaneEndpoint, init.localAPIEndpoint.bindPort),
    apiServer: { ...cluster.apiServer, certSANs: cluster.apiServer.certSANs.map((name) => name.toLowerCase()) },
  };
}

/** Local etcd unless external is given; external HTTP endpoints are the endpoints unless given. */
function defaultEtcd(etcd: Etcd): Etcd {
  if (etcd.external !== undefined) {
    const { external } = etcd;
    const httpEndpoints = external.httpEndpoints.length > 0 ? external.httpEndpoints : external.endpoints;
    return { ...etcd, external: { ...external, httpEndpoints } };
  }
  return etcd.local !== undefined ? etcd : decodeDocument(clusterConfiguration, { etcd: { local: {} } }).value.etcd;
}

function endpointWithPort(endpoint: string, bindPort: number): string {
  const parsed = endpoint === '' ? undefined : parseHostPort(endpoint);
  return parsed === undefined || parsed.port !== '' ? endpoint : joinHostPort(parsed.host, bindPort);
}

/** Adds the `v`; labels and the prefix `ci/` stay until the version is resolved. */
function normalVersion(text: string, findings: Finding[]): string {
  const requested = parseRequestedVersion(text);
  const problem = (reason: string) => findings.push(problemFinding({ path: 'kubernetesVersion', reason, value: text }));
  if (requested === undefined) {
    problem('it is neither a version such as v1.37.2 nor a label such as stable-1');
  } else if (requested.version !== undefined) {
    if (compareKubernetesVersions(requested.version, kubernetesVersions.minimumControlPlane) < 0) {
      problem(`control planes older than ${kubernetesVersions.minimumControlPlane} are not supported`);
    }
    return requested.ci ? `ci/${requested.version}` : requested.version;
  }
  return text;
}
