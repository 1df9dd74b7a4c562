export { chooseAdvertiseAddress, type HostAddresses } from './advertise-address.ts';
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
export { commandsOfFlag, detectsCriSocket, discovers, flagsOfCommand } from './command-flags.ts';
export type { CommandFlags } from './command-table.ts';
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
export { parseGoBool } from './go-bool.ts';
export { formatGoDuration, goDurationMilliseconds, parseGoDuration } from './go-duration.ts';
export {
  defaultGroundplaneConfiguration,
  defaultJournalPath,
  type GroundplaneConfiguration,
  groundplaneConfigurationDocument,
} from './groundplane-configuration.ts';
export { type HostPort, parseHostPort, splitHostPort } from './host-port.ts';
export {
  type ImagesConfiguration,
  type ImagesConfigurationOptions,
  imagesConfiguration,
} from './images-configuration.ts';
export { initCommands } from './init-command-table.ts';
export { type InitFlagName, initFlags } from './init-flag-table.ts';
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
export { joinCommands } from './join-command-table.ts';
export { joinFlags } from './join-flag-table.ts';
export { joinPreflightConfiguration } from './join-preflight-configuration.ts';
export {
  reasonAgainstJournalPath,
  type TakenPlace,
  takenPlaces,
} from './journal-place.ts';
export { judgeKubeletConfiguration, type KubeletConfigurationJudgement } from './judge-kubelet-configuration.ts';
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
export { isAllowedWithConfig, mixedFlags } from './mixed-flags.ts';
export { preflightConfiguration } from './preflight-configuration.ts';
export { type PrintedDefaultsOptions, type PrintedKind, printedDefaults } from './printed-defaults.ts';
export { type ReadDocument, type ReadDocumentOptions, readUpgradeConfiguration } from './read-command-documents.ts';
export { type ReadOptions, readInitConfiguration } from './read-configuration.ts';
export { readGroundplaneConfiguration } from './read-groundplane-document.ts';
export {
  defaultTokenDescription,
  type ReadInitConfiguration,
  type RunOptions,
} from './read-init-documents.ts';
export {
  discoveryFilesOf,
  type ReadJoinConfiguration,
  type ReadJoinOptions,
  readJoinConfiguration,
} from './read-join-configuration.ts';
export {
  type ReadResetConfiguration,
  type ReadResetOptions,
  type ResetRunOptions,
  readResetConfiguration,
} from './read-reset-configuration.ts';
export {
  readStoredConfiguration,
  type StoredConfiguration,
  type StoredDocuments,
} from './read-stored-configuration.ts';
export {
  type ReadTokenConfiguration,
  type ReadTokenOptions,
  readTokenConfiguration,
} from './read-token-configuration.ts';
export { resetCommands } from './reset-command-table.ts';
export { resetFlags } from './reset-flag-table.ts';
export { resolveJoinConfiguration, resolveResetConfiguration } from './resolve-command-documents.ts';
export {
  type ResolvedConfiguration,
  type ResolvedInitConfiguration,
  type ResolvedNodeRegistration,
  type ResolveOptions,
  resolveInitConfiguration,
} from './resolve-configuration.ts';
export { controlPlaneTaint, type HostFacts, knownCriSockets, type ResolveNodeOptions } from './resolve-node.ts';
export type { WorkflowRunOptions } from './run-options.ts';
export { reasonAgainstCommand, type SignerSettings } from './signer-settings.ts';
export { formatSubnet, parseSubnet, parseSubnets, type Subnet, serviceAddress, subnetAddress } from './subnet.ts';
export { tokenFlags } from './token-flag-table.ts';
export { type InitDocuments, validateInitConfiguration } from './validate-configuration.ts';
export {
  type ConfigurationVerdict,
  type ValidateOptions,
  validateConfigurationFile,
} from './validate-configuration-file.ts';
