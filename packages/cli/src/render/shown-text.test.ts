import { expect, it } from 'vitest';
import { jsonText, shownText, visibleText, withheldData } from './shown-text.ts';

const token = 'abcdef.0123456789abcdef';
const key = '0123456789abcdef'.repeat(4);

it.each([
  ['a colour', '\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a sequence that begins with one character', '\u009b2J', '\\u009b2J'],
  ['a title of the window', '\u001b]0;x\u0007', '\\x1b]0;x\\a'],
  ['a return to the start of the line', 'a\rb', 'a\\rb'],
  ['a step back', 'a\b', 'a\\b'],
  ['text that is turned around', 'a\u202eb', 'a\\u202eb'],
  ['lines, tabs, accents and pictures', 'a\n\té 漢 🙂', 'a\n\té 漢 🙂'],
])('visibleText() shows %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleText(shown)).toBe(shown);
});

it('shownText() withholds keys where input is quoted alone', () => {
  expect(shownText(`${token} ${key}\r`)).toBe(`<token withheld> ${key}\\r`);
  expect(shownText(`${token} ${key}\r`, { quotesInput: true })).toBe('<token withheld> <key withheld>\\r');
});

it('withheldData() reaches every text', () => {
  const data = { word: 'x', list: ['x', { deep: 'x' }], count: 1, none: undefined, nothing: null };
  expect(withheldData(data, () => 'y')).toEqual({ ...data, word: 'y', list: ['y', { deep: 'y' }] });
});

it('jsonText() says the same without control characters', () => {
  const document = { a: '\u009b2J\u001b\u007f\u202e é' };
  expect(jsonText(document)).toBe('{"a":"\\u009b2J\\u001b\\u007f\\u202e é"}');
  expect(JSON.parse(jsonText(document, 2))).toEqual(document);
});
