import type { GroundplaneConfiguration } from '@groundplane/config';
import { type Finding, messageOf } from '@groundplane/errors';
import { parseYaml } from '@groundplane/manifest';
import type { Cluster, ClusterObject, SuppliedPorts } from '@groundplane/phases';
import { bootstrapFinding } from './error-codes.ts';
import { patienceMs } from './node-facts.ts';
import { settingsOfNode, storedSettings } from './stored-settings.ts';
import { textIn } from './text-in.ts';

/** What reset wants to know of the cluster; all of it may be unknown. */
export interface ResetClusterFacts {
  readonly stored?: {
    readonly isExternal: boolean;
    readonly dataDirectory?: string;
    readonly certificatesDir?: string;
  };
  /** Our own settings, where the cluster keeps any. */
  readonly groundplane?: GroundplaneConfiguration;
  /** Name of this machine's Node. */
  readonly nodeName?: string;
  readonly otherControlPlanes: readonly string[];
  readonly warnings: readonly Finding[];
}

const controlPlaneLabel = 'node-role.kubernetes.io/control-plane';

/**
 * Asks the cluster for its configuration and for its other control-plane nodes, once and for a short time: a reset has to work without.
 *
 * @param kubeconfig absolute path
 */
export async function resetClusterFacts(kubeconfig: string, ports: SuppliedPorts): Promise<ResetClusterFacts> {
  const nothing = { otherControlPlanes: [], warnings: [] };
  try {
    const content = await ports.host.files.read(kubeconfig);
    // A worker has the kubelet's credentials alone, which may read our settings.
    if (content === undefined) return { ...nothing, ...(await settingsOfNode(ports)) };
    const cluster = await ports.clusters.connect({
      kubeconfig: new TextDecoder().decode(content.bytes),
      timeoutMs: patienceMs,
    });
    const [stored, nodes, settings] = await Promise.all([
      storedConfiguration(cluster),
      controlPlanes(cluster, ports),
      storedSettings(cluster),
    ]);
    return { ...nothing, ...nodes, ...settings, ...(stored === undefined ? {} : { stored }) };
  } catch (thrown) {
    return {
      ...nothing,
      warnings: [
        bootstrapFinding({
          code: 'BOOTSTRAP_CLUSTER_UNREACHABLE',
          severity: 'warning',
          artifact: kubeconfig,
          message: `The reset goes by what is on this machine, as the cluster cannot be asked: ${messageOf(thrown)}`,
        }),
      ],
    };
  }
}

async function storedConfiguration(cluster: Cluster): Promise<ResetClusterFacts['stored']> {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'kubeadm-config' };
  const text = textIn(await cluster.get(reference), 'ClusterConfiguration');
  if (text === undefined) return undefined;
  const document = mapping(parseYaml(text));
  const etcd = mapping(document.etcd);
  const dataDirectory = absolutePath(mapping(etcd.local).dataDir);
  const certificatesDir = absolutePath(document.certificatesDir);
  return {
    isExternal: etcd.external !== undefined && etcd.external !== null,
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
    ...(certificatesDir === undefined ? {} : { certificatesDir }),
  };
}

/** This node is the one of its name, or else the only one with its machine id. */
async function controlPlanes(
  cluster: Cluster,
  { host: { facts } }: SuppliedPorts,
): Promise<Pick<ResetClusterFacts, 'nodeName' | 'otherControlPlanes'>> {
  const [nodes, hostName, machineId] = await Promise.all([
    cluster.list({ apiVersion: 'v1', kind: 'Node' }),
    facts.hostName(),
    facts.machineId(),
  ]);
  const name = hostName.trim().toLowerCase();
  const sameMachine = nodes.filter((node) => machineId !== undefined && machineIdOf(node) === machineId);
  const own =
    nodes.find((node) => node.metadata.name === name) ?? (sameMachine.length === 1 ? sameMachine[0] : undefined);
  const others = nodes.filter((node) => node !== own && node.metadata.labels?.[controlPlaneLabel] !== undefined);
  return {
    otherControlPlanes: others.map((node) => node.metadata.name).toSorted(),
    ...(own === undefined ? {} : { nodeName: own.metadata.name }),
  };
}

function machineIdOf(node: ClusterObject): string | undefined {
  const { nodeInfo } = (node.status ?? {}) as { readonly nodeInfo?: { readonly machineID?: string } };
  return nodeInfo?.machineID;
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function absolutePath(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('/') ? value : undefined;
}
