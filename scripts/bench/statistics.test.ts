import { describe, expect, it } from 'vitest';
import { median, summarize } from './statistics.ts';

describe('median', () => {
  it.each([
    { name: 'of one', figures: [7], expected: 7 },
    { name: 'of an odd number, in whatever order', figures: [9, 1, 5], expected: 5 },
    { name: 'of an even number', figures: [4, 1, 3, 2], expected: 2.5 },
    { name: 'is not moved by an outlier', figures: [1, 2, 3, 4, 1000], expected: 3 },
    { name: 'sorts by value and not by text', figures: [10, 9, 100], expected: 10 },
    { name: 'of equals', figures: [2, 2, 2, 2], expected: 2 },
  ])('$name', ({ figures, expected }) => {
    expect(median(figures)).toBe(expected);
  });

  it('leaves its input as it is', () => {
    const figures = [3, 1, 2];
    median(figures);
    expect(figures).toEqual([3, 1, 2]);
  });

  it.each([[[]], [[1, Number.NaN]], [[Number.POSITIVE_INFINITY]]])('refuses %j', (figures) => {
    expect(() => median(figures)).toThrow(TypeError);
  });
});

it('summarizes with the ends and the number', () => {
  expect(summarize([0.3, 0.1, 0.2])).toEqual({ median: 0.2, minimum: 0.1, maximum: 0.3, count: 3 });
});
