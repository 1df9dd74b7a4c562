import { expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

it.each([
  ['equal texts', 'a\n', 'a\n', ''],
  ['a changed line', 'a\nb\n', 'a\nc\n', '--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'],
  ['a new file', undefined, 'a\n', '--- /dev/null\n+++ f\n@@ -0,0 +1,1 @@\n+a\n'],
])('unifiedDiff() of %s', (_, before, after, expected) => {
  expect(unifiedDiff(before, after, 'f').replaceAll('\t\n', '\n')).toBe(expected);
});
