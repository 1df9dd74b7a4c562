import { describe, expect, it } from 'vitest';
import { formatGoDuration, goDurationMilliseconds, parseGoDuration } from './go-duration.ts';

/** Text and the normal form that Go's time package prints for it. */
const accepted = [
  ['hours and minutes', '1h30m', '1h30m0s'],
  ['all units', '1h2m3s4ms5us6ns', '1h2m3.004005006s'],
  ['a fraction of an hour', '0.5h', '30m0s'],
  ['no digit before the dot', '.5s', '500ms'],
  ['no digit after the dot', '1.s', '1s'],
  ['microseconds in ASCII', '1us', '1\u00b5s'],
  ['the micro sign', '1\u00b5s', '1\u00b5s'],
  ['the Greek letter mu', '1\u03bcs', '1\u00b5s'],
  ['milliseconds', '1500ms', '1.5s'],
  ['carry into minutes', '1m60s', '2m0s'],
  ['a plus sign', '+5m', '5m0s'],
  ['a minus sign', '-1.5h', '-1h30m0s'],
  ['zero without a unit', '0', '0s'],
  ['zero seconds', '0s', '0s'],
  ['leading zeros', '007m', '7m0s'],
  ['the largest duration', '9223372036854775807ns', '2562047h47m16.854775807s'],
  ['the smallest duration', '-9223372036854775808ns', '-2562047h47m16.854775808s'],
  ['nanoseconds alone', '12ns', '12ns'],
  ['more digits than fit', '0.33333333333333333333h', '20m0s'],
] as const;

const refused = [
  ['nothing', ''],
  ['a number without a unit', '30'],
  ['days', '1d'],
  ['a sign inside', '1h-5m'],
  ['a blank inside', '1h 5m'],
  ['a blank before', ' 1h'],
  ['an exponent', '1e3s'],
  ['an upper-case unit', '1H'],
  ['a sign alone', '-'],
  ['a dot alone', '.s'],
  ['ISO 8601', 'PT1H'],
  ['one nanosecond too much', '9223372036854775808ns'],
  ['far too much', '2562048h'],
] as const;

describe('parseGoDuration', () => {
  it.each(accepted)('reads %s', (_name, text, normal) => {
    expect(formatGoDuration(parseGoDuration(text) ?? -1n)).toBe(normal);
  });

  it.each(refused)('refuses %s', (_name, text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  });

  it('reads back what it writes', () => {
    for (const nanoseconds of [1n, 999n, 1_000n, 1_001n, 999_999n, 1_000_000n, 60_000_000_000n, 86_399_999_999_999n]) {
      expect(parseGoDuration(formatGoDuration(nanoseconds))).toBe(nanoseconds);
    }
  });
});

describe('goDurationMilliseconds', () => {
  it('cuts parts of a millisecond off', () => {
    expect(goDurationMilliseconds('1m0.0019s')).toBe(60_001);
  });

  it('calls text that is no duration a mistake of the caller', () => {
    expect(() => goDurationMilliseconds('soon')).toThrow(TypeError);
  });
});
