import { expect, test } from 'vitest';
import { serialNumber } from './serial-number.ts';

test('serial numbers lie in [1, 2^63 − 2], differ, and use the whole range', () => {
  const numbers = Array.from({ length: 2000 }, () => BigInt(`0x${serialNumber()}`));
  for (const number of numbers) {
    expect(number >= 1n && number <= 2n ** 63n - 2n).toBe(true);
  }
  expect(new Set(numbers).size).toBe(numbers.length);
  // Half of them have bit 62; the chance that fewer than a quarter or more than three quarters do is below 1e-100.
  const large = numbers.filter((number) => number >= 2n ** 62n).length;
  expect(large).toBeGreaterThan(500);
  expect(large).toBeLessThan(1500);
});
