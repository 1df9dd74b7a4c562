import type { Container, PodSpec } from '@groundplane/manifest';
import { flagValues } from './flag-values.ts';
import { joinPath } from './host-path.ts';

/** A file or folder that a flag names. */
export interface MountedFile {
  /** The flag, without dashes. */
  readonly flag: string;
  /** Absolute path in the container, as the flag has it. */
  readonly path: string;
  /** Absolute path on the host; absent if no host path brings it into the container. */
  readonly hostPath?: string;
}

/**
 * Files that the flags of a container name by absolute path, and where they are on the host. Of mounts within each other the innermost
 * counts, whatever kind of volume it is.
 */
export function mountedFiles(container: Container, { volumes = [] }: Pick<PodSpec, 'volumes'>): readonly MountedFile[] {
  const sources = new Map(volumes.map(({ name, hostPath }) => [name, hostPath?.path]));
  const mounts = (container.volumeMounts ?? [])
    .map(({ name, mountPath, subPath }) => ({ folder: joinPath(mountPath), source: sources.get(name), subPath }))
    .toSorted((left, right) => right.folder.length - left.folder.length);
  const hostPathOf = (path: string): string | undefined => {
    const mount = mounts.find(({ folder }) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`));
    if (typeof mount?.source !== 'string' || mount.source === '') return undefined;
    const below = typeof mount.subPath === 'string' ? mount.subPath : '';
    return joinPath(mount.source, below, path.slice(mount.folder.length));
  };
  return [...flagValues(container)]
    .filter(([flag]) => /(?:file|key|certificate|kubeconfig|data-dir)$/.test(flag))
    .flatMap(([flag, values]) => values.map((path) => ({ flag, path })))
    .filter(({ path }) => path.startsWith('/'))
    .map(({ flag, path }) => {
      const hostPath = hostPathOf(joinPath(path));
      return { flag, path, ...(hostPath === undefined ? {} : { hostPath }) };
    });
}
