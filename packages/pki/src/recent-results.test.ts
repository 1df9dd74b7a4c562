import { expect, test } from 'vitest';
import { recentResults } from './recent-results.ts';

function counting(limit: number, make: (text: string) => string = (text) => text.toUpperCase()) {
  const made: string[] = [];
  const results = recentResults(limit, async (text: string) => {
    made.push(text);
    return make(text);
  });
  return { made, results };
}

test('the same text is worked on once, also by those who ask at the same time', async () => {
  const { made, results } = counting(2);
  expect(await Promise.all([results.of('a'), results.of('a')])).toEqual(['A', 'A']);
  expect(await results.of('a')).toBe('A');
  expect(made).toEqual(['a']);
});

test('the text that was not asked for the longest is forgotten first', async () => {
  const { made, results } = counting(2);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await results.of(text);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('what is told is not made', async () => {
  const { made, results } = counting(2);
  results.keep('a', 'told');
  expect(await results.of('a')).toBe('told');
  expect(made).toEqual([]);
});

test('a failure is not kept', async () => {
  let broken = true;
  const { made, results } = counting(2, (text) => {
    if (broken) throw new Error('no');
    return text;
  });
  await expect(results.of('a')).rejects.toThrow('no');
  broken = false;
  expect(await results.of('a')).toBe('a');
  expect(made).toEqual(['a', 'a']);
});
