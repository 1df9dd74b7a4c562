import { expect, it } from 'vitest';
import { timeText } from './time-text.ts';

it.each([
  [50, '50 ms'],
  [296.4, '296 ms'],
  [1000, '1 s'],
  [1512.7, '1.5 s'],
  [2000, '2 s'],
  [1999.6, '2 s'],
  [60_000, '60 s'],
])('%f ms', (milliseconds, text) => {
  expect(timeText(milliseconds)).toBe(text);
});
