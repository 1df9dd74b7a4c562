import { describe, type JsonObject, kindOf } from './json-value.ts';
import { arrange, type Identity, memberIdentity, theItemItself } from './list-order.ts';
import { directive, hasDirective, isDeletion, unknownDirective, withoutDirectives } from './patch-directives.ts';
import { PatchFault } from './patch-fault.ts';

/** A list that a strategic merge patch is about. */
export interface PatchedList {
  /** Its name, for messages. */
  readonly name: string;
  /** The items as they are; undefined if there is no list yet. */
  readonly current: readonly unknown[] | undefined;
  /** What the patch says; undefined if it says nothing. */
  readonly patch: readonly unknown[] | undefined;
  readonly mergeKey: string | undefined;
}

export interface ListMerge {
  readonly name: string;
  readonly mergeKey: string | undefined;
  /** The patch lists scalars that are to go. */
  readonly isDeletion: boolean;
  readonly mergeItem: (original: JsonObject, patch: JsonObject) => JsonObject;
}

export interface MergedList {
  readonly items: readonly unknown[];
  /**
   * What `$setElementOrder` takes for the list as it was. kubeadm's library deletes and appends in one array, so that to it new
   * items have been where deleted ones were.
   */
  readonly places: readonly unknown[];
}

/**
 * Merges two lists item by item. Items of the patch come in its order, new ones as early as they can.
 *
 * @throws PatchFault
 */
export function mergeLists(current: readonly unknown[], patch: readonly unknown[], options: ListMerge): MergedList {
  const { name, mergeKey, isDeletion, mergeItem } = options;
  if (current.length === 0 && patch.length === 0) return { items: [], places: [] };
  if (kindOfItems(name, current, patch) !== 'object') {
    if (isDeletion) return { items: current.filter((item) => !patch.includes(item)), places: current };
    const identity = identityOf({ name, mergeKey });
    const items = [...new Set([...current, ...patch])];
    return { items: arrange(items, { order: patch, places: current, identity }), places: current };
  }
  if (mergeKey === undefined) throw new PatchFault(`${name} cannot merge mappings, which nothing tells apart`);
  const identity = memberIdentity(name, mergeKey);
  const { remaining, changes, replaces } = withDeletions(current as JsonObject[], patch as JsonObject[], identity);
  const merged = [...remaining];
  for (const change of changes) {
    const key = identity(change);
    const index = merged.findIndex((item) => Object.hasOwn(item, mergeKey) && item[mergeKey] === key);
    const existing = merged[index];
    if (existing === undefined) merged.push(change);
    else merged[index] = mergeItem(existing, change);
  }
  const items = arrange(merged, { order: changes, places: remaining, identity });
  return { items, places: replaces ? current : merged.slice(0, current.length) };
}

/** Carries out `$patch: delete` and `$patch: replace`; what is left of the patch are ordinary items. */
function withDeletions(
  current: readonly JsonObject[],
  patch: readonly JsonObject[],
  identity: Identity,
): { readonly remaining: readonly JsonObject[]; readonly changes: readonly JsonObject[]; readonly replaces: boolean } {
  const changes = patch.filter((item) => !hasDirective(item));
  const gone = new Set<unknown>();
  let replaces = false;
  for (const item of patch.filter(hasDirective)) {
    const verb = item[directive];
    if (verb === 'delete') gone.add(identity(item));
    else if (verb === 'replace') replaces = true;
    else throw unknownDirective(verb);
  }
  if (replaces) return { remaining: changes, changes: [], replaces };
  const remaining = current.filter((item) => gone.size === 0 || !gone.has(identity(item)));
  return { remaining, changes, replaces };
}

/**
 * Brings a list into the order that `$setElementOrder` gives.
 *
 * @param order scalars, or mappings that hold the merge key
 * @param merge makes one list of the two if both are there
 * @returns undefined if there is neither
 * @throws PatchFault if the order leaves out an item of the patch or contradicts the patch's own
 */
export function orderedList(
  order: readonly unknown[],
  { name, current, patch, mergeKey }: PatchedList,
  merge: (current: readonly unknown[], patch: readonly unknown[]) => MergedList,
): unknown[] | undefined {
  const identity = identityOf({ name, mergeKey });
  if (patch !== undefined) requireSameOrder(order, patch, { name, identity });
  if (current === undefined && patch === undefined) return undefined;
  kindOfItems(name, current ?? [], patch ?? []);
  const { items, places } =
    current === undefined
      ? { items: withoutDirectives(patch ?? []), places: [] }
      : patch === undefined
        ? { items: current, places: current }
        : merge(current, patch);
  return arrange(items, { order, places, identity });
}

function requireSameOrder(
  order: readonly unknown[],
  patch: readonly unknown[],
  { name, identity }: { readonly name: string; readonly identity: Identity },
): void {
  const items = patch.filter((item) => !isDeletion(item));
  let item = 0;
  let place = 0;
  while (item < items.length && place < order.length) {
    if (hasDirective(items[item])) item++;
    else if (identity(items[item]) === identity(order[place++])) item++;
  }
  if (order.length === 0 || item === items.length) return;
  throw new PatchFault(`the patch has items of ${name} that its order lacks, or in another order`);
}

function identityOf({ name, mergeKey }: { readonly name: string; readonly mergeKey: string | undefined }): Identity {
  return mergeKey === undefined ? theItemItself : memberIdentity(name, mergeKey);
}

/** The kind of all items, which has to be one and not that of lists. */
function kindOfItems(name: string, ...lists: readonly (readonly unknown[])[]): string {
  const items = lists.flat(1);
  const [first, ...others] = items;
  if (items.length === 0) throw new PatchFault(`${name} holds nothing that could be put in order`);
  const kind = kindOf(first);
  if (kind === 'list' || kind === 'null')
    throw new PatchFault(`${name} cannot be merged as it holds ${describe(first)}`);
  const other = others.find((item) => kindOf(item) !== kind);
  if (other === undefined) return kind;
  throw new PatchFault(`${name} holds items of different kinds: ${describe(first)} and ${describe(other)}`);
}
