import { expect, test } from 'vitest';
import { hex } from './distinguished-name.ts';
import { serialNumber, unsignedInteger } from './serial-number.ts';

test('serial numbers lie in [1, 2^63 − 2], differ, and use the whole range', () => {
  const numbers = Array.from({ length: 2000 }, () => BigInt(`0x${hex(serialNumber())}`));
  for (const number of numbers) {
    expect(number >= 1n && number <= 2n ** 63n - 2n).toBe(true);
  }
  expect(new Set(numbers).size).toBe(numbers.length);
  // Half of them have bit 62; the chance that fewer than a quarter or more than three quarters do is below 1e-100.
  const large = numbers.filter((number) => number >= 2n ** 62n).length;
  expect(large).toBeGreaterThan(500);
  expect(large).toBeLessThan(1500);
});

test.each([
  ['a plain number', [0x12, 0x34], '1234'],
  ['leading zeros', [0, 0, 0x12], '12'],
  ['the first bit set', [0x80, 1], '008001'],
  ['leading zeros before the first bit set', [0, 0, 0xff], '00ff'],
  ['zero', [0, 0], '00'],
])('the contents octets of an INTEGER: %s', (_, bytes, expected) => {
  expect(hex(unsignedInteger(Uint8Array.from(bytes)))).toBe(expected);
});
