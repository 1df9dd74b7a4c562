export {
  type BootstrapToken,
  isBootstrapGroup,
  isExpired,
  isToken,
  isTokenId,
  isTokenUsage,
  nodeBootstrapGroup,
  parseToken,
  type TokenParts,
  type TokenUsage,
  tokenText,
  tokenUsages,
} from './bootstrap-token.ts';
export {
  type ClusterInfo,
  type ClusterLocation,
  clusterInfo,
  clusterInfoReference,
  readClusterInfo,
  readClusterLocation,
  signatureKey,
} from './cluster-info.ts';
export { detachedSignature, isSignedBy } from './detached-jws.ts';
export {
  type Discovered,
  type DiscoverOptions,
  type DiscoveryReport,
  type DiscoverySource,
  discover,
} from './discover.ts';
export type {
  ConnectCluster,
  DiscoveryClock,
  HttpsGet,
  HttpsGetOptions,
  HttpsResult,
  HttpsTrust,
  ReadFile,
} from './discovery-ports.ts';
export {
  type DiscoveryErrorCode,
  type DiscoveryFindingCode,
  discoveryErrorCodes,
  discoveryFindingCodes,
} from './error-codes.ts';
export { generateToken } from './generate-token.ts';
export { type JoinCommandFacts, type JoinCommandForm, joinCommand } from './join-command.ts';
export type { DiscoveryProgress } from './keep-trying.ts';
export { parsePins, pinnedCertificates, pinsOf } from './public-key-pins.ts';
export { signClusterInfo } from './sign-cluster-info.ts';
export type { TokenSource } from './token-discovery.ts';
export {
  type NewBootstrapToken,
  readTokenSecret,
  readTokenSecrets,
  tokenSecret,
  tokenSecretName,
  tokenSecretNamespace,
  tokenSecretType,
} from './token-secret.ts';
