import { expect, it } from 'vitest';
import { mayPass, refusalOf } from './etcd-refusals.ts';

it.each([
  ['etcdserver: can only promote a learner member which is in sync with leader', 'learner-behind', true],
  ['etcdserver: can only promote a learner member', 'not-a-learner', false],
  ['etcdserver: Peer URLs already exists', 'peer-exists', false],
  ['etcdserver: member ID already exist', 'peer-exists', false],
  ['etcdserver: member not found', 'member-not-found', false],
  ['etcdserver: too many learner members in cluster', 'too-many-learners', true],
  ['etcdserver: re-configuration failed due to not enough started members', 'not-enough-started', true],
  ['etcdserver: unhealthy cluster', 'unhealthy', true],
  ['etcdserver: leader changed', 'no-leader', true],
  ['etcdserver: request timed out, possibly due to previous leader failure', 'timed-out', true],
  ['etcdserver: permission denied', 'other', false],
] as const)('%s', (message, refusal, passes) => {
  expect([refusalOf(message), mayPass(refusal)]).toEqual([refusal, passes]);
});
