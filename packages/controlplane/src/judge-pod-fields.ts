import { type FieldProblem, fieldTypeProblems } from '@groundplane/manifest';
import { fieldRules } from './pod-field-rules.ts';
import { podTypes } from './pod-types.ts';

export interface PodFields {
  /** Those that cannot be decoded, or have a value for which no kubelet takes the pod. */
  readonly problems: readonly FieldProblem[];
  /** Paths of fields that a Pod does not have, which the kubelet passes over without a word. */
  readonly unknown: readonly string[];
}

/**
 * Judges the fields of a v1 Pod one by one (k8s.io/kubernetes, pkg/kubelet/config/common.go, tryDecodeSinglePod; pkg/apis/core/validation).
 *
 * @param pod as parsed
 */
export function judgePodFields(pod: unknown): PodFields {
  const unknown: string[] = [];
  const onUnknown = (path: string) => unknown.push(path);
  const problems = fieldTypeProblems({ types: podTypes, root: 'Pod', rules: fieldRules, onUnknown }, pod);
  return { problems, unknown };
}
