import { posix } from 'node:path';
import type { Files, Host } from '@groundplane/bootstrap';
import type { NodeFile } from './node-bundle.ts';

/**
 * A machine as it is going to be when these files are on it. Phases are planned on it before anything is written; it refuses
 * every change.
 */
export function overlayHost(host: Host, planned: readonly NodeFile[]): Host {
  const byPath = new Map(planned.map((file) => [file.path, file]));
  const bytesOf = ({ text }: NodeFile) => new TextEncoder().encode(text);
  const owner = { uid: 0, gid: 0, modifiedMs: 0 };
  const statusOf = (file: NodeFile) =>
    ({ kind: 'file', mode: file.mode, size: bytesOf(file).length, ...owner }) as const;
  const namesBelow = (folder: string) =>
    planned.flatMap(({ path }) =>
      path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0] ?? ''] : [],
    );
  const refuse = async (path: string): Promise<never> => {
    throw new TypeError(`Cannot change ${path} as it is only planned`);
  };
  const { files } = host;
  const overlay: Files = {
    read: async (path) => {
      const file = byPath.get(posix.normalize(path));
      return file === undefined ? files.read(path) : { ...statusOf(file), bytes: bytesOf(file) };
    },
    status: async (path, options) => {
      const file = byPath.get(posix.normalize(path));
      if (file !== undefined) return statusOf(file);
      const found = await files.status(path, options);
      if (found !== undefined || namesBelow(posix.normalize(path)).length === 0) return found;
      return { kind: 'directory', mode: 0o755, size: 0, ...owner };
    },
    list: async (path) => {
      const names = namesBelow(posix.normalize(path));
      const found = await files.list(path);
      return found === undefined && names.length === 0 ? undefined : [...new Set([...(found ?? []), ...names])].sort();
    },
    realPath: async (path) => (byPath.has(posix.normalize(path)) ? path : files.realPath(path)),
    write: refuse,
    append: refuse,
    makeDirectory: refuse,
    remove: refuse,
    removeDirectory: refuse,
    empty: refuse,
  };
  return { ...host, files: overlay };
}
