import type { DocumentedDifference } from './object-differences.ts';

/** Where the objects of a cluster of ours are not those of kubeadm's, on purpose. */
export const documentedDifferences: readonly DocumentedDifference[] = [
  {
    object: /^(?:Deployment|ReplicaSet|Pod)\/kube-system\/coredns\b/,
    field: /^spec\.(?:template\.spec\.)?containers\[0\]\.env$/,
    reason: 'address of the API server for CoreDNS',
  },
];
