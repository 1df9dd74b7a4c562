import type { KubeletConfiguration } from '@groundplane/config';
import {
  type ControlPlaneComponent,
  controlPlaneComponents,
  renderStaticPod,
  verifyStaticPod,
} from '@groundplane/controlplane';
import { type Finding, hasErrors } from '@groundplane/errors';
import {
  type KubeletConfigDocument,
  type KubeletExpectations,
  localKubeletConfig,
  verifyKubeletConfig,
} from '@groundplane/kubelet';
import type { Pod } from '@groundplane/manifest';
import { applyPatches, type PatchTarget, patchFindings } from '@groundplane/patches';
import { coreDnsObjects, kubeProxyObjects } from './addon-objects.ts';
import { controlPlaneFactsOf } from './control-plane-facts.ts';
import type { InitContext } from './init-context.ts';

/** A static pod as this node gets it: rendered from the configuration, then patched. */
export function patchedStaticPod(component: ControlPlaneComponent, context: InitContext, hasCAKey: boolean): Pod {
  return applyPatches(component, renderStaticPod(component, controlPlaneFactsOf(context, hasCAKey)), context.patches);
}

/** The configuration that the kubelet of this node starts from: the cluster's, then patched. */
export function patchedKubelet(context: InitContext): KubeletConfiguration {
  return applyPatches('kubeletconfiguration', localKubelet(context), context.patches);
}

function localKubelet({ kubelet, machine }: InitContext): KubeletConfiguration {
  return localKubeletConfig(kubelet, machine.resolvConf);
}

/**
 * The verdict on a static pod. What the user's patches ask for is told and not held against the pod, as long as it is a pod.
 *
 * @param pod the manifest that is there, whoever wrote it
 */
export function staticPodFindings(
  component: ControlPlaneComponent,
  pod: Pod,
  { context, hasCAKey }: { readonly context: InitContext; readonly hasCAKey: boolean },
): readonly Finding[] {
  const facts = controlPlaneFactsOf(context, hasCAKey);
  const findings = verifyStaticPod(component, pod, facts);
  if (findings.length === 0 || !isPatched(component, context)) return findings;
  const wanted = verifyStaticPod(component, patchedStaticPod(component, context, hasCAKey), facts);
  return asWanted(
    findings,
    wanted.filter(({ code }) => code !== 'CONTROLPLANE_MANIFEST_NOT_A_POD'),
  );
}

/** The verdict on the kubelet's configuration, with the same rule. */
export function kubeletConfigFindings(
  configuration: KubeletConfigDocument,
  { context, expectations }: { readonly context: InitContext; readonly expectations: KubeletExpectations },
): readonly Finding[] {
  const findings = verifyKubeletConfig(configuration, expectations);
  if (!hasErrors(findings) || !isPatched('kubeletconfiguration', context)) return findings;
  // The instance configuration has the last word about the socket.
  const { containerRuntimeEndpoint } = expectations;
  return asWanted(
    findings,
    verifyKubeletConfig({ ...patchedKubelet(context), containerRuntimeEndpoint }, expectations),
  );
}

function isPatched(target: PatchTarget, { patches }: InitContext): boolean {
  return patches.some((set) => set.target === target);
}

function asWanted(findings: readonly Finding[], wanted: readonly Finding[]): readonly Finding[] {
  return findings.map((finding) =>
    wanted.some(({ code, message }) => code === finding.code && message === finding.message)
      ? {
          ...finding,
          severity: 'warning',
          hint: 'The patches of this node ask for it; correct them if that is not meant',
        }
      : finding,
  );
}

/** Phases that patches concern, and the target of those that apply them. */
const phaseTable: Readonly<Record<string, PatchTarget | undefined>> = {
  // What exists is ours if it is what we would write.
  preflight: undefined,
  'etcd/local': 'etcd',
  'control-plane/apiserver': 'kube-apiserver',
  'control-plane/controller-manager': 'kube-controller-manager',
  'control-plane/scheduler': 'kube-scheduler',
  'kubelet-start': 'kubeletconfiguration',
  // The kubelet's health is asked for where its configuration says.
  'wait-control-plane': undefined,
  'addon/kube-proxy': 'kubeproxydaemonset',
  'addon/coredns': 'corednsdeployment',
};

/**
 * The phases of a command that patches concern; without one the folder of patches is not looked at.
 *
 * @param command `init`, or that of a phase: `init phase control-plane all`
 */
export function phasesWithPatches(command: string, skipPhases: readonly string[]): readonly string[] {
  const name = (text: string) => text.toLowerCase().replace(/\/all$/, '');
  const only = name(command.split(' ').slice(2).join('/'));
  const skipped = skipPhases.map(name);
  const covers = (whole: string, phase: string) => phase === whole || phase.startsWith(`${whole}/`);
  return Object.keys(phaseTable).filter(
    (phase) => (only === '' || covers(only, phase)) && !skipped.some((skip) => covers(skip, phase)),
  );
}

/**
 * Tries the patches of the phases that are going to run, so that one that does not fit is told before anything is written, although
 * its phase may have to wait for what others make.
 *
 * @param phases names of phases
 * @returns warnings about what the patches do in vain
 * @throws PATCHES_NOT_APPLICABLE, PATCHES_RESULT_INVALID
 */
export function tryPatches(context: InitContext, phases: readonly string[]): readonly Finding[] {
  return phases.flatMap((phase): readonly Finding[] => {
    const target = phaseTable[phase];
    if (target === undefined || !isPatched(target, context)) return [];
    if (target === 'corednsdeployment') return tried(target, coreDnsObjects(context).deployment, context);
    if (target === 'kubeproxydaemonset') return tried(target, kubeProxyObjects(context).daemonSet, context);
    if (target === 'kubeletconfiguration') {
      patchedKubelet(context);
      return patchFindings(target, localKubelet(context), context.patches);
    }
    const component = controlPlaneComponents.find((name) => name === target);
    if (component === undefined || (component === 'etcd' && context.cluster.etcd.external !== undefined)) return [];
    // Whether this node may sign changes values of flags and nothing that a patch could miss.
    patchedStaticPod(component, context, true);
    return patchFindings(component, renderStaticPod(component, controlPlaneFactsOf(context, true)), context.patches);
  });
}

function tried(target: PatchTarget, object: object, { patches }: InitContext): readonly Finding[] {
  applyPatches(target, object, patches);
  return patchFindings(target, object, patches);
}
