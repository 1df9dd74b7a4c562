import { kubernetesClusters } from '@groundplane/cluster';
import { systemClock } from '@groundplane/host';
import { type Cluster, delegatingCluster } from '@groundplane/phases';
import type { Invocation } from '../invocation.ts';
import { type NodeHost, nodeHost } from '../node-host.ts';
import { type LoadedKubeconfig, loadKubeconfig } from './kubeconfig-files.ts';
import { findKubeconfig } from './kubeconfig-search.ts';

/** The cluster that a command about tokens is about. */
export interface TokenCluster {
  readonly node: NodeHost;
  readonly kubeconfig: LoadedKubeconfig;
  readonly cluster: Cluster;
}

/**
 * Connects to the cluster; with `--dry-run` what would change it is only told.
 *
 * @param timeoutMs how long a request goes on retrying passing faults
 * @throws GroundplaneError of {@link findKubeconfig}, {@link loadKubeconfig} and the connection
 */
export async function tokenCluster(invocation: Invocation, timeoutMs: number): Promise<TokenCluster> {
  const node = await nodeHost(invocation);
  const kubeconfig = await loadKubeconfig(await findKubeconfig(invocation, node), node);
  const clusters = kubernetesClusters({ clock: systemClock() });
  const cluster = await clusters.connect({ kubeconfig: kubeconfig.text, timeoutMs });
  const isDryRun = invocation.flags['dry-run'] === true;
  return { node, kubeconfig, cluster: isDryRun ? unchanged(cluster, invocation) : cluster };
}

/** Reads are real, and what would be written is told on stderr, as stdout is for the result. */
function unchanged(cluster: Cluster, { output }: Invocation): Cluster {
  const tell = (what: string) => output.stderr(`[dryrun] Would ${what}\n`);
  return {
    ...delegatingCluster(cluster),
    async create(object) {
      const { name, namespace } = object.metadata;
      tell(`create the ${object.kind} ${namespace}/${name}`);
      return object;
    },
    async delete({ kind, namespace, name }) {
      tell(`delete the ${kind} ${namespace}/${name}`);
    },
  };
}
