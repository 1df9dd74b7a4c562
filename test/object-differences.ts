import type { ClusterObjects } from './cluster-objects.ts';

/** One place at which two clusters are not the same. */
export interface ObjectDifference {
  /** Kind, namespace and name. */
  readonly object: string;
  /** Where in the object, as `spec.containers[0].image`; empty for the object as a whole. */
  readonly field: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/** Differences on purpose. Each must be met, so that the list does not outlive its reasons. */
export interface DocumentedDifference {
  readonly object: RegExp;
  readonly field: RegExp;
  /** As docs/differences.md has it. */
  readonly reason: string;
}

/** Every leaf in which two clusters differ, in the order of the objects' names. */
export function objectDifferences(ours: ClusterObjects, theirs: ClusterObjects): readonly ObjectDifference[] {
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted();
  return names.flatMap((object) => {
    if (!ours.has(object)) return [{ object, field: '', ours: undefined, theirs: '(there)' }];
    if (!theirs.has(object)) return [{ object, field: '', ours: '(there)', theirs: undefined }];
    return fieldDifferences(ours.get(object), theirs.get(object), '').map((difference) => ({ object, ...difference }));
  });
}

type FieldDifference = Omit<ObjectDifference, 'object'>;

function fieldDifferences(ours: unknown, theirs: unknown, field: string): readonly FieldDifference[] {
  if (Object.is(ours, theirs)) return [];
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return Array.from({ length: Math.max(ours.length, theirs.length) }).flatMap((_, index) =>
      fieldDifferences(ours[index], theirs[index], `${field}[${index}]`),
    );
  }
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted();
    return keys.flatMap((key) => fieldDifferences(ours[key], theirs[key], field === '' ? key : `${field}.${key}`));
  }
  return [{ field, ours, theirs }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Splits differences into those that no row documents, and rows that no difference met. */
export function judgeDifferences(
  differences: readonly ObjectDifference[],
  documented: readonly DocumentedDifference[],
): { readonly undocumented: readonly ObjectDifference[]; readonly unmet: readonly DocumentedDifference[] } {
  const matches = (row: DocumentedDifference, { object, field }: ObjectDifference) =>
    row.object.test(object) && row.field.test(field);
  return {
    undocumented: differences.filter((difference) => !documented.some((row) => matches(row, difference))),
    unmet: documented.filter((row) => !differences.some((difference) => matches(row, difference))),
  };
}
