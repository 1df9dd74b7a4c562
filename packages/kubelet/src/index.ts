export { controlPlanePorts } from './control-plane-ports.ts';
export { errorCodes } from './error-codes.ts';
export { goQuote } from './go-quote.ts';
export {
  instanceConfigDocument,
  type KubeletConfigDocument,
  type KubeletConfigFileOptions,
  kubeletConfigFile,
  localKubeletConfig,
  parseKubeletConfig,
  systemdResolvConf,
} from './kubelet-config-file.ts';
export { kubeletFlagNames } from './kubelet-flag-names.ts';
export {
  effectiveNodeName,
  type KubeletFlag,
  kubeadmFlagsEnv,
  kubeletFlags,
  parseKubeadmFlagsEnv,
  type RegistrationFacts,
  type RegistrationTaint,
} from './kubelet-flags.ts';
export {
  type PreflightCatalogRow,
  type PreflightCommand,
  preflightCatalog,
  preflightCatalogRow,
} from './preflight-catalog.ts';
export type { CheckInstance, PreflightBatch, PreflightCheck, Verdict } from './preflight-check.ts';
export { imagePullChecks, initPreflightChecks, joinPreflightChecks, rootChecks } from './preflight-checks.ts';
export type { ExternalEtcdFacts, JoinFacts, PreflightConfiguration } from './preflight-configuration.ts';
export {
  type FactRequest,
  type PreflightFacts,
  portKey,
  type RuntimeFacts,
  requestKey,
  type ServiceFacts,
} from './preflight-facts.ts';
export { type PreflightOptions, preflightNames, requiredFacts, runPreflight } from './run-preflight.ts';
export {
  type KubeletConfigRequirement,
  type KubeletExpectations,
  kubeletConfigRequirements,
  verifyKubeletConfig,
} from './verify-kubelet-config.ts';
