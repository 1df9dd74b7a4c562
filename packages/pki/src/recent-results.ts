/** Results of a function of one text, for the texts that were asked for last. */
export interface RecentResults<T> {
  /** The result for a text: a known one, or a new one. A failure is not kept. */
  of(text: string): Promise<T>;
  /** Tells the result for a text, where it is known already. */
  keep(text: string, result: T): void;
}

/**
 * Spares reading the same PEM text again and again: a CA is looked at for each certificate below it. Results must not be changed by
 * those who get them.
 *
 * @param limit how many are kept
 */
export function recentResults<T>(limit: number, make: (text: string) => Promise<T>): RecentResults<T> {
  const results = new Map<string, Promise<T>>();
  const keep = (text: string, result: Promise<T>) => {
    // A Map lists its keys in the order in which they were set: the first is the one that was not asked for the longest.
    results.delete(text);
    results.set(text, result);
    const [oldest] = results.keys();
    if (results.size > limit && oldest !== undefined) results.delete(oldest);
  };
  return {
    of(text) {
      const known = results.get(text);
      const result = known ?? make(text);
      keep(text, result);
      if (known === undefined) result.catch(() => results.delete(text));
      return result;
    },
    keep: (text, result) => keep(text, Promise.resolve(result)),
  };
}
