import type { Finding } from '@groundplane/errors';
import { decodeObject } from './decode-object.ts';
import { patchesError, patchesFinding } from './error-codes.ts';
import { jsonPatch } from './json-patch.ts';
import { describe, isObject, type JsonObject } from './json-value.ts';
import { mergePatch } from './merge-patch.ts';
import type { PatchType } from './parse-patch-file-name.ts';
import { PatchFault } from './patch-fault.ts';
import { type PatchTarget, type PatchTargetRow, patchTargets } from './patch-targets.ts';
import type { PatchDocument, PatchSet } from './read-patches.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

/**
 * Applies the patches that are for a target, in their order. Where the target is an API object, the result is read as one, as
 * kubeadm does: unknown fields vanish, quantities get their normal form.
 *
 * @param document plain JSON data; it is left as it is
 * @returns the patched document; `document` itself if no patch is for this target
 * @throws PATCHES_NOT_APPLICABLE, PATCHES_RESULT_INVALID, which name the patch's file and document
 */
export function applyPatches<T extends object>(target: PatchTarget, document: T, patches: readonly PatchSet[]): T {
  const row: PatchTargetRow = patchTargets[target];
  const steps = stepsFor(target, patches);
  if (steps.length === 0) return document;
  const states = [document as JsonObject];
  for (const step of steps) states.push(patched(states.at(-1) ?? {}, step, row));
  const result = states.at(-1) ?? {};
  if (!row.isDecoded) return result as T;
  const { decoded, faults } = inspect(result, row);
  const [fault] = faults;
  if (fault === undefined) return decoded as T;
  // A later patch may mend what an earlier one broke, so it is the last one that turned right into wrong.
  const index = states.findLastIndex((state) => !inspect(state, row).faults.includes(fault));
  const { place } = steps[Math.max(index, 0)] ?? { place: 'the patches' };
  throw patchesError('PATCHES_RESULT_INVALID', `Cannot use ${place} for ${target} as ${fault}`, {
    hint: 'Correct the patch, or take its file out of the folder of patches',
    details: { target },
  });
}

/**
 * What patches do in vain: fields that the kind does not have, and, where nobody else checks it, values of the wrong type.
 *
 * @returns warnings; the artifact of each is the patch file
 * @throws PATCHES_NOT_APPLICABLE
 */
export function patchFindings(target: PatchTarget, document: object, patches: readonly PatchSet[]): readonly Finding[] {
  const row: PatchTargetRow = patchTargets[target];
  let state = document as JsonObject;
  let before = inspect(state, row);
  return stepsFor(target, patches).flatMap((step): readonly Finding[] => {
    state = patched(state, step, row);
    const after = inspect(state, row);
    const unknown = after.unknown.filter((path) => !before.unknown.includes(path));
    const faults = row.isDecoded ? [] : after.faults.filter((fault) => !before.faults.includes(fault));
    before = after;
    const artifact = step.file;
    return [
      ...unknown.map((path) => {
        const message = `Cannot keep what ${step.place} sets as ${row.kind} has no such field: ${path}`;
        return patchesFinding({ code: 'PATCHES_FIELD_UNKNOWN', severity: 'warning', artifact, message });
      }),
      ...faults.map((fault) => {
        const message = `Cannot expect ${row.kind} to be read after ${step.place} as ${fault}`;
        return patchesFinding({ code: 'PATCHES_FIELD_MISTYPED', severity: 'warning', artifact, message });
      }),
    ];
  });
}

interface Step {
  readonly file: string;
  /** `kube-apiserver.yaml, document 2`. */
  readonly place: string;
  readonly target: PatchTarget;
  readonly type: PatchType;
  readonly patch: PatchDocument;
}

function stepsFor(target: PatchTarget, patches: readonly PatchSet[]): readonly Step[] {
  return patches
    .filter((set) => set.target === target)
    .flatMap(({ path, type, patches: documents }) =>
      documents.map((patch) => {
        return { file: path, place: `the patch ${path}, document ${patch.number},`, target, type, patch };
      }),
    );
}

const applyTable: Readonly<Record<PatchType, (document: JsonObject, patch: unknown, kind: string) => unknown>> = {
  json: jsonPatch,
  merge: mergePatch,
  strategic: strategicMergePatch,
};

function patched(document: JsonObject, { place, target, type, patch }: Step, { kind }: PatchTargetRow): JsonObject {
  try {
    const result = applyTable[type](document, patch.value, kind);
    if (isObject(result)) return result;
    throw new PatchFault(`it makes of the document ${describe(result)}`);
  } catch (thrown) {
    if (!(thrown instanceof PatchFault)) throw thrown;
    throw patchesError('PATCHES_NOT_APPLICABLE', `Cannot apply ${place} to ${target} as ${thrown.message}`, {
      hint: `Correct the patch, which is of type ${type}, or take its file out of the folder of patches`,
      details: { target, type },
      cause: thrown,
    });
  }
}

interface Inspected {
  readonly decoded: JsonObject;
  /** Why the document is none of its kind; complete "as …". */
  readonly faults: readonly string[];
  readonly unknown: readonly string[];
}

function inspect(document: JsonObject, { kind, apiVersion }: PatchTargetRow): Inspected {
  const faults: string[] = [];
  const unknown: string[] = [];
  for (const [name, expected] of Object.entries({ apiVersion, kind })) {
    const value = document[name];
    if (value === expected) continue;
    faults.push(`${name} must stay ${expected}: ${typeof value === 'string' ? value : describe(value)}`);
  }
  const decoded = decodeObject(kind, document, {
    unknown: (path) => unknown.push(path),
    mistyped: (path, reason) => faults.push(`${path} ${reason}`),
  });
  return { decoded, faults, unknown };
}
