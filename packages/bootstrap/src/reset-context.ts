import type { GroundplaneConfiguration, ResetConfiguration } from '@groundplane/config';
import type { Layout } from '@groundplane/phases';
import type { EtcdReset } from './etcd-reset.ts';

/** Everything that the phases of reset depend on: resolved once, plain data. */
export interface ResetContext {
  readonly reset: ResetConfiguration;
  /** Our own settings, by the file or else by the cluster; absent where nobody gave any. */
  readonly groundplane?: GroundplaneConfiguration;
  /** True if the user agreed, be it by --force. */
  readonly confirmed: boolean;
  /** The name of the Node as far as it is known, else the host's. */
  readonly nodeName: string;
  /** Folders that are links are named by what they lead to: what is mounted is listed by that name. */
  readonly directories: {
    readonly kubernetes: string;
    readonly pki: string;
    readonly kubelet: string;
    readonly manifests: string;
    readonly temporary: string;
  };
  readonly etcd: EtcdReset;
}

/** kubeadm resets this folder, wherever other commands were told to put kubeconfig files (constants.go). */
export const kubernetesDirectory = '/etc/kubernetes';

export function resetLayoutOf({ directories, etcd, nodeName }: ResetContext): Layout {
  return {
    kubernetes: directories.kubernetes,
    pki: directories.pki,
    kubelet: directories.kubelet,
    etcdData: etcd.dataDirectory,
    nodeName,
  };
}
