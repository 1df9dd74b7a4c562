import { isAbsolute, join } from 'node:path';
import { localHost, openRootDirectory, type RootDirectory } from '@groundplane/host';
import type { Host } from '@groundplane/phases';
import { type Invocation, textFlag } from './invocation.ts';

/** The machine as a command sees it: this one, or what `--rootfs` says. */
export interface NodeHost {
  readonly host: Host;
  /** Where its file system is; absent for that of this machine. */
  readonly root?: RootDirectory;
  /**
   * Makes a path of the command line or the environment absolute. Relative ones count from the folder that the program was started
   * in, or from the root where there is another one, as kubeadm changes to it (cmd/kubeadm/app/kubeadm.go).
   */
  readonly absolute: (path: string) => string;
  /** Where on this machine an absolute path of the node is. */
  readonly locate: (path: string) => Promise<string>;
}

/** The path that a flag gives, absolute; undefined without the flag or where it is empty. */
export function pathFlag(
  invocation: Invocation,
  { absolute }: Pick<NodeHost, 'absolute'>,
  name: string,
): string | undefined {
  const path = textFlag(invocation, name) || undefined;
  return path === undefined ? undefined : absolute(path);
}

/** @throws GroundplaneError HOST_ROOT_UNUSABLE */
export async function nodeHost(invocation: Invocation): Promise<NodeHost> {
  const rootfs = textFlag(invocation, 'rootfs') ?? '';
  if (rootfs === '') {
    return {
      host: localHost(),
      absolute: (path) => (isAbsolute(path) ? path : join(process.cwd(), path)),
      locate: async (path) => path,
    };
  }
  const root = await openRootDirectory(rootfs);
  return {
    host: localHost({ root }),
    root,
    absolute: (path) => join('/', path),
    locate: (path) => root.locate(path),
  };
}
