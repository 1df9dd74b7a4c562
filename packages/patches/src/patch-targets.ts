/** How a target is patched. */
export interface PatchTargetRow {
  /** Type of the document, by which a strategic merge patch knows what lists are merged. */
  readonly kind: 'Pod' | 'KubeletConfiguration' | 'Deployment' | 'DaemonSet';
  readonly apiVersion: string;
  /**
   * True: what a patch leaves is read as an object of the kind, so that unknown fields vanish and wrong types are errors. The
   * configuration of the kubelet is written as it is; the kubelet judges it.
   */
  readonly isDecoded: boolean;
}

const pod = { kind: 'Pod', apiVersion: 'v1', isDecoded: true } as const;

/** What can be patched, in the order in which file names are matched (kubeadm: util/patches/patches.go). */
export const patchTargets = {
  etcd: pod,
  'kube-apiserver': pod,
  'kube-controller-manager': pod,
  'kube-scheduler': pod,
  kubeletconfiguration: {
    kind: 'KubeletConfiguration',
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    isDecoded: false,
  },
  corednsdeployment: { kind: 'Deployment', apiVersion: 'apps/v1', isDecoded: true },
  kubeproxydaemonset: { kind: 'DaemonSet', apiVersion: 'apps/v1', isDecoded: true },
} as const satisfies Readonly<Record<string, PatchTargetRow>>;

export type PatchTarget = keyof typeof patchTargets;
