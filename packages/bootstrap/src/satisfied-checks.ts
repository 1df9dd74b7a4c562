import { preflightConfiguration } from '@groundplane/config';
import { type ControlPlaneComponent, controlPlaneComponents } from '@groundplane/controlplane';
import { controlPlanePorts, type PreflightConfiguration } from '@groundplane/kubelet';
import { type Pod, stringifyYaml } from '@groundplane/manifest';
import { mayStillSign } from './control-plane-facts.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';

/** What is on the machine already, as far as the checks look at it. */
export interface PresentArtifacts extends Readonly<Record<ControlPlaneComponent, Pod | undefined>> {
  /** PEM of the CA's certificate and key. */
  readonly authority: string | undefined;
  readonly authorityKey: string | undefined;
  /** The kubelet's configuration and its kubeconfig. */
  readonly kubeletConfig: string | undefined;
  readonly kubeletKubeconfig: string | undefined;
}

/** Ports, and for etcd its folder, that belong to each static pod. */
const checksOfComponents: Readonly<
  Record<ControlPlaneComponent, (configuration: PreflightConfiguration) => readonly string[]>
> = {
  etcd: ({ localEtcd }) => [
    `Port-${controlPlanePorts.etcdClient}`,
    `Port-${controlPlanePorts.etcdPeer}`,
    ...(localEtcd === undefined ? [] : [`DirAvailable-${localEtcd.dataDir.replaceAll('/', '-')}`]),
  ],
  'kube-apiserver': ({ bindPort }) => [`Port-${bindPort}`],
  'kube-controller-manager': () => [`Port-${controlPlanePorts.controllerManager}`],
  'kube-scheduler': () => [`Port-${controlPlanePorts.scheduler}`],
};

/** Names of the pre-flight checks that a static pod that is there stands in the way of, that of its manifest first. */
export function checksOfStaticPod(
  component: ControlPlaneComponent,
  configuration: PreflightConfiguration,
): readonly [string, ...string[]] {
  const path = `${configuration.manifestsDir}/${component}.yaml`;
  return [`FileAvailable-${path.replaceAll('/', '-')}`, ...checksOfComponents[component](configuration)];
}

/**
 * Names of the pre-flight checks that ask for the absence of something that is ours: a static pod that is the one that we would
 * write, with its ports and its data, and the port of the running kubelet, if it is this node's by its files.
 */
export function satisfiedChecks(
  config: InitContext,
  present: PresentArtifacts,
  { kubeletIsActive }: { readonly kubeletIsActive: boolean },
): ReadonlySet<string> {
  const configuration = preflightConfiguration(config);
  const names = new Set<string>();
  for (const component of controlPlaneComponents) {
    const existing = present[component];
    if (existing === undefined) continue;
    if (stringifyYaml(existing) !== stringifyYaml(patchedStaticPod(component, config, mayStillSign(present)))) continue;
    for (const name of checksOfStaticPod(component, configuration)) names.add(name);
  }
  const hasKubeletFiles = present.kubeletConfig !== undefined || present.kubeletKubeconfig !== undefined;
  if (hasKubeletFiles && kubeletIsActive) names.add('Port-10250');
  return names;
}
