import { expect, test } from 'vitest';
import { randomToken } from './random-token.ts';

/** Gives these bytes, over and over. */
function entropy(...bytes: number[]) {
  let at = 0;
  return { bytes: (length: number) => Uint8Array.from({ length }, () => bytes[at++ % bytes.length] ?? 0) };
}

test('each byte below 252 chooses a character, the others are left out', () => {
  expect(randomToken(entropy(0, 25, 26, 35, 36, 251))).toBe('az09a9.az09a9az09a9az09');
  expect(randomToken(entropy(255, 252, 0, 253))).toBe('aaaaaa.aaaaaaaaaaaaaaaa');
});

test('every character of the alphabet is chosen by seven bytes', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 252; byte++) {
    const [character = ''] = randomToken(entropy(byte));
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(36);
  expect(new Set(counts.values())).toEqual(new Set([7]));
});
