import { type ControlPlaneComponent, controlPlaneComponents } from '@groundplane/controlplane';
import { type NamedObject, type RoleBinding, stringifyYaml } from '@groundplane/manifest';
import { applyPatches } from '@groundplane/patches';
import type { Artifact, Files } from '@groundplane/phases';
import { coreDnsObjects, kubeProxyObjects } from './addon-objects.ts';
import { certificateArtifactsOf } from './artifacts.ts';
import { reasonDisabled } from './disabled-addons.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';
import { staticPodPhaseNames } from './static-pod-phases.ts';

/** What a phase would write, one object. */
export interface PhaseManifest {
  readonly object: NamedObject;
  /** YAML, as the phase writes it to a file. */
  readonly text: string;
}

/**
 * The manifests that phases would write, with the patches of this node. Of the machine nothing is read: whether this node may sign is
 * told by which files of the CA are there, so whoever may not read the key can see them, too. The API server is not asked.
 *
 * @param phase name of a phase of static pods or addons, or `control-plane/all`
 * @returns none for an external etcd, and of `addon/all` no addon that is disabled
 */
export async function phaseManifests(
  context: InitContext,
  phase: string,
  files: Pick<Files, 'status'>,
): Promise<readonly PhaseManifest[]> {
  const wanted = phase.replace(/\/all$/, '');
  const isWanted = (name: string) => `${name}/`.startsWith(`${wanted}/`);
  const { etcd } = context.cluster;
  // Whoever wants to see an addon by its name may, although the cluster does without.
  const isAddonWanted = (name: 'addon/kube-proxy' | 'addon/coredns') =>
    isWanted(name) && (phase === name || reasonDisabled(name, context.cluster) === undefined);
  const components = controlPlaneComponents
    .filter((component) => isWanted(staticPodPhaseNames[component]))
    .filter((component) => component !== 'etcd' || etcd.external === undefined);
  return [
    ...(components.length === 0 ? [] : await staticPods(context, components, files)),
    ...(isAddonWanted('addon/kube-proxy') ? printedKubeProxy(context) : []),
    ...(isAddonWanted('addon/coredns') ? printedCoreDns(context) : []),
  ].map((object) => ({ object, text: stringifyYaml(object) }));
}

async function staticPods(
  context: InitContext,
  components: readonly ControlPlaneComponent[],
  files: Pick<Files, 'status'>,
): Promise<readonly NamedObject[]> {
  const { certificate, key } = certificateArtifactsOf('ca');
  const isThere = async (artifact: Artifact<string>) => {
    const location = artifact.where(layoutOf(context));
    return location.kind === 'file' && (await files.status(location.path)) !== undefined;
  };
  const hasCAKey = !(await isThere(certificate)) || (await isThere(key));
  return components.map((component) => patchedStaticPod(component, context, hasCAKey));
}

/**
 * In kubeadm's order and form (phases/addons/proxy/proxy.go): without the hash and the proxy variables, which belong to the machine
 * that applies them.
 */
function printedKubeProxy(context: InitContext): readonly NamedObject[] {
  const { serviceAccount, clusterRoleBinding, role, roleBinding, configMap, daemonSet } = kubeProxyObjects(context);
  return [
    serviceAccount,
    clusterRoleBinding,
    role,
    withoutDefaults(roleBinding),
    configMap,
    applyPatches('kubeproxydaemonset', daemonSet, context.patches),
  ];
}

/** The API server fills in the group of a subject. */
function withoutDefaults(binding: RoleBinding): RoleBinding {
  return { ...binding, subjects: (binding.subjects ?? []).map(({ apiGroup, ...subject }) => subject) };
}

/** In kubeadm's order and form (phases/addons/dns/dns.go), so without the address of the API server. */
function printedCoreDns(context: InitContext): readonly NamedObject[] {
  const { deployment, configMap, service, clusterRole, clusterRoleBinding, serviceAccount } = coreDnsObjects(context);
  // With it the manifest can be sent as an update, too.
  const metadata = { ...service.metadata, resourceVersion: '0' };
  const patched = applyPatches('corednsdeployment', deployment, context.patches);
  return [patched, configMap, { ...service, metadata }, clusterRole, clusterRoleBinding, serviceAccount];
}
