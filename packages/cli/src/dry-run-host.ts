import { delegatingHost, type Host, type Layout } from '@groundplane/phases';

/** A machine that is only looked at: what is written to it lands in a folder. */
export interface DryRunHost {
  readonly host: Host;
  /** Path on the machine → path below the folder, of what was written so far. */
  readonly written: ReadonlyMap<string, string>;
}

export interface DryRunOptions {
  /** Absolute path of the folder. */
  readonly directory: string;
  /** Folders of the machine whose files all go into it. */
  readonly layout: Layout;
}

/**
 * A host whose files are those of the machine until they are written: from then on they are the ones in the folder, where kubeadm
 * puts all of them side by side (cmd/init.go, DryRunDir). Directories outside are not made, nothing is removed, no unit is touched.
 */
export function dryRunHost(machine: Host, { directory, layout }: DryRunOptions): DryRunHost {
  const real = delegatingHost(machine);
  const written = new Map<string, string>();
  const roots = [layout.pki, `${layout.kubernetes}/manifests`, layout.kubelet, layout.kubernetes];
  const targetOf = (path: string) => {
    const root = roots.find((candidate) => path.startsWith(`${candidate}/`));
    return `${directory}/${(root === undefined ? path : path.slice(root.length)).replace(/^\/+/, '')}`;
  };
  const seen = (path: string) => written.get(path) ?? path;
  const unit = { exists: false, enabled: false, active: false, initSystem: 'none' } as const;
  const host: Host = {
    ...real,
    files: {
      ...real.files,
      read: (path) => real.files.read(seen(path)),
      status: (path, options) => real.files.status(seen(path), options),
      async write(path, bytes, options) {
        await real.files.makeDirectory(directory, { mode: 0o700 });
        await real.files.write(targetOf(path), bytes, { ...options, directoryMode: 0o700 });
        written.set(path, targetOf(path));
      },
      append: async () => {},
      makeDirectory: async () => {},
      remove: async () => {},
      removeDirectory: async () => {},
      empty: async () => [],
    },
    mounts: { ...real.mounts, unmount: async () => {} },
    services: {
      status: async () => unit,
      restart: async () => {},
      stop: async () => {},
      log: async () => [],
    },
  };
  return { host, written };
}
