export { cacheDirectory } from './cache-directory.ts';
export {
  type BootstrapTool,
  bootstrapCluster,
  type Cluster,
  type ClusterOptions,
  freshJoinArguments,
  joinArgumentsHere,
} from './cluster.ts';
export { waitUntilReady } from './cluster-readiness.ts';
export { componentGroups, defaultKubernetesVersion } from './component-table.ts';
export { type ComponentSelection, componentPath, ensureComponents, listComponents } from './components.ts';
export {
  archivePath,
  type BootstrapOptions,
  type BootstrappedControlPlane,
  bootstrapControlPlane,
  groundplaneDirectory,
  initConfigPath,
  installGroundplane,
  prepareInit,
} from './control-plane.ts';
export { type HostKubeletSettings, hostKubeletSettings } from './host-kubelet-settings.ts';
export {
  ensureHostPrograms,
  type HostProgram,
  type HostTask,
  hostPrograms,
  missingHostPrograms,
} from './host-programs.ts';
export { type HostState, hostState } from './host-state.ts';
export { ensureImages, type ImageArchive } from './images.ts';
export { allowInotifyInstances } from './inotify-instances.ts';
export { type JoinArguments, joinArgumentsIn } from './join-command.ts';
export { type KubeadmConfigurationOptions, kubeadmConfiguration } from './kubeadm-configuration.ts';
export { kubectlOn, kubectlOutput, succeeding } from './kubectl.ts';
export type { ExecOptions, Machine, MachineState } from './machine.ts';
export { type CreateMachineOptions, createMachine, deleteAllMachines, findMachine, listMachines } from './machines.ts';
export type { Report } from './progress.ts';
export type { CommandResult } from './run-command.ts';
export { collected, type RunOn, shown } from './run-on-machine.ts';
export { waitUntilRuntimeAnswers } from './runtime-readiness.ts';
export { askServicesAcrossNodes, type ServiceAnswer } from './service-check.ts';
export { spreadCoreDns } from './spread-coredns.ts';
export { addresses, type TestbedIdentity, testbedIdentity } from './testbed-identity.ts';
