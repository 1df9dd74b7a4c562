import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const names = ['a', 'b', 'c', 'd'] as const;

export interface RandomTree {
  /** Paths as programs inside the root write them, most of them through links. */
  readonly paths: readonly string[];
}

/**
 * Fills a directory with directories, files that hold their own path, and symbolic links of every kind: absolute, relative, dangling,
 * in circles, and such that point outside where nothing is done about it.
 *
 * @param outside absolute path of a file that is not below the root
 */
export function makeRandomTree(root: string, outside: string, seed: number): RandomTree {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const path = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(names)).join('/');
  const upwards = () => '../'.repeat(Math.floor(random() * 4));
  const targets = [
    () => `/${path(3)}`,
    () => `${upwards()}${path(2)}`,
    () => path(2),
    () => `${path(1)}/../${path(1)}`,
    () => pick(['/', '.', '..', '../..', './/']),
    () => outside,
    () => dirname(outside),
    () => `${'../'.repeat(8)}${outside.slice(1)}`,
  ];
  /** Directories that have been made, none of them reached through a link. */
  const directories = [root];
  for (let index = 0; index < 40; index += 1) {
    const place = join(pick(directories), pick(names));
    // Never through a link: the tree itself is made in the root and nowhere else.
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) continue;
    const kind = random();
    if (kind < 0.3) {
      mkdirSync(place);
      directories.push(place);
    } else if (kind < 0.5) writeFileSync(place, `at ${place.slice(root.length)}\n`, { flag: 'wx' });
    else symlinkSync(pick(targets)(), place);
  }
  const parts = [...names, ...names, '..', '.', 'none'];
  const paths = Array.from({ length: 60 }, () => {
    const words = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(parts));
    return `/${words.join(random() < 0.1 ? '//' : '/')}${random() < 0.1 ? '/' : ''}`;
  });
  return { paths: [...paths, outside, `/../..${outside}`] };
}
