import type { Severity } from '@groundplane/errors';
import type { Container, Pod } from '@groundplane/manifest';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { joinPath } from './host-path.ts';
import { type MountedFile, mountedFiles } from './mounted-files.ts';
import { renderStaticPod } from './render-static-pod.ts';

export interface FileProblem {
  readonly code: 'CONTROLPLANE_FILE_NOT_MOUNTED' | 'CONTROLPLANE_FILE_ELSEWHERE' | 'CONTROLPLANE_FILE_OTHER';
  readonly severity: Severity;
  readonly message: string;
}

/**
 * Files that a flag names, and that are not in the container, or others than those that the phases make. A file of another name is
 * somebody's own, and so is one that has the same path on the host. What the configuration asks for comes to warnings.
 */
export function fileProblems(
  component: ControlPlaneComponent,
  { container, spec, rendered }: Readonly<Record<'spec' | 'rendered', Pod['spec']>> & { readonly container: Container },
  facts: ControlPlaneFacts,
): readonly FileProblem[] {
  const made = filesOf(renderStaticPod(component, withoutSettings(facts)).spec);
  const asked = filesOf(rendered);
  const isAsked = ({ flag, path, hostPath }: MountedFile): boolean =>
    asked.some((file) => file.flag === flag && file.path === path && file.hostPath === hostPath);
  const problems = new Map<string, FileProblem>();
  const files = mountedFiles(container, spec);
  for (const file of files) {
    const { flag, path, hostPath } = file;
    if (problems.has(flag)) continue;
    const severity = isAsked(file) ? 'warning' : 'error';
    if (hostPath === undefined) {
      const message = `no host path brings --${flag} into it: ${path}`;
      problems.set(flag, { code: 'CONTROLPLANE_FILE_NOT_MOUNTED', severity, message });
      continue;
    }
    const ofFlag = made.filter((one) => one.flag === flag);
    const isOfPhases = ({ hostPath: place }: MountedFile): boolean =>
      ofFlag.some((one) => joinPath(one.hostPath ?? one.path) === place);
    const wanted = ofFlag.filter((one) => nameOf(one.path) === nameOf(path));
    // The folder of the data has a requirement of its own; a file beside the one of the phases is one more.
    const isOther = wanted.length === 0 && ofFlag.length > 0 && flag !== 'data-dir' && !isAsked(file);
    if (isOther && !files.some((one) => one.flag === flag && isOfPhases(one))) {
      const message = `the file of --${flag} is not the one that the phases make and judge, ${ofFlag[0]?.path}, and is not looked at: ${hostPath}`;
      problems.set(flag, { code: 'CONTROLPLANE_FILE_OTHER', severity: 'warning', message });
    }
    if (hostPath === joinPath(path) || wanted.length === 0) continue;
    if (wanted.some((one) => joinPath(one.hostPath ?? one.path) === hostPath)) continue;
    const message = `the file of --${flag} must be ${wanted[0]?.path} of the host: ${hostPath}`;
    problems.set(flag, { code: 'CONTROLPLANE_FILE_ELSEWHERE', severity, message });
  }
  return [...problems.values()];
}

function filesOf(spec: Pod['spec']): readonly MountedFile[] {
  return spec.containers.flatMap((container) => mountedFiles(container, spec));
}

/** The facts without what the user changes about the components. */
function withoutSettings(facts: ControlPlaneFacts): ControlPlaneFacts {
  const { local } = facts.etcd;
  const etcd = local === undefined ? facts.etcd : { ...facts.etcd, local: { ...local, extraArgs: [] } };
  return { ...facts, etcd, apiServer: {}, controllerManager: {}, scheduler: {} };
}

function nameOf(path: string): string | undefined {
  return joinPath(path).split('/').at(-1);
}
