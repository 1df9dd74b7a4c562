import { expect, test } from 'vitest';
import { randomToken } from './random-token.ts';

test('a token of the bytes that entropy gives', () => {
  expect(randomToken({ bytes: (length) => Uint8Array.from({ length }, (_, index) => index) })).toBe(
    'abcdef.ghijklmnopqrstuv',
  );
});
