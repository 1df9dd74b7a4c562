import { expect, it } from 'vitest';
import { progressFilter } from './progress-filter.ts';

it('says what is new, and the rest again after a while', () => {
  const rows: readonly (readonly [number, string, boolean])[] = [
    [0, 'Waiting for a: refused (attempt 1, the next in 0.3 s)', true],
    [300, 'Waiting for a: refused (attempt 2, the next in 0.5 s)', false],
    [900, 'Waiting for a: no signature (attempt 3, the next in 0.8 s)', true],
    [1000, 'Waiting for a: refused (attempt 4, the next in 1.0 s)', true],
    [10_999, 'Waiting for a: refused (attempt 5, the next in 1.0 s)', false],
    [11_000, 'Waiting for a: refused (attempt 6, the next in 1.0 s)', true],
  ];
  let now = 0;
  const say = progressFilter(() => now);
  for (const [at, message, expected] of rows) {
    now = at;
    expect(say(message), message).toBe(expected);
  }
});
