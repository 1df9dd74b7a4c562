import { type ControlPlaneComponent, controlPlaneComponents } from '@groundplane/controlplane';
import type { Finding } from '@groundplane/errors';
import { currentContextOf, currentSectionsOf, type KubeconfigRow, parseKubeconfig } from '@groundplane/kubeconfig';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';
import { patchedStaticPod } from './patched-documents.ts';

/** The static pod that reads the kubeconfig of a row; undefined if it is read on the host. */
export function componentOf({ name }: KubeconfigRow): ControlPlaneComponent | undefined {
  return controlPlaneComponents.find((component) => component === `kube-${name}`);
}

/**
 * What a kubeconfig of a static pod names and its container does not hold. Only a warning, as a manifest of somebody else may
 * bring it in.
 *
 * @param text a kubeconfig that can be read
 */
export function mountFindings(
  text: string,
  { row, place, config }: { readonly row: KubeconfigRow; readonly place: string; readonly config: InitContext },
): readonly Finding[] {
  const component = componentOf(row);
  if (component === undefined) return [];
  const named = namedFiles(text);
  // Mostly it holds all itself, and what the pod is like is of no interest.
  if (named.length === 0) return [];
  const [container] = patchedStaticPod(component, config, true).spec.containers;
  const folders = (container?.volumeMounts ?? []).map(({ mountPath }) => mountPath);
  const isMounted = (path: string) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const absent = named.filter((path) => !isMounted(path));
  return absent.map((path) =>
    bootstrapFinding({
      code: 'BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED',
      severity: 'warning',
      artifact: place,
      message: `${place} names a file that is not in the container of ${component} as the phases make it: ${path}`,
      hint: `Embed it: kubectl config view --flatten --kubeconfig ${place}; or bring it in by extraVolumes`,
    }),
  );
}

function namedFiles(text: string): readonly string[] {
  try {
    const kubeconfig = parseKubeconfig(text);
    const { exec } = currentSectionsOf(kubeconfig).user;
    const command = (exec as { readonly command?: unknown } | null | undefined)?.command;
    return [...currentContextOf(kubeconfig).files, ...(typeof command === 'string' ? [command] : [])];
  } catch {
    // Whoever judges the file itself says what is wrong.
    return [];
  }
}
