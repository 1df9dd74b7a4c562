import { expect, test } from 'vitest';
import { objectTexts } from './object-texts.ts';

const manager = 'groundplane';
const head = { apiVersion: 'v1', kind: 'ConfigMap' };
const owned = (data: object, by = manager, operation = 'Apply') => ({
  manager: by,
  operation,
  fieldsV1: { 'f:data': data },
});

interface Row {
  readonly what: string;
  readonly live: object;
  readonly desired: object;
  readonly before: object;
}

test.each<Row>([
  {
    what: 'what the API server adds is left out',
    live: { ...head, metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: 'now' }, status: {} },
    desired: { ...head, metadata: { name: 'a' } },
    before: { ...head, metadata: { name: 'a' } },
  },
  {
    what: 'defaults and what others have added are no change',
    live: { ...head, metadata: { name: 'a', labels: { theirs: 'x' } }, data: { ours: '1', theirs: '2' } },
    desired: { ...head, metadata: { name: 'a' }, data: { ours: '3' } },
    before: { ...head, metadata: { name: 'a' }, data: { ours: '1' } },
  },
  {
    what: 'what was applied and is not desired any more goes',
    live: {
      ...head,
      metadata: {
        name: 'a',
        managedFields: [
          owned({ 'f:theirs': {} }, 'kubectl'),
          owned({ 'f:updated': {} }, manager, 'Update'),
          owned({ 'f:ours': {}, 'f:old': {} }),
        ],
      },
      data: { ours: '1', old: '2', theirs: '3', updated: '4' },
    },
    desired: { ...head, metadata: { name: 'a' }, data: { ours: '1' } },
    before: { ...head, metadata: { name: 'a' }, data: { ours: '1', old: '2' } },
  },
  {
    what: 'elements of lists are compared by their places, and surplus ones are shown',
    live: { ...head, rules: [{ verbs: ['get'], added: true }, { verbs: ['list'] }] },
    desired: { ...head, rules: [{ verbs: ['get'] }] },
    before: { ...head, rules: [{ verbs: ['get'] }, { verbs: ['list'] }] },
  },
])('$what', ({ live, desired, before }) => {
  const texts = objectTexts(live, desired, { manager });
  expect(JSON.parse(texts.before ?? '')).toEqual(before);
  expect(JSON.parse(texts.after ?? '')).toEqual(desired);
});

test('the order of keys says nothing', () => {
  const { before, after } = objectTexts({ b: 1, a: [{ d: 1, c: 2 }] }, { a: [{ c: 2, d: 1 }], b: 1 }, { manager });
  expect(before).toBe(after);
});

test('where there is nothing, nothing is said to be there', () => {
  expect(objectTexts(undefined, { a: 1 }, { manager })).toEqual({ after: '{\n  "a": 1\n}\n' });
  expect(objectTexts({ a: 1 }, undefined, { manager })).toEqual({ before: '{\n  "a": 1\n}\n' });
});
