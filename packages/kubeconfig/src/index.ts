export { type ConnectionRequirement, connectionRequirements } from './connection-requirements.ts';
export { type CurrentContext, type CurrentSections, currentContextOf, currentSectionsOf } from './current-context.ts';
export {
  controlPlaneEndpointUrl,
  type HostPort,
  type LocalApiEndpoint,
  localEndpoint,
  parseHostPort,
} from './endpoint.ts';
export { type KubeconfigFindingCode, kubeconfigErrorCodes, kubeconfigFindingCodes } from './error-codes.ts';
export {
  buildKubeconfig,
  type Cluster,
  type Context,
  type Kubeconfig,
  type KubeconfigParts,
  parseKubeconfig,
  stringifyKubeconfig,
  type User,
} from './kubeconfig.ts';
export {
  type KubeconfigFacts,
  type KubeconfigName,
  type KubeconfigRow,
  kubeconfigOf,
  kubeconfigRow,
  kubeconfigTable,
  serverOf,
  tlsBootstrapUser,
} from './kubeconfig-table.ts';
export { type KubeconfigToVerify, verifyConnection, verifyKubeconfig } from './verify-kubeconfig.ts';
