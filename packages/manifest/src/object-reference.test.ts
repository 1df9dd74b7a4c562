import { expect, it } from 'vitest';
import { objectReference } from './object-reference.ts';

it.each([
  [{ metadata: { name: 'a', namespace: 'kube-system' } }, 'ConfigMap kube-system/a'],
  [{ metadata: { name: 'a' } }, 'ConfigMap a'],
  [{ metadata: { name: 'a', namespace: '' } }, 'ConfigMap a'],
  [{}, 'ConfigMap (no name)'],
])('objectReference() of %j', (object, expected) => {
  expect(objectReference({ apiVersion: 'v1', kind: 'ConfigMap', ...object })).toBe(expected);
});
