import type { DocumentedDifference } from './object-differences.ts';

/** Where the objects of a cluster of ours are not those of kubeadm's, on purpose. */
export const documentedDifferences: readonly DocumentedDifference[] = [];
