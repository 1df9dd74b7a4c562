export { applyPatches, patchFindings } from './apply-patches.ts';
export { patchesErrorCodes, patchesFindingCodes } from './error-codes.ts';
export { jsonPatch } from './json-patch.ts';
export { mergePatch } from './merge-patch.ts';
export { type PatchFileName, type PatchType, parsePatchFileName } from './parse-patch-file-name.ts';
export { PatchFault } from './patch-fault.ts';
export { type PatchTarget, type PatchTargetRow, patchTargets } from './patch-targets.ts';
export { type PatchDocument, type PatchFile, type PatchSet, readPatches } from './read-patches.ts';
export { strategicMergePatch } from './strategic-merge-patch.ts';
