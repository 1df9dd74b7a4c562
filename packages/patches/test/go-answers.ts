import { isGroundplaneError } from '@groundplane/errors';
import { parseYaml } from '@groundplane/manifest';
import { expect } from 'vitest';
import { applyPatches, type PatchTarget, type PatchType, readPatches } from '../src/index.ts';

/** The form of testdata/go-patches/cases.json. */
export interface Cases {
  /** Name → YAML. */
  readonly documents: Readonly<Record<string, string>>;
  readonly cases: readonly PatchCase[];
}

export interface PatchCase {
  readonly name: string;
  readonly document: string;
  readonly type: PatchType;
  /** YAML, to be applied one after another. */
  readonly patches: readonly string[];
}

/** What kubeadm's libraries make of a case; testdata/go-patches/main.go is the program that asks them. */
export interface Answer {
  readonly patched?: unknown;
  readonly error?: string;
  readonly decodeError?: string;
}

const targets: Readonly<Record<string, PatchTarget>> = {
  pod: 'kube-scheduler',
  deployment: 'corednsdeployment',
  daemonset: 'kubeproxydaemonset',
  kubelet: 'kubeletconfiguration',
};

/** Applies a case and compares with the answer: the same document, or an error of the same kind. */
export function expectAnswer(
  { document, type, patches }: PatchCase,
  answer: Answer,
  documents: Cases['documents'],
): void {
  const target = targets[document];
  if (target === undefined) throw new TypeError(`Cannot test as there is no target for ${document}`);
  const text = patches.join('\n---\n');
  const sets = readPatches([{ path: `${target}+${type}.yaml`, text }]);
  let outcome: unknown;
  try {
    outcome = { patched: applyPatches(target, parseYaml(documents[document] ?? '') as object, sets) };
  } catch (error) {
    if (!isGroundplaneError(error)) throw error;
    outcome = { code: error.code };
  }
  if (answer.error !== undefined) expect(outcome, text).toEqual({ code: 'PATCHES_NOT_APPLICABLE' });
  else if (answer.decodeError === undefined) expect(outcome, text).toEqual({ patched: answer.patched });
  // That a document has become a list is told by us at once, by them when it is decoded.
  else expect(outcome, text).toEqual({ code: expect.stringMatching(/^PATCHES_(?:NOT_APPLICABLE|RESULT_INVALID)$/) });
}
