export { chooseAdvertiseAddress, type HostAddresses } from './advertise-address.ts';
export { defaultTokenDescription, type RunOptions } from './apply-flags.ts';
export { type ConfigMapData, componentConfigHash, componentConfigHashAnnotation } from './component-config-hash.ts';
export { clusterConfigurationDocument, initConfigurationDocument } from './configuration-documents.ts';
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
export { preflightConfiguration } from './preflight-configuration.ts';
export { type ReadInitConfiguration, type ReadOptions, readInitConfiguration } from './read-configuration.ts';
export {
  controlPlaneTaint,
  type HostFacts,
  knownCriSockets,
  type ResolvedConfiguration,
  type ResolvedInitConfiguration,
  type ResolvedNodeRegistration,
  type ResolveOptions,
  resolveInitConfiguration,
} from './resolve-configuration.ts';
export { formatSubnet, parseSubnet, parseSubnets, type Subnet, serviceAddress, subnetAddress } from './subnet.ts';
export { type InitDocuments, validateInitConfiguration } from './validate-configuration.ts';
