import { patchesError } from './error-codes.ts';
import { type PatchTarget, patchTargets } from './patch-targets.ts';

export type PatchType = 'json' | 'merge' | 'strategic';

const patchTypes: readonly PatchType[] = ['json', 'merge', 'strategic'];

/** What the name of a patch file says. */
export interface PatchFileName {
  readonly target: PatchTarget;
  /** Free text, by which patches of one target are put in order. */
  readonly suffix: string;
  /** `strategic` if the name says nothing. */
  readonly type: PatchType;
  readonly extension: 'json' | 'yaml';
}

const grammar = new RegExp(`^(${Object.keys(patchTargets).join('|')})([^.+\\n]*)(\\+)?(${patchTypes.join('|')})?`);

/**
 * Reads the name of a patch file: `target[suffix][+type].extension`, for instance `kube-apiserver0+merge.yaml`. What stands
 * between the type, or the suffix, and the extension does not matter.
 *
 * @param name without folders
 * @returns what it says, or why the file is none that counts
 * @throws PATCHES_FILE_NAME_INVALID if no patch type follows a `+`
 */
export function parsePatchFileName(name: string): PatchFileName | { readonly ignored: string } {
  const extension = /[^\n]\.(json|yaml)$/.exec(name)?.[1];
  if (extension === undefined) return { ignored: 'its extension must be json or yaml' };
  const match = grammar.exec(name);
  if (match === null) return { ignored: `its name must begin with one of ${Object.keys(patchTargets).join(', ')}` };
  const [, target, suffix = '', plus, type] = match;
  if (plus !== undefined && type === undefined) {
    throw patchesError(
      'PATCHES_FILE_NAME_INVALID',
      `Cannot use a patch file as its name has an unknown or missing patch type after '+', which must be one of ${patchTypes.join(', ')}: ${name}`,
      { hint: 'Rename the file, or move it out of the folder of patches', details: { name } },
    );
  }
  return {
    target: target as PatchTarget,
    suffix,
    type: (type as PatchType | undefined) ?? 'strategic',
    extension: extension as 'json' | 'yaml',
  };
}
