import { expect, it } from 'vitest';
import { humanDuration } from './human-duration.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

it.each([
  [-2, '<invalid>'],
  [-1.9, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [119.9, '119s'],
  [2 * minute, '2m'],
  [2 * minute + 1, '2m1s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute + 59, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [5 * hour + 30 * minute + 59, '5h30m'],
  [8 * hour - 1, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - 1, '7d23h'],
  [8 * day + 23 * hour, '8d'],
  [364 * day, '364d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year - 1, '7y364d'],
  [8 * year + 364 * day, '8y'],
  [100 * year, '100y'],
])('%d seconds are %s', (seconds, text) => {
  expect(humanDuration(seconds)).toBe(text);
});
