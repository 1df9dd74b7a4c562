import { expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';
import { PatchFault } from './patch-fault.ts';

/** RFC 7386, appendix A, the rows whose document is an object. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ a: 'foo' }, ['bar'], ['bar']],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j and %j make %j', (document, patch, expected) => {
  expect(mergePatch(document, patch)).toEqual(expected);
});

test.each([[null], ['bar'], [5]])('the patch %j, which would replace the document, is refused', (patch) => {
  expect(() => mergePatch({ a: 'foo' }, patch)).toThrow(PatchFault);
});
