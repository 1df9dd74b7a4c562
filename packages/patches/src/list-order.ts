import { describe, isObject } from './json-value.ts';
import { isDeletion } from './patch-directives.ts';
import { PatchFault } from './patch-fault.ts';

/** What tells an item of a list apart from the others. */
export type Identity = (item: unknown) => unknown;

export const theItemItself: Identity = (item) => item;

/**
 * Items are told apart by one of their members.
 *
 * @param list name of the list, for messages
 * @returns a function that throws PatchFault for an item without that member
 */
export function memberIdentity(list: string, mergeKey: string): Identity {
  return (item) => {
    if (!isObject(item)) throw new PatchFault(`${list} must hold mappings: ${describe(item)}`);
    if (!Object.hasOwn(item, mergeKey)) throw new PatchFault(`an item of ${list} lacks its merge key ${mergeKey}`);
    return item[mergeKey];
  };
}

export interface Arrangement {
  /** Items of this list come in its order. */
  readonly order: readonly unknown[];
  /** All other items keep the order they have here, and their places among the former where those are here, too. */
  readonly places: readonly unknown[];
  readonly identity: Identity;
}

/** Puts the items of a merged list in order. An item that is nowhere known comes as early as it can. */
export function arrange(items: readonly unknown[], { order, places, identity }: Arrangement): unknown[] {
  const orderKeys = order.map(identity);
  const placeKeys = places.map(identity);
  const isOrdered = items.map((item) => orderKeys.includes(identity(item)));
  // Where items of a patch were taken over as they are, some may still say that they are to be deleted.
  const sorted = (list: readonly unknown[], keys: readonly unknown[]) => [
    ...sortByIndex(
      list.filter((item) => !isDeletion(item)),
      (item) => keys.indexOf(identity(item)),
    ),
    ...list.filter(isDeletion),
  ];
  const ordered = sorted(
    items.filter((_, index) => isOrdered[index]),
    orderKeys,
  );
  const others = sorted(
    items.filter((_, index) => !isOrdered[index]),
    placeKeys,
  );
  return interleave(others, ordered, (item) => placeKeys.indexOf(identity(item)));
}

/** An insertion sort, as an item without an index is before whatever it is compared with, which no other sort has to bear. */
function sortByIndex(items: readonly unknown[], indexOf: (item: unknown) => number): unknown[] {
  const sorted: { item: unknown; index: number }[] = [];
  for (const item of items) {
    const index = indexOf(item);
    let at = sorted.length;
    while (at > 0 && isBefore(index, sorted[at - 1]?.index ?? -1)) at--;
    sorted.splice(at, 0, { item, index });
  }
  return sorted.map(({ item }) => item);
}

function isBefore(index: number, other: number): boolean {
  return index < 0 || other < 0 || index < other;
}

function interleave(
  others: readonly unknown[],
  ordered: readonly unknown[],
  placeOf: (item: unknown) => number,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of ordered) {
    const place = placeOf(item);
    while (next < others.length && place >= 0) {
      const other = placeOf(others[next]);
      if (other < 0 || other >= place) break;
      result.push(others[next++]);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
