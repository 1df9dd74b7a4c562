import { expect, it } from 'vitest';
import { goQuote } from './go-quote.ts';

it.each([
  ['plain text', 'a b$<%`', '"a b$<%`"'],
  ['quotes and backslashes', 'a"b\\c', '"a\\"b\\\\c"'],
  ['named control characters', '\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['other control characters', '\u0000\u0001\u007f\u0085', '"\\x00\\x01\\x7f\\u0085"'],
  ['printable characters outside ASCII', 'é漢😀', '"é漢😀"'],
  ['blanks outside ASCII', '\u00a0\u2028\u3000', '"\\u00a0\\u2028\\u3000"'],
  ['what has no glyph', '\u200b\ue000\u{e0001}', '"\\u200b\\ue000\\U000e0001"'],
  ['a lone surrogate', '\ud800', '"\ufffd"'],
])('%s', (_name, text, expected) => {
  expect(goQuote(text)).toBe(expected);
});
