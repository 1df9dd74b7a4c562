import {
  kubernetesVersions,
  readStoredConfiguration,
  type StoredConfiguration,
  type StoredDocuments,
} from '@groundplane/config';
import { type Finding, messageOf } from '@groundplane/errors';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import type { Cluster, SuppliedPorts } from '@groundplane/phases';
import {
  type ConfigurationByManifests,
  configurationByManifests,
  everythingAssumed,
  type Fact,
} from './configuration-by-manifests.ts';
import { anyCluster, anyKubelet } from './default-documents.ts';
import type { InitContext } from './init-context.ts';
import { type ReadNode, readNode } from './node-artifacts.ts';
import { kubeconfigOfNode, nameInKubeletConf, patienceMs, silently } from './node-facts.ts';
import { resolveInit } from './resolve-init.ts';
import { kubeletsCriSocket } from './resolve-reset.ts';
import { storedSettings } from './stored-settings.ts';
import { textIn } from './text-in.ts';
import { usualLayout } from './usual-layout.ts';

/** What a look at a node goes by, most reliable first; `defaults` says that nothing on the node tells. */
export type ConfigurationSource = 'file' | 'cluster' | 'node' | 'defaults';

export interface NodeConfiguration {
  readonly context: InitContext;
  readonly source: ConfigurationSource;
  readonly warnings: readonly Finding[];
  /** What had to be assumed, as nothing on the node or in the cluster tells. */
  readonly assumed: ReadonlySet<Fact>;
  /** What the node was seen to hold; absent where the configuration was given. */
  readonly node?: ReadNode;
  /** Whether the API server answered. */
  readonly answers: boolean;
}

export interface NodeConfigurationRequest {
  readonly ports: SuppliedPorts;
  /** Text of the file given by `--config`. */
  readonly configText?: string | undefined;
  /** @default '/' */
  readonly workingDirectory?: string;
  /** Text of the kubeconfig with which the cluster is asked. @default that of the node */
  readonly kubeconfig?: string | undefined;
}

/** A command that asks the machine for little: the socket is that of the kubelet. */
const command = 'init phase mark-control-plane';

/**
 * Finds the configuration by which a control-plane node is judged: the given one; or else that which the cluster keeps; without an
 * answer what the manifests, kubeconfigs and the kubelet's configuration on the node say, each by itself; without those the defaults. Where the configuration is found and not given, everything
 * that nobody can know any more is left open: tokens, taints, patches, proxies of another time.
 *
 * @throws GroundplaneError of kind usage for a given configuration that cannot be used
 */
export async function nodeConfiguration(request: NodeConfigurationRequest): Promise<NodeConfiguration> {
  const { ports, configText, workingDirectory = '/' } = request;
  const { host } = ports;
  const criSocket = await kubeletsCriSocket(host);
  if (configText !== undefined) {
    const { context, warnings } = await resolveInit({ configText, ports, command, workingDirectory, looksOnly: true });
    const given = {
      ...context.init,
      bootstrapTokens: context.init.bootstrapTokens.filter((_, index) => context.tokenIsGenerated?.[index] !== true),
    };
    return {
      context: open({ ...context, init: withSocket(given, criSocket) }),
      source: 'file',
      warnings,
      assumed: new Set(),
      answers: false,
    };
  }
  const { kubernetes, kubelet } = usualLayout;
  const pem = `${kubelet}/pki/kubelet-client-current.pem`;
  const [name, node] = await Promise.all([
    nameInKubeletConf(host, { kubeconfig: `${kubernetes}/kubelet.conf`, pem }),
    readNode(host),
  ]);
  const manifests = configurationByManifests(node.artifacts);
  const stored = await storedInCluster(ports, request.kubeconfig);
  const found = byDocuments(stored, { manifests, kubelet: node.kubeletText });
  const { context, warnings } = await defaults(ports, { manifests, name });
  const init = withSocket({ ...context.init, bootstrapTokens: [] }, criSocket);
  const groundplane = found?.groundplane ?? stored.groundplane;
  const settings = groundplane === undefined ? {} : { groundplane };
  const told = { node, answers: stored.answers };
  const assumed = assumedFacts(manifests?.assumed ?? everythingAssumed, node);
  if (found === undefined)
    return { context: open({ ...context, ...settings, init }), source: 'defaults', warnings, assumed, ...told };
  const { warnings: findings, init: _, ...documents } = found;
  const registration = { ...init.nodeRegistration, taints: [] };
  const isStored = stored.cluster !== undefined;
  return {
    context: open({
      ...context,
      ...documents,
      ...settings,
      ...(stored.kubeProxy === undefined ? {} : { kubeProxy: stored.kubeProxy }),
      init: { ...init, nodeRegistration: registration },
      kubeletIsUserSupplied: true,
      kubeProxyIsUserSupplied: true,
      tokenIsGenerated: [],
    }),
    source: isStored ? 'cluster' : 'node',
    warnings: findings,
    assumed: isStored ? new Set() : assumed,
    ...told,
  };
}

