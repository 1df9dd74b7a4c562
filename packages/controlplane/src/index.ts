export { commandArguments, type Flag } from './command-arguments.ts';
export { componentFlags, type FlagRow, ownFlags } from './component-flags.ts';
export { type ComponentRow, componentTable, endpointAnnotations, type ProbeEndpoint } from './component-table.ts';
export {
  type ComponentSettings,
  type ControlPlaneComponent,
  type ControlPlaneFacts,
  controlPlaneComponents,
  type EtcdFacts,
  type EtcdMember,
  type ExternalEtcdFacts,
  type ExtraArgument,
  type ExtraEnv,
  type ExtraVolume,
  type ImageFacts,
  type LocalEtcdFacts,
} from './control-plane-facts.ts';
export { mergeEnvironment, proxyEnvironment } from './environment.ts';
export { controlPlaneErrorCodes } from './error-codes.ts';
export { etcdClientURL, etcdPeerURL, etcdPorts, joinHostPort } from './etcd-urls.ts';
export { type FlagHazard, flagHazards } from './flag-hazards.ts';
export { type FlagValues, flagValues } from './flag-values.ts';
export { joinPath } from './host-path.ts';
export { optionalCADirectories } from './host-path-volumes.ts';
export {
  componentImage,
  coreDNSImage,
  defaultImageRepository,
  etcdImage,
  imageReferences,
  imageTag,
  kubernetesImage,
  pauseImage,
} from './image-references.ts';
export { type KubernetesMinor, kubernetesMinor, kubernetesMinors } from './kubernetes-minors.ts';
export { type PodRequirement, podRequirements } from './pod-requirements.ts';
export { renderStaticPod } from './render-static-pod.ts';
export { type FlagRequirement, staticPodRequirements } from './static-pod-requirements.ts';
export { staticPodFindingCodes, verifyStaticPod } from './verify-static-pod.ts';
