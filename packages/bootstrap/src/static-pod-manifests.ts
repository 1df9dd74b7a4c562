import { type ControlPlaneComponent, controlPlaneComponents } from '@groundplane/controlplane';
import type { Pod } from '@groundplane/manifest';
import type { Artifact, Files } from '@groundplane/phases';
import { certificateArtifactsOf, staticPods } from './artifacts.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';
import { staticPodPhaseNames } from './static-pod-phases.ts';

export interface StaticPodManifest {
  readonly component: ControlPlaneComponent;
  readonly pod: Pod;
  /** YAML, as the phase writes it. */
  readonly text: string;
}

/**
 * The manifests that phases would write, with the patches of this node. Of the machine nothing is read: whether this node may sign is
 * told by which files of the CA are there, so whoever may not read the key can see them, too.
 *
 * @param phase name of a phase, or `control-plane/all`
 * @returns none for etcd where it is external
 */
export async function staticPodManifests(
  context: InitContext,
  phase: string,
  files: Pick<Files, 'status'>,
): Promise<readonly StaticPodManifest[]> {
  const { certificate, key } = certificateArtifactsOf('ca');
  const isThere = async (artifact: Artifact<string>) => {
    const location = artifact.where(layoutOf(context));
    return location.kind === 'file' && (await files.status(location.path)) !== undefined;
  };
  const hasCAKey = !(await isThere(certificate)) || (await isThere(key));
  const wanted = phase.replace(/\/all$/, '');
  return controlPlaneComponents
    .filter((component) => `${staticPodPhaseNames[component]}/`.startsWith(`${wanted}/`))
    .filter((component) => component !== 'etcd' || context.cluster.etcd.external === undefined)
    .map((component) => {
      const pod = patchedStaticPod(component, context, hasCAKey);
      return { component, pod, text: new TextDecoder().decode(staticPods[component].format.serialize(pod)) };
    });
}
