import { type Finding, isGroundplaneError } from '@groundplane/errors';
import { decodeText } from '@groundplane/manifest';
import { type PatchFile, type PatchSet, parsePatchFileName, readPatches } from '@groundplane/patches';
import type { Files, Host } from '@groundplane/phases';
import { absolutePath } from './absolute-path.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';

export interface ReadPatches {
  readonly patches: readonly PatchSet[];
  /** A warning for each file that is no patch. */
  readonly warnings: readonly Finding[];
}

/** The patches in the folder that was asked for, be it relative to the working directory; none if none was. */
export async function patchesIn(
  directory: string | undefined,
  { host, workingDirectory }: { readonly host: Host; readonly workingDirectory: string },
): Promise<ReadPatches> {
  if (directory === undefined) return { patches: [], warnings: [] };
  return readPatchesDirectory(host.files, absolutePath(directory, workingDirectory));
}

/**
 * Reads the user's patches: the files of a folder and of all folders in it. Links to files are followed, links to folders are not.
 *
 * @param directory absolute path
 * @throws BOOTSTRAP_PATCHES_UNREADABLE, PATCHES_FILE_NAME_INVALID, PATCHES_FILE_UNREADABLE
 */
export async function readPatchesDirectory(files: Files, directory: string): Promise<ReadPatches> {
  try {
    return await patchesOf(files, directory);
  } catch (cause) {
    // Whoever names a folder of patches means them: nothing is planned or described as if there were none.
    if (!isGroundplaneError(cause) || cause.kind !== 'unavailable') throw cause;
    const message = `Cannot read patches from ${directory}: ${cause.message}`;
    const hint = `${cause.hint ?? 'Put a file there that whoever runs this may read'}. Or leave the folder out of the configuration and the flags, where it does not matter`;
    throw bootstrapError('BOOTSTRAP_PATCHES_UNREADABLE', message, { hint, details: { directory }, cause });
  }
}

async function patchesOf(files: Files, directory: string): Promise<ReadPatches> {
  const status = await files.status(directory, { followLinks: false });
  if (status?.kind !== 'directory') {
    const is = status === undefined ? 'it does not exist' : `it is a ${status.kind} and no directory`;
    throw bootstrapError('BOOTSTRAP_PATCHES_UNREADABLE', `Cannot read patches from ${directory} as ${is}`, {
      hint: `Give the folder with --patches or patches.directory${status?.kind === 'symlink' ? ', not a link to it' : ''}`,
      details: { directory },
    });
  }
  const found: PatchFile[] = [];
  const warnings: Finding[] = [];
  const unknownTargets: string[] = [];
  const ignore = (path: string, reason: string) => {
    const message = `Ignored a file in the folder of patches as ${reason}: ${path}`;
    warnings.push(bootstrapFinding({ code: 'BOOTSTRAP_PATCH_IGNORED', severity: 'warning', artifact: path, message }));
  };
  const root = directory.replace(/\/+$/, '');
  const walk = async (folder: string): Promise<void> => {
    for (const name of (await files.list(`${root}${folder}`)) ?? []) {
      const path = `${folder}/${name}`;
      if ((await files.status(`${root}${path}`, { followLinks: false }))?.kind === 'directory') {
        await walk(path);
        continue;
      }
      const parsed = parsePatchFileName(name);
      if ('ignored' in parsed) {
        if (/^[^.].*\.(json|yaml)$/.test(name)) unknownTargets.push(`${path.slice(1)}, but ${parsed.ignored}`);
        ignore(path.slice(1), parsed.ignored);
        continue;
      }
      const text = await readText(files, `${root}${path}`);
      if (text === '') ignore(path.slice(1), 'it is empty');
      else found.push({ path: path.slice(1), text });
    }
  };
  await walk('');
  const [unknown] = unknownTargets;
  // Beside patches that count it is a warning; alone it is a typing mistake that would leave nothing patched.
  if (found.length === 0 && unknown !== undefined) {
    const message = `Cannot use the folder of patches ${directory} as no file in it is a patch of a known target: ${unknown}`;
    throw bootstrapError('BOOTSTRAP_PATCHES_UNREADABLE', message, { details: { directory } });
  }
  return { patches: readPatches(found), warnings };
}

async function readText(files: Files, path: string): Promise<string> {
  const content = await files.read(path);
  if (content !== undefined) return decoded(path, content.bytes);
  throw bootstrapError('BOOTSTRAP_PATCHES_UNREADABLE', `Cannot read the patch ${path} as it is a link to nothing`, {
    details: { path },
  });
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return decodeText(bytes);
  } catch (cause) {
    if (!isGroundplaneError(cause)) throw cause;
    const { message, hint = '' } = cause;
    throw bootstrapError('BOOTSTRAP_PATCHES_UNREADABLE', `Cannot read the patch ${path}: ${message}`, { hint, cause });
  }
}
