/** JSON as this file handles it. */
type Tree = Readonly<Record<string, unknown>>;

export interface ObjectTexts {
  /** Absent if there is no object yet. */
  readonly before?: string;
  readonly after?: string;
}

/** What the API server adds to an object, and what others than those who apply it write. */
const ofServer: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/**
 * An object before and after a server-side apply, as texts that differ exactly where the apply changes something: of what is there, the
 * fields that are desired, and those that were applied before and are not desired any more (structured-merge-diff: an applier owns what
 * it has applied, and takes with it what it leaves out).
 *
 * @param live as the API server gave it, with its managedFields
 * @param manager field manager of the apply
 */
export function objectTexts(live: unknown, desired: unknown, { manager }: { readonly manager: string }): ObjectTexts {
  const after = desired === undefined ? {} : { after: textOf(withoutServerFields(desired)) };
  if (!isTree(live)) return after;
  const seen = desired === undefined ? live : concerned(live, desired, appliedBy(live, manager));
  return { before: textOf(withoutServerFields(seen)), ...after };
}

/** JSON with sorted keys, as the order of keys says nothing. */
function textOf(value: unknown): string {
  return `${JSON.stringify(sorted(value), undefined, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function withoutServerFields(object: unknown): unknown {
  if (!isTree(object)) return object;
  const { status: _, metadata, ...rest } = object;
  if (!isTree(metadata)) return rest;
  return { ...rest, metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !ofServer.has(key))) };
}

/** The part of what is there that the apply is about. Elements of lists are compared by their places. */
function concerned(live: unknown, desired: unknown, owned: Tree): unknown {
  if (Array.isArray(live) && Array.isArray(desired))
    return live.map((element, index) => (index < desired.length ? concerned(element, desired[index], {}) : element));
  if (!isTree(live) || !isTree(desired)) return live;
  const entries = Object.entries(live).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const below = owned[`f:${key}`];
    if (key in desired) return [[key, concerned(value, desired[key], isTree(below) ? below : {})]];
    return below === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** What somebody has applied, in the form of fieldsV1 (apimachinery: meta/v1, FieldsV1). */
function appliedBy(object: Tree, manager: string): Tree {
  const metadata = isTree(object.metadata) ? object.metadata : {};
  const rows = Array.isArray(metadata.managedFields) ? metadata.managedFields : [];
  const own = rows.filter(isTree).find((row) => row.manager === manager && row.operation === 'Apply');
  return isTree(own?.fieldsV1) ? own.fieldsV1 : {};
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
