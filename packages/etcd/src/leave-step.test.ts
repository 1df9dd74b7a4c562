import { expect, it } from 'vitest';
import { clusterOf, peerUrlOf } from '../test/clusters.ts';
import { nextLeaveStep } from './leave-step.ts';

it.each([
  ['a n', 'remove', 'one is left, which is its own quorum'],
  ['a b n', 'remove', 'two are left'],
  ['a b n!', 'remove', 'it does not run any more'],
  ['a b! n', 'refuse', 'of the two that are left one is ill'],
  ['a! n', 'refuse', 'the other one is ill'],
  ['n', 'last', 'nobody else is there'],
  ['n m~', 'last', 'a learner does not keep the cluster'],
  ['a n~', 'remove', 'it has no vote'],
  ['a! b! n~', 'refuse', 'the cluster cannot agree on anything'],
  ['a b', 'done', 'it is no member'],
])('%s: %s, as %s', (cluster, step) => {
  expect(nextLeaveStep(clusterOf(cluster), peerUrlOf('n')).step).toBe(step);
});

it('names the members that are in the way', () => {
  expect(nextLeaveStep(clusterOf('a b! n'), peerUrlOf('n'))).toMatchObject({
    because: expect.stringContaining('b (no answer within 2 s)'),
    hint: expect.stringContaining('etcdctl member remove'),
  });
});
