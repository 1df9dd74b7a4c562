import type { KeyAlgorithm } from '@groundplane/pki';

type MakeKey = (algorithm: KeyAlgorithm) => Promise<string>;

export interface KeyStock {
  /** Has keys made in the background, in this order; those that were ordered before and not taken yet are counted in. */
  order(algorithms: readonly KeyAlgorithm[]): void;
  /** A key of its own for each caller: one that was ordered, if there is one, or a new one. */
  readonly take: MakeKey;
}

/**
 * Private keys that are made before they are asked for. An RSA key takes longer than everything else about a certificate, so a run that
 * needs many is done when its keys are.
 *
 * @param options.parallel how many are made at the same time
 */
export function keyStock(make: MakeKey, { parallel }: { readonly parallel: number }): KeyStock {
  const ordered = new Map<KeyAlgorithm, Promise<string>[]>();
  const waiting: (() => void)[] = [];
  let working = 0;
  const makeInTurn: MakeKey = async (algorithm) => {
    if (working >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await make(algorithm);
    } finally {
      // The place goes to the next one that waits.
      const next = waiting.shift();
      if (next === undefined) working--;
      else next();
    }
  };
  return {
    order(algorithms) {
      const there = new Map([...ordered].map(([algorithm, keys]) => [algorithm, keys.length]));
      for (const algorithm of algorithms) {
        const left = there.get(algorithm) ?? 0;
        there.set(algorithm, left - 1);
        if (left > 0) continue;
        const key = makeInTurn(algorithm);
        // Whoever takes it gets the failure; nobody may.
        key.catch(() => {});
        ordered.set(algorithm, [...(ordered.get(algorithm) ?? []), key]);
      }
    },
    async take(algorithm) {
      return ordered.get(algorithm)?.shift() ?? makeInTurn(algorithm);
    },
  };
}
