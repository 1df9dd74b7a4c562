import { expect, test } from 'vitest';
import { isToken } from './bootstrap-token.ts';
import { generateToken } from './generate-token.ts';

/** Gives these bytes, over and over. */
function bytesOf(...bytes: number[]) {
  let at = 0;
  return (length: number) => Uint8Array.from({ length }, () => bytes[at++ % bytes.length] ?? 0);
}

test('each byte below 252 chooses a character, the others are left out', () => {
  expect(generateToken(bytesOf(0, 25, 26, 35, 36, 251))).toBe('az09a9.az09a9az09a9az09');
  expect(generateToken(bytesOf(255, 252, 0, 253))).toBe('aaaaaa.aaaaaaaaaaaaaaaa');
});

test('every character of the alphabet is chosen by seven bytes', () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 252; byte++) {
    const [character = ''] = generateToken(bytesOf(byte));
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(36);
  expect(new Set(counts.values())).toEqual(new Set([7]));
});

test('real random bytes give a token each time, and never the same', () => {
  const tokens = Array.from({ length: 100 }, () =>
    generateToken((length) => crypto.getRandomValues(new Uint8Array(length))),
  );
  expect(tokens.every(isToken)).toBe(true);
  expect(new Set(tokens).size).toBe(100);
});
