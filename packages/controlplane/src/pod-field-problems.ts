import { normalQuantity } from '@groundplane/manifest';
import { type FieldRule, fieldRules } from './pod-field-rules.ts';
import { podTypes } from './pod-types.ts';

/** A field of a Pod for which the kubelet does not take it. */
export interface PodFieldProblem {
  /** Such as `spec.containers[0].image`. */
  readonly path: string;
  /** What it has to be, after "must". */
  readonly must: string;
  /** As it stands there; absent where nothing does. */
  readonly value?: unknown;
}

/** What one value of a type has to be; what nothing is said about may be anything. */
const scalars: Readonly<Record<string, FieldRule>> = {
  string: { meets: (value) => typeof value === 'string', must: 'be a string (numbers, yes, on and null in quotes)' },
  boolean: { meets: (value) => typeof value === 'boolean', must: 'be true or false, without quotes' },
  int32: { meets: isInteger(2 ** 31), must: 'be a whole number of 32 bits, without quotes' },
  int64: { meets: isInteger(2 ** 63), must: 'be a whole number, without quotes' },
  quantity: {
    meets: (value) =>
      (typeof value === 'string' || typeof value === 'number') && normalQuantity(String(value)) !== undefined,
    must: 'be a quantity such as 100m or 64Mi',
  },
  'int-or-string': {
    meets: (value) => typeof value === 'string' || isInteger(2 ** 31)(value),
    must: 'be a number or a name',
  },
  time: {
    meets: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
    must: 'be a time as in RFC 3339',
  },
};

/**
 * Fields of a v1 Pod that cannot be decoded, or have a value for which no kubelet takes the pod (k8s.io/kubernetes,
 * pkg/kubelet/config/common.go, tryDecodeSinglePod; pkg/apis/core/validation). Fields that there are not are passed over, as the kubelet does.
 *
 * @param pod as parsed
 */
export function podFieldProblems(pod: unknown): readonly PodFieldProblem[] {
  return problemsOf('Pod', pod, '');
}

/** Paths of fields that a Pod does not have, which the kubelet passes over without a word. */
export function unknownPodFields(pod: unknown): readonly string[] {
  const found: string[] = [];
  problemsOf('Pod', pod, '', (path) => found.push(path));
  return found;
}

function problemsOf(
  type: string,
  value: unknown,
  path: string,
  onUnknown: (path: string) => void = () => {},
): readonly PodFieldProblem[] {
  if (value === undefined || value === null) return [];
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [wrong(path, 'be a list', value)];
    return value.flatMap((item, index) =>
      item === null
        ? [wrong(`${path}[${index}]`, 'not be empty', item)]
        : problemsOf(type.slice(2), item, `${path}[${index}]`, onUnknown),
    );
  }
  const fields = podTypes[type];
  const isStruct = fields !== undefined || type.startsWith('{}');
  if (!isStruct) return judged(scalars[type], value, path);
  if (typeof value !== 'object' || Array.isArray(value)) return [wrong(path, 'be a mapping', value)];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const partType = fields === undefined ? type.slice(2) : Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (partType === undefined) {
      onUnknown(at);
      return [];
    }
    const found = problemsOf(partType, part, at, onUnknown);
    // Zero and nothing are one, and get the default.
    const isUnset = part === undefined || part === null || part === '' || part === 0;
    return found.length > 0 || isUnset ? found : judged(fieldRules[`${type}.${name}`], part, at);
  });
}

function judged(rule: FieldRule | undefined, value: unknown, path: string): readonly PodFieldProblem[] {
  return rule === undefined || rule.meets(value) ? [] : [wrong(path, rule.must, value)];
}

function wrong(path: string, must: string, value: unknown): PodFieldProblem {
  return typeof value === 'object' && value !== null ? { path, must } : { path, must, value };
}

function isInteger(limit: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= -limit && value < limit;
}
