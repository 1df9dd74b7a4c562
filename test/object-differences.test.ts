import { describe, expect, it } from 'vitest';
import { judgeDifferences, objectDifferences } from './object-differences.ts';

const deployment = (replicas: number, args: readonly string[]) => ({ spec: { replicas, args, on: true } });

describe('objectDifferences', () => {
  it.each([
    { name: 'equal', ours: deployment(2, ['-a']), theirs: deployment(2, ['-a']), fields: [] },
    { name: 'another value', ours: deployment(2, []), theirs: deployment(1, []), fields: ['spec.replicas'] },
    {
      name: 'one more of a list',
      ours: deployment(1, ['-a', '-b']),
      theirs: deployment(1, ['-a']),
      fields: ['spec.args[1]'],
    },
    { name: 'another type', ours: { spec: [] }, theirs: { spec: {} }, fields: ['spec'] },
    { name: 'absent', ours: {}, theirs: { spec: null }, fields: ['spec'] },
  ])('$name', ({ ours, theirs, fields }) => {
    const found = objectDifferences(new Map([['Deployment/a', ours]]), new Map([['Deployment/a', theirs]]));
    expect(found.map(({ field }) => field)).toEqual(fields);
  });

  it('finds objects that only one cluster has', () => {
    const found = objectDifferences(
      new Map([
        ['a', {}],
        ['b', {}],
      ]),
      new Map([
        ['b', {}],
        ['c', {}],
      ]),
    );
    expect(
      found.map(({ object, field, ours, theirs }) => [object, field, ours !== undefined, theirs !== undefined]),
    ).toEqual([
      ['a', '', true, false],
      ['c', '', false, true],
    ]);
  });
});

describe('judgeDifferences', () => {
  const difference = { object: 'Deployment/coredns', field: 'spec.replicas', ours: 1, theirs: 2 };
  const row = { object: /^Deployment\/coredns$/, field: /^spec\.replicas$/, reason: 'on purpose' };

  it('takes a documented one as it is, and names others and rows that nothing met', () => {
    const other = { ...difference, field: 'spec.paused' };
    const stale = { ...row, object: /^Job\// };
    expect(judgeDifferences([difference, other], [row, stale])).toEqual({ undocumented: [other], unmet: [stale] });
  });
});
