import { execFileSync } from 'node:child_process';
import { componentPath } from '@groundplane/testbed';

/** A machine's KubeadmConfig as Cluster API has it (bootstrap.cluster.x-k8s.io/v1beta2, `spec`). */
export interface KubeadmConfigSpec {
  readonly initConfiguration?: object;
  readonly joinConfiguration?: object;
  readonly files?: readonly object[];
  readonly preKubeadmCommands?: readonly string[];
  readonly postKubeadmCommands?: readonly string[];
  readonly verbosity?: number;
}

export interface ClusterApiRequest {
  readonly role: 'init' | 'worker';
  /** With `v`. */
  readonly kubernetesVersion: string;
  readonly clusterName: string;
  /** Cluster API's Cluster (cluster.x-k8s.io/v1beta2, `spec`). */
  readonly cluster: {
    readonly controlPlaneEndpoint: { readonly host: string; readonly port: number };
    readonly clusterNetwork?: { readonly pods?: { readonly cidrBlocks: readonly string[] } };
  };
  readonly config: KubeadmConfigSpec;
  /** For a worker: PEM of the cluster's CA, and a bootstrap token of the cluster. */
  readonly caCertificate?: string;
  readonly bootstrapToken?: string;
}

/**
 * The user data that Cluster API's own code makes of this. That of the first control plane brings authorities that were
 * made for it.
 *
 * @throws Error with what the renderer said, or if it has not been built
 */
export function clusterApiUserData(request: ClusterApiRequest): string {
  return execFileSync(componentPath('cloud-init-renderer'), {
    input: JSON.stringify(request),
    encoding: 'utf8',
  });
}
