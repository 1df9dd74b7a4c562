export { chooseAdvertiseAddress, type HostAddresses } from './advertise-address.ts';
export { defaultTokenDescription, type RunOptions } from './apply-flags.ts';
export type {
  BootstrapTokenDiscovery,
  Discovery,
  FileDiscovery,
  JoinConfiguration,
  JoinControlPlane,
  ResetConfiguration,
  UpgradeApply,
  UpgradeConfiguration,
  UpgradeDiff,
  UpgradeNode,
  UpgradePlan,
} from './command-configuration-types.ts';
export { type ConfigMapData, componentConfigHash, componentConfigHashAnnotation } from './component-config-hash.ts';
export {
  clusterConfigurationDocument,
  initConfigurationDocument,
  joinConfigurationDocument,
  resetConfigurationDocument,
  upgradeConfigurationDocument,
} from './configuration-documents.ts';
export type {
  ApiEndpoint,
  ApiServer,
  Arg,
  BootstrapToken,
  ClusterConfiguration,
  ComponentConfigurations,
  ControlPlaneComponent,
  DecodedKubeletConfiguration,
  DecodedKubeProxyConfiguration,
  EncryptionAlgorithm,
  EnvVar,
  EnvVarSource,
  Etcd,
  ExternalEtcd,
  GoDuration,
  HostPathMount,
  ImagePullPolicy,
  InitConfiguration,
  KeySelector,
  KubeletConfiguration,
  KubeProxyConfiguration,
  LocalEtcd,
  Networking,
  NodeRegistration,
  Patches,
  Taint,
  Timeouts,
} from './configuration-types.ts';
export type { MigrationRemark } from './convert-old-documents.ts';
export { errorCodes } from './error-codes.ts';
export { featureGates, parseFeatureGates } from './feature-gates.ts';
export type { Flag, FlagType, FlagValue, FlagValues } from './flag.ts';
export {
  type InitFlagName,
  initFlags,
  isAllowedWithConfig,
  mixedFlags,
} from './flag-table.ts';
export { parseGoBool } from './go-bool.ts';
export { formatGoDuration, goDurationMilliseconds, parseGoDuration } from './go-duration.ts';
export { type HostPort, parseHostPort, splitHostPort } from './host-port.ts';
export {
  type ImagesConfiguration,
  type ImagesConfigurationOptions,
  imagesConfiguration,
} from './images-configuration.ts';
export {
  commandsOfFlag,
  detectsCriSocket,
  flagsOfCommand,
  type InitCommand,
  initCommands,
} from './init-command-table.ts';
export {
  formatIpAddress,
  type IpAddress,
  type IpFamily,
  isGlobalUnicast,
  isLoopback,
  isUnspecified,
  joinHostPort,
  parseIpAddress,
} from './ip-address.ts';
export { type KubeProxyConfigurationResult, kubeProxyConfiguration } from './kube-proxy-configuration.ts';
export { type KubeletConfigurationResult, kubeletConfiguration } from './kubelet-configuration.ts';
export {
  compareKubernetesVersions,
  kubernetesVersions,
  kubernetesVersionToImageTag,
  parseRequestedVersion,
  type RequestedVersion,
} from './kubernetes-version.ts';
export { type MigratedConfiguration, type MigrateOptions, migrateConfiguration } from './migrate-configuration.ts';
export { preflightConfiguration } from './preflight-configuration.ts';
export { type PrintedDefaultsOptions, type PrintedKind, printedDefaults } from './printed-defaults.ts';
export {
  discoveryFilesOf,
  type ReadDocument,
  type ReadDocumentOptions,
  readJoinConfiguration,
  readResetConfiguration,
  readUpgradeConfiguration,
} from './read-command-documents.ts';
export { type ReadOptions, readInitConfiguration } from './read-configuration.ts';
export type { ReadInitConfiguration } from './read-init-documents.ts';
export { resolveJoinConfiguration, resolveResetConfiguration } from './resolve-command-documents.ts';
export {
  type ResolvedConfiguration,
  type ResolvedInitConfiguration,
  type ResolvedNodeRegistration,
  type ResolveOptions,
  resolveInitConfiguration,
} from './resolve-configuration.ts';
export { controlPlaneTaint, type HostFacts, knownCriSockets, type ResolveNodeOptions } from './resolve-node.ts';
export { formatSubnet, parseSubnet, parseSubnets, type Subnet, serviceAddress, subnetAddress } from './subnet.ts';
export { type InitDocuments, validateInitConfiguration } from './validate-configuration.ts';
export {
  type ConfigurationVerdict,
  type ValidateOptions,
  validateConfigurationFile,
} from './validate-configuration-file.ts';
