import {
  kubernetesVersions,
  readInitConfiguration,
  readStoredConfiguration,
  type StoredConfiguration,
  type StoredDocuments,
} from '@groundplane/config';
import { type Finding, messageOf } from '@groundplane/errors';
import { parseKubeletConfig } from '@groundplane/kubelet';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import type { Cluster, Layout, SuppliedPorts } from '@groundplane/phases';
import { type ConfigurationByManifests, configurationByManifests } from './configuration-by-manifests.ts';
import type { InitContext } from './init-context.ts';
import { kubeletConfigText, nameInKubeletConf, podInManifest, serverInKubeconfig, silently } from './node-facts.ts';
import { readText } from './read-text.ts';
import { resolveInit } from './resolve-init.ts';
import { kubeletsCriSocket } from './resolve-reset.ts';
import { storedSettingsText } from './stored-settings.ts';
import { usualLayout } from './usual-layout.ts';

/** What a look at a node goes by, most reliable first; `defaults` says that nothing on the node tells. */
export type ConfigurationSource = 'file' | 'cluster' | 'node' | 'defaults';

export interface NodeConfiguration {
  readonly context: InitContext;
  readonly source: ConfigurationSource;
  readonly warnings: readonly Finding[];
}

export interface NodeConfigurationRequest {
  readonly ports: SuppliedPorts;
  /** Text of the file given by `--config`. */
  readonly configText?: string | undefined;
  /** @default '/' */
  readonly workingDirectory?: string;
}

/** How long the API server is given, in milliseconds: a look has to work without. */
const patienceMs = 2_000;

/** A command that asks the machine for little: the socket is that of the kubelet. */
const command = 'init phase mark-control-plane';

/**
 * Finds the configuration by which a control-plane node is judged: the given one; or else that which the cluster keeps; without an
 * answer what the manifests on the node say; without those the defaults. Where the configuration is found and not given, everything
 * that nobody can know any more is left open: tokens, taints, patches, proxies of another time.
 *
 * @throws GroundplaneError of kind usage for a given configuration that cannot be used
 */
export async function nodeConfiguration(request: NodeConfigurationRequest): Promise<NodeConfiguration> {
  const { ports, configText, workingDirectory = '/' } = request;
  const { host } = ports;
  const { kubernetes, kubelet } = usualLayout;
  const pem = `${kubelet}/pki/kubelet-client-current.pem`;
  const [name, criSocket] = await Promise.all([
    nameInKubeletConf(host, { kubeconfig: `${kubernetes}/kubelet.conf`, pem }),
    kubeletsCriSocket(host),
  ]);
  if (configText !== undefined) {
    const read = readInitConfiguration(configText);
    const { context, warnings } = await resolveInit({
      configText,
      read,
      ports,
      command,
      workingDirectory,
      looksOnly: true,
    });
    const given = {
      ...context.init,
      bootstrapTokens: context.init.bootstrapTokens.filter((_, index) => context.tokenIsGenerated?.[index] !== true),
    };
    return { context: open({ ...context, init: withSocket(given, criSocket) }), source: 'file', warnings };
  }
  const manifests = await readManifests(ports, usualLayout);
  const stored = await storedInCluster(ports);
  const found = stored ?? byManifests(manifests, await kubeletConfigText(host, `${kubelet}/config.yaml`));
  const { context, warnings } = await defaults(ports, { manifests, name });
  const init = withSocket({ ...context.init, bootstrapTokens: [] }, criSocket);
  if (found === undefined) return { context: open({ ...context, init }), source: 'defaults', warnings };
  const { warnings: findings, init: _, ...documents } = found;
  const registration = { ...init.nodeRegistration, taints: [] };
  return {
    context: open({
      ...context,
      ...documents,
      init: { ...init, nodeRegistration: registration },
      kubeletIsUserSupplied: true,
      kubeProxyIsUserSupplied: true,
      tokenIsGenerated: [],
    }),
    source: stored === undefined ? 'node' : 'cluster',
    warnings: findings,
  };
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

async function readManifests(
  { host }: SuppliedPorts,
  { kubernetes, kubelet }: Layout,
): Promise<ConfigurationByManifests | undefined> {
  const pod = (component: string) => podInManifest(host, `${kubernetes}/manifests/${component}.yaml`);
  const [apiserver, controllerManager, etcd, server, kubeletText] = await Promise.all([
    pod('kube-apiserver'),
    pod('kube-controller-manager'),
    pod('etcd'),
    serverInKubeconfig(host, `${kubernetes}/admin.conf`),
    kubeletConfigText(host, `${kubelet}/config.yaml`),
  ]);
  const dnsDomain = kubeletText === undefined ? undefined : parseKubeletConfig(kubeletText).clusterDomain;
  return configurationByManifests(
    { apiserver, controllerManager, etcd },
    { server, dnsDomain: typeof dnsDomain === 'string' ? dnsDomain : undefined },
  );
}

function byManifests(
  manifests: ConfigurationByManifests | undefined,
  kubelet: string | undefined,
): StoredConfiguration | undefined {
  if (manifests === undefined) return undefined;
  const empty = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
  return readable({ cluster: manifests.cluster, kubelet: kubelet ?? empty });
}

/** The configuration that the cluster keeps, if this user can ask and it answers soon. */
async function storedInCluster(ports: SuppliedPorts): Promise<StoredConfiguration | undefined> {
  const kubeconfig = await adminsOrKubelets(ports);
  if (kubeconfig === undefined) return undefined;
  return silently(async () => {
    const cluster = await ports.clusters.connect({ kubeconfig, timeoutMs: patienceMs });
    const { status } = await cluster.probe('/version', { timeoutMs: patienceMs });
    if (status === undefined) return undefined;
    const [clusterText, kubelet, groundplane, kubeProxy] = await Promise.all([
      dataOf(cluster, 'kubeadm-config', 'ClusterConfiguration'),
      dataOf(cluster, 'kubelet-config', 'kubelet'),
      storedSettingsText(cluster),
      silently(() => dataOf(cluster, 'kube-proxy', 'config.conf')),
    ]);
    if (clusterText === undefined || kubelet === undefined) return undefined;
    const stored = readable({ cluster: clusterText, kubelet, groundplane });
    const proxy = kubeProxy === undefined ? undefined : parseYaml(kubeProxy);
    return stored && { ...stored, ...(proxy ? { kubeProxy: proxy as StoredConfiguration['kubeProxy'] } : {}) };
  });
}

async function adminsOrKubelets({ host }: SuppliedPorts): Promise<string | undefined> {
  for (const name of ['admin.conf', 'kubelet.conf']) {
    const text = await silently(() => readText(host, `${usualLayout.kubernetes}/${name}`));
    if (text !== undefined) return text;
  }
  return undefined;
}

async function dataOf(cluster: Cluster, name: string, key: string): Promise<string | undefined> {
  const object = await cluster.get({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name });
  return (object?.data as Readonly<Record<string, string>> | undefined)?.[key];
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