/** What is found where the defaults would have it is no assumption. */
function assumedFacts(
  assumed: ReadonlySet<Fact>,
  { isUsualPki, hasEtcdAuthority, artifacts }: ReadNode,
): ReadonlySet<Fact> {
  const { apiserver, controllerManager, scheduler, etcd, kubelet } = artifacts;
  // Where nothing has ever run there is no data either.
  const isFresh = [apiserver, controllerManager, scheduler, etcd, kubelet].every((one) => one === undefined);
  const pki = !assumed.has('certificatesDir') || isUsualPki;
  const found: Readonly<Record<Fact, boolean>> = {
    certificatesDir: isUsualPki,
    etcd: pki && hasEtcdAuthority,
    dataDir: isFresh && pki && isUsualPki,
    names: false,
    version: false,
  };
  return new Set([...assumed].filter((fact) => !found[fact]));
}

/** Proxies of this process are none of what the node was made with. */
function open(context: InitContext): InitContext {
  return { ...context, machine: { ...context.machine, proxyEnvironment: [] } };
}

function withSocket(init: InitContext['init'], criSocket: string): InitContext['init'] {
  return criSocket === '' ? init : { ...init, nodeRegistration: { ...init.nodeRegistration, criSocket } };
}

/** Stands for the address of a machine that has none to announce (RFC 5737). */
const noAddress = '192.0.2.1';

/** The defaults on this machine; what is known is given, so that nothing about it has to be found out. */
async function defaults(
  ports: SuppliedPorts,
  { manifests, name }: { readonly manifests: ConfigurationByManifests | undefined; readonly name: string | undefined },
) {
  const resolve = (advertiseAddress: string | undefined) => {
    const { bindPort } = manifests ?? {};
    const document = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      localAPIEndpoint: {
        ...(advertiseAddress === undefined ? {} : { advertiseAddress }),
        ...(bindPort === undefined ? {} : { bindPort }),
      },
      ...(name === undefined ? {} : { nodeRegistration: { name } }),
    };
    const cluster = {
      apiVersion: document.apiVersion,
      kind: 'ClusterConfiguration',
      kubernetesVersion: kubernetesVersions.newest,
    };
    const configText = `${stringifyYaml(cluster)}---\n${stringifyYaml(document)}`;
    return resolveInit({ configText, ports, command, looksOnly: true });
  };
  const known = manifests?.advertiseAddress;
  return known === undefined ? resolve(undefined).catch(() => resolve(noAddress)) : resolve(known);
}

interface StoredTexts {
  /** Whether the API server answers. */
  readonly answers: boolean;
  readonly cluster?: string | undefined;
  readonly kubelet?: string | undefined;
  readonly groundplane?: StoredConfiguration['groundplane'] | undefined;
  readonly kubeProxy?: StoredConfiguration['kubeProxy'] | undefined;
}

/** Each document counts by itself: what the cluster does not keep is told by the node. */
function byDocuments(
  { cluster, kubelet: storedKubelet }: StoredTexts,
  {
    manifests,
    kubelet,
  }: { readonly manifests: ConfigurationByManifests | undefined; readonly kubelet: string | undefined },
): StoredConfiguration | undefined {
  const text = cluster ?? manifests?.cluster;
  return text === undefined
    ? undefined
    : readable({ cluster: text, kubelet: storedKubelet ?? usable({ kubelet }) ?? anyKubelet });
}

/** The documents that the cluster keeps and that can be used, if this user can ask and it answers soon. */
async function storedInCluster(ports: SuppliedPorts, given: string | undefined): Promise<StoredTexts> {
  const kubeconfig = given ?? (await kubeconfigOfNode(ports.host));
  const cluster = kubeconfig && (await silently(() => ports.clusters.connect({ kubeconfig, timeoutMs: patienceMs })));
  if (!cluster) return { answers: false };
  const answer = await silently(() => cluster.probe('/version', { timeoutMs: patienceMs }));
  if (answer?.status === undefined) return { answers: false };
  const [clusterText, kubelet, settings, kubeProxy] = await Promise.all([
    silently(() => dataOf(cluster, 'kubeadm-config', 'ClusterConfiguration')),
    silently(() => dataOf(cluster, 'kubelet-config', 'kubelet')),
    silently(() => storedSettings(cluster)),
    silently(async () => {
      const text = await dataOf(cluster, 'kube-proxy', 'config.conf');
      return text === undefined ? undefined : (parseYaml(text) as StoredConfiguration['kubeProxy'] | null);
    }),
  ]);
  return {
    answers: true,
    cluster: usable({ cluster: clusterText }),
    kubelet: usable({ kubelet }),
    groundplane: settings?.groundplane,
    kubeProxy: kubeProxy ?? undefined,
  };
}

/** The text of a document, if it can be used. */
function usable(one: Partial<Record<'cluster' | 'kubelet', string | undefined>>): string | undefined {
  const { cluster = anyCluster, kubelet = anyKubelet } = one;
  return readable({ cluster, kubelet }) && (one.cluster ?? one.kubelet);
}

async function dataOf(cluster: Cluster, name: string, key: string): Promise<string | undefined> {
  return textIn(await cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name }), key);
}

/** What cannot be used says nothing; there may be something else to go by. */
function readable(documents: StoredDocuments): StoredConfiguration | undefined {
  try {
    return readStoredConfiguration(documents);
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new TypeError(messageOf(thrown), { cause: thrown });
    return undefined;
  }
}
