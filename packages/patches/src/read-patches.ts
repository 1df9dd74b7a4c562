import { isGroundplaneError } from '@groundplane/errors';
import { parseDocuments } from '@groundplane/manifest';
import { patchesError } from './error-codes.ts';
import { type PatchType, parsePatchFileName } from './parse-patch-file-name.ts';
import type { PatchTarget } from './patch-targets.ts';

/** A file of a folder of patches. */
export interface PatchFile {
  /** Path in the folder, with slashes: `sub/kube-scheduler.yaml`. */
  readonly path: string;
  readonly text: string;
}

/** One document of a patch file. */
export interface PatchDocument {
  /** Number in the file, counted from 1. Empty documents count. */
  readonly number: number;
  /** Plain JSON data. */
  readonly value: unknown;
}

/** What one file holds: patches of one type for one target. Plain data. */
export interface PatchSet {
  readonly path: string;
  readonly target: PatchTarget;
  readonly type: PatchType;
  /** In their order in the file; documents that hold nothing but comments are left out. */
  readonly patches: readonly PatchDocument[];
}

/**
 * Reads the files of a folder of patches. Files whose names are those of no patch, and empty ones, are passed over.
 *
 * @param files in any order
 * @returns one set for each file, in the order in which a walk through the folder meets them, which is that of their application
 * @throws PATCHES_FILE_NAME_INVALID, PATCHES_FILE_UNREADABLE
 */
export function readPatches(files: readonly PatchFile[]): readonly PatchSet[] {
  return files.toSorted(byWalk).flatMap(({ path, text }): readonly PatchSet[] => {
    const name = parsePatchFileName(path.slice(path.lastIndexOf('/') + 1));
    if ('ignored' in name || text === '') return [];
    const patches = documentsOf(path, text);
    return [{ path, target: name.target, type: name.type, patches }];
  });
}

/** A walk goes through a folder's entries by name, and into a folder at its place among them. */
function byWalk(left: PatchFile, right: PatchFile): number {
  const [a, b] = [left.path.split('/'), right.path.split('/')];
  const index = a.findIndex((name, position) => name !== b[position]);
  if (index < 0) return a.length - b.length;
  return (a[index] ?? '') < (b[index] ?? '') ? -1 : 1;
}

function documentsOf(path: string, text: string): readonly PatchDocument[] {
  try {
    return parseDocuments(text, { allowFlowMappings: true })
      .filter(({ empty }) => !empty)
      .map(({ number, value }) => ({ number, value }));
  } catch (error) {
    if (!isGroundplaneError(error)) throw error;
    throw patchesError('PATCHES_FILE_UNREADABLE', `Cannot read the patch file ${path}: ${error.message}`, {
      cause: error,
      details: { path, ...error.details },
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
}
