export { clusterErrorCodes } from './error-codes.ts';
export { type ConnectOptions, type KubernetesClusters, kubernetesClusters } from './kubernetes-clusters.ts';
export { proxyFor } from './proxy-environment.ts';
