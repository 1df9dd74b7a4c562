import { errorFactory, type Finding } from '@groundplane/errors';

/** The error codes of this package. */
export const patchesErrorCodes = {
  PATCHES_FILE_NAME_INVALID: {
    kind: 'usage',
    description: "The name of a patch file holds a '+' that no known patch type follows",
  },
  PATCHES_FILE_UNREADABLE: { kind: 'usage', description: 'A patch file is not YAML or JSON' },
  PATCHES_NOT_APPLICABLE: { kind: 'usage', description: 'A patch does not fit the document that it is for' },
  PATCHES_RESULT_INVALID: {
    kind: 'usage',
    description: 'What a patch makes of a document is no object of its kind any more',
  },
} as const;

export const patchesError = errorFactory(patchesErrorCodes);

/** The codes of this package's findings, and when they are raised. */
export const patchesFindingCodes = {
  PATCHES_FIELD_UNKNOWN: 'A patch sets a field that the kind does not have, so that it is lost',
  PATCHES_FIELD_MISTYPED: 'A patch gives a field a value of another type than the component reads',
} as const;

export function patchesFinding(finding: Finding & { readonly code: keyof typeof patchesFindingCodes }): Finding {
  return finding;
}
