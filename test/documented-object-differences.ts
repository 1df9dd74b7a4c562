import type { DocumentedDifference } from './object-differences.ts';

/** Where the objects of a cluster of ours are not those of kubeadm's, on purpose. */
export const documentedDifferences: readonly DocumentedDifference[] = [
  {
    object:
      /^ServiceAccount\/kube-system\/(cloud-provider|route-controller|selinux-warning-controller|service-controller)$/,
    field: /^$/,
    reason:
      'the service accounts that Kubernetes’ own bindings for controllers speak of are made before the controllers start; kube-controller-manager makes those of running controllers only',
  },
];
