import {
  type JoinConfiguration,
  readJoinConfiguration,
  readStoredConfiguration,
  resolveJoinConfiguration,
} from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import { effectiveNodeName, parseKubeletConfig } from '@groundplane/kubelet';
import type { Host, SuppliedPorts } from '@groundplane/phases';
import type { ClusterOfJoin } from './cluster-for-join.ts';
import { clientAuthorityOf } from './configuration-by-manifests.ts';
import { anyCluster, anyKubelet } from './default-documents.ts';
import { type JoinContext, joinContextOf } from './join-context.ts';
import { leftByJoin } from './left-by-join.ts';
import { machineFacts } from './machine-facts.ts';
import type { ConfigurationSource, NodeConfigurationRequest } from './node-configuration.ts';
import { nameInKubeletConf, silently } from './node-facts.ts';
import { kubeletConfFiles } from './placed-kubelet-conf.ts';
import { readText } from './read-text.ts';
import { kubeletsCriSocket } from './resolve-reset.ts';
import { usualLayout } from './usual-layout.ts';

const command = 'join phase kubelet-wait-bootstrap';

export interface JoinedNodeConfiguration {
  readonly context: JoinContext;
  readonly source: ConfigurationSource;
  readonly warnings: readonly Finding[];
  /** Whether nothing tells where the CA of the cluster is. */
  readonly authorityIsAssumed: boolean;
}

/**
 * Finds the configuration by which a worker is judged, without a word to its cluster: what the kubelet was given says which one that is.
 *
 * @throws GroundplaneError of kind usage for a given configuration that cannot be used
 */
export async function joinedNodeConfiguration({
  ports,
  configText,
}: NodeConfigurationRequest): Promise<JoinedNodeConfiguration> {
  const { host } = ports;
  const { facts } = host;
  const { kubernetes, kubelet } = usualLayout;
  const read = readJoinConfiguration(configText, { requireDiscovery: false });
  const [hostName, machine, registered, criSocket, authorityPath] = await Promise.all([
    facts.hostName(),
    machineFacts(host, { command, looksOnly: true }),
    nameInKubeletConf(host, {
      kubeconfig: `${kubernetes}/kubelet.conf`,
      pem: `${kubelet}/pki/kubelet-client-current.pem`,
    }),
    kubeletsCriSocket(host),
    authorityOfKubelet(host, `${kubelet}/config.yaml`),
  ]);
  const { configuration, warnings } = resolveJoinConfiguration(
    read,
    { hostName, criSockets: [], addresses: { ipv4: [], ipv6: [], loopback: [] } },
    { detectCriSocket: false, requireDiscovery: false },
  );
  const join =
    configText === undefined ? asRegistered(configuration, { registered, criSocket, authorityPath }) : configuration;
  const left = await silently(() => leftByJoin(join, ports));
  const cluster = left ?? (await nothingLeft(join, ports));
  const found = joinContextOf(join, {
    cluster,
    groundplane: read.groundplane,
    machine: { ...machine, hostName: hostName.trim().toLowerCase() },
    patches: [],
    ignorePreflightErrors: [],
  });
  const context = { ...found, kubeletConfFiles: await kubeletConfFiles(found, host) };
  const source = configText !== undefined ? 'file' : left === undefined ? 'defaults' : 'node';
  const authorityIsAssumed = configText === undefined && authorityPath === undefined;
  return { context, source, warnings: [...warnings, ...cluster.findings], authorityIsAssumed };
}

/** The name of the node is the one that it has, and its CA is where the kubelet has it. */
function asRegistered(
  join: JoinConfiguration,
  {
    registered,
    criSocket,
    authorityPath,
  }: {
    readonly registered: string | undefined;
    readonly criSocket: string;
    readonly authorityPath: string | undefined;
  },
): JoinConfiguration {
  const { nodeRegistration, caCertPath } = join;
  const name = registered ?? effectiveNodeName(nodeRegistration.name, nodeRegistration.kubeletExtraArgs);
  return {
    ...join,
    caCertPath: authorityPath ?? caCertPath,
    nodeRegistration: { ...nodeRegistration, name, ...(criSocket === '' ? {} : { criSocket }) },
  };
}

async function authorityOfKubelet(host: Host, path: string): Promise<string | undefined> {
  return silently(async () => {
    const text = await readText(host, path);
    return text === undefined ? undefined : clientAuthorityOf({ ...parseKubeletConfig(text) });
  });
}

/** Without the files of the kubelet nothing tells which cluster it is. */
async function nothingLeft({ caCertPath }: JoinConfiguration, { host }: SuppliedPorts): Promise<ClusterOfJoin> {
  return {
    server: '',
    certificateAuthority: (await silently(() => readText(host, caCertPath))) ?? '',
    bootstrapKubeconfig: '',
    stored: readStoredConfiguration({ cluster: anyCluster, kubelet: anyKubelet }),
    findings: [],
  };
}
