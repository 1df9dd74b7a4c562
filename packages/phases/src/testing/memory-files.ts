import { parentOf } from '../parent-of.ts';
import type { FileStatus, Files } from '../ports.ts';
import { type Alive, type Change, type MemoryState, stamp } from './memory-state.ts';

/** Files in memory, with modes, times and directories. The user is root; there are no symbolic links. */
export function memoryFiles(state: MemoryState, change: Change, alive: Alive): Files {
  return {
    async read(path) {
      alive();
      if (state.directories.has(path)) throw new Error(`EISDIR: illegal operation on a directory, read '${path}'`);
      const file = state.files.get(path);
      return file && { ...fileStatus(file.bytes.length, file), bytes: file.bytes.slice() };
    },
    async status(path) {
      alive();
      const file = state.files.get(path);
      if (file !== undefined) return fileStatus(file.bytes.length, file);
      const directory = state.directories.get(path);
      return directory && { ...fileStatus(0, directory), kind: 'directory' };
    },
    async list(path) {
      alive();
      if (!state.directories.has(path)) return undefined;
      return [...state.files.keys(), ...state.directories.keys()]
        .filter((other) => other !== path && parentOf(other) === path)
        .map((other) => other.slice(other.lastIndexOf('/') + 1))
        .sort();
    },
    write: (path, bytes, { mode, maxMode = 0o7777, directoryMode }) =>
      change({ action: 'write', location: path }, () => {
        const before = state.files.get(path);
        putFile(state, path, bytes, { mode: before === undefined ? mode : before.mode & maxMode, directoryMode });
      }),
    append: (path, bytes, { mode }) =>
      change({ action: 'append', location: path }, () => {
        const before = state.files.get(path);
        const all = new Uint8Array([...(before?.bytes ?? []), ...bytes]);
        putFile(state, path, all, { mode: before?.mode ?? mode });
      }),
    makeDirectory: (path, { mode }) =>
      change({ action: 'make-directory', location: path }, () => putDirectory(state, path, mode)),
    async remove(path) {
      alive();
      if (state.directories.has(path)) throw new Error(`EISDIR: illegal operation on a directory, unlink '${path}'`);
      if (state.files.has(path)) await change({ action: 'remove', location: path }, () => state.files.delete(path));
    },
    async realPath(path) {
      alive();
      return state.files.has(path) || state.directories.has(path) ? path : undefined;
    },
    async removeDirectory(path) {
      alive();
      if (state.files.has(path)) throw new Error(`ENOTDIR: not a directory, rmdir '${path}'`);
      if (!state.directories.has(path)) return;
      if (pathsIn(state, path).length > 0) throw new Error(`ENOTEMPTY: directory not empty, rmdir '${path}'`);
      await change({ action: 'remove', location: path }, () => state.directories.delete(path));
    },
    async empty(path) {
      alive();
      if (pathsIn(state, path).length === 0) return [];
      await change({ action: 'remove', location: path }, () => {
        for (const inside of pathsIn(state, path)) {
          state.files.delete(inside);
          state.directories.delete(inside);
        }
      });
      return [];
    },
  };
}

function pathsIn(state: MemoryState, directory: string): readonly string[] {
  return [...state.files.keys(), ...state.directories.keys()].filter((path) => path.startsWith(`${directory}/`));
}

/** Puts a file there without going through a port. */
export function putFile(
  state: MemoryState,
  path: string,
  bytes: Uint8Array,
  options: { readonly mode: number; readonly directoryMode?: number | undefined },
): void {
  if (!path.startsWith('/') || path.endsWith('/'))
    throw new TypeError(`Cannot write as the path is not absolute: ${path}`);
  if (state.directories.has(path)) throw new Error(`EISDIR: illegal operation on a directory, rename '${path}'`);
  makeDirectories(state, parentOf(path), options.directoryMode ?? 0o755);
  state.files.set(path, { bytes: bytes.slice(), mode: options.mode, modifiedMs: stamp(state) });
}

/** Makes a directory, or changes its mode, without going through a port. */
export function putDirectory(state: MemoryState, path: string, mode: number): void {
  makeDirectories(state, parentOf(path), 0o755);
  state.directories.set(path, { mode, modifiedMs: stamp(state) });
}

function makeDirectories(state: MemoryState, path: string, mode: number): void {
  if (state.directories.has(path)) return;
  if (state.files.has(path)) throw new Error(`ENOTDIR: not a directory, mkdir '${path}'`);
  makeDirectories(state, parentOf(path), mode);
  state.directories.set(path, { mode, modifiedMs: stamp(state) });
}

function fileStatus(size: number, { mode, modifiedMs }: { mode: number; modifiedMs: number }): FileStatus {
  return { kind: 'file', mode, uid: 0, gid: 0, size, modifiedMs };
}
