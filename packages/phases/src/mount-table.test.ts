import { expect, test } from 'vitest';
import { parseMountTable } from './mount-table.ts';

test('a mount table is read in its order, with what is written in octal', () => {
  const table = 'proc /proc proc rw 0 0\ntmpfs /a\\040b\\134c\\011d tmpfs rw 0 0\n\nnothing\n';
  expect(parseMountTable(table).map(({ written, mountPoint }) => [written, mountPoint])).toEqual([
    ['/proc', '/proc'],
    ['/a\\040b\\134c\\011d', '/a b\\c\td'],
  ]);
});
