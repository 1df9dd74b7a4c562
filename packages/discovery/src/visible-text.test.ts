import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it.each([
  ['plain words, also beyond ASCII: café ✓', 'plain words, also beyond ASCII: café ✓'],
  ['an escape \u001b[31m', 'an escape \\u001b[31m'],
  ['one of eight bits \u009b31m', 'one of eight bits \\u009b31m'],
  ['two\r\nlines', 'two\\u000d\\u000alines'],
  ['backwards \u202e', 'backwards \\u202e'],
  ['x'.repeat(2000), `${'x'.repeat(1000)}…`],
])('%j', (text, expected) => {
  expect(visibleText(text)).toBe(expected);
});
