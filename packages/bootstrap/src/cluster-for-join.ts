import type { JoinConfiguration, StoredConfiguration } from '@groundplane/config';
import { goDurationMilliseconds } from '@groundplane/config';
import { type Discovered, type DiscoveryProgress, discover, type HttpsGet } from '@groundplane/discovery';
import type { Finding } from '@groundplane/errors';
import { type Kubeconfig, parseKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { effectiveNodeName } from '@groundplane/kubelet';
import type { SuppliedPorts } from '@groundplane/phases';
import type { JoinContext } from './join-context.ts';
import {
  type JoinedClusterRequest,
  readJoinedConfiguration,
  readRegisteredNode,
  thisMachine,
} from './read-joined-cluster.ts';

/** The part of a context that says which cluster it is. */
export interface ClusterOfJoin
  extends Pick<JoinContext, 'server' | 'certificateAuthority' | 'bootstrapKubeconfig' | 'registeredNode'> {
  readonly stored: StoredConfiguration;
  /** Warnings. */
  readonly findings: readonly Finding[];
}

export interface ClusterForJoinRequest {
  readonly ports: SuppliedPorts;
  readonly fetch: HttpsGet;
  /** Text of a local file; undefined if there is none. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  /** Whether it matters who has the name of the node. */
  readonly asksForNode: boolean;
  readonly progress: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How long a request may be repeated without a word, in milliseconds; one request is given as long at most. */
const longestSilenceMs = 10_000;

/** Discovers the cluster, and reads what it keeps for those who join. */
export async function clusterForJoin(join: JoinConfiguration, request: ClusterForJoinRequest): Promise<ClusterOfJoin> {
  const { ports, fetch, readFile, progress, signal } = request;
  const { clock, clusters } = ports;
  const discovered = await discover({
    discovery: join.discovery,
    timeoutMs: goDurationMilliseconds(join.timeouts.discovery ?? '5m'),
    fetch,
    clock,
    readFile,
    connect: (options) => clusters.connect(options),
    onProgress: (awaited) => progress(textOf(awaited)),
    signal,
  });
  const { server, certificateAuthority } = discovered;
  const timeoutMs = goDurationMilliseconds(join.timeouts.kubernetesAPICall ?? '1m');
  const cluster = await clusters.connect({
    kubeconfig: discovered.kubeconfig,
    timeoutMs: Math.min(timeoutMs, longestSilenceMs),
  });
  const identity = identityOf(join);
  const reading: JoinedClusterRequest = { cluster, server, identity, clock, timeoutMs, progress, signal };
  const { name, kubeletExtraArgs } = join.nodeRegistration;
  const nodeName = effectiveNodeName(name, kubeletExtraArgs);
  const [stored, registeredNode] = await Promise.all([
    readJoinedConfiguration(reading),
    request.asksForNode ? readRegisteredNode(nodeName, await thisMachine(ports.host), reading) : undefined,
  ]);
  return {
    server,
    certificateAuthority,
    bootstrapKubeconfig: kubeconfigNamed(stored.cluster.clusterName, discovered),
    ...(registeredNode === undefined ? {} : { registeredNode }),
    stored,
    findings: discovered.findings,
  };
}

function textOf({ waitingFor, reason, pauseMs, attempts }: DiscoveryProgress): string {
  return `Waiting for ${waitingFor}: ${reason} (attempt ${attempts}, the next in ${(pauseMs / 1000).toFixed(1)} s)`;
}

/** As whom the cluster is asked, for people. The id of a token is no secret. */
function identityOf({ discovery }: JoinConfiguration): string {
  const [id] = discovery.tlsBootstrapToken.split('.');
  return id ? `the bootstrap token ${id}` : `the credentials of ${discovery.file?.kubeConfigPath}`;
}

/** The current context alone, with the cluster under its own name (kubeadm: cmd/join.go, fetchInitConfigurationFromJoinConfiguration). */
function kubeconfigNamed(clusterName: string, { kubeconfig }: Discovered): string {
  const found = parseKubeconfig(kubeconfig);
  const current = found.contexts.find(({ name }) => name === found['current-context']);
  const cluster = found.clusters.find(({ name }) => name === current?.context.cluster);
  const named: Kubeconfig = {
    ...found,
    clusters: cluster === undefined ? [] : [{ name: clusterName, cluster: cluster.cluster }],
    contexts: current === undefined ? [] : [{ ...current, context: { ...current.context, cluster: clusterName } }],
    users: found.users.filter(({ name }) => name === current?.context.user),
  };
  return stringifyKubeconfig(named);
}
