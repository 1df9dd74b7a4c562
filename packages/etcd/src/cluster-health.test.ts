import { describe, expect, it } from 'vitest';
import { clusterOf } from '../test/clusters.ts';
import { etcdHealth, hasQuorum, keepsQuorumWithout, quorumOf } from './cluster-health.ts';
import { etcdError } from './error-codes.ts';

it.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
  [7, 4],
])('of %i votes %i are a quorum', (voters, quorum) => {
  expect(quorumOf(voters)).toBe(quorum);
});

it.each([
  ['a', true],
  ['a b!', false],
  ['a b c!', true],
  ['a b! c!', false],
  ['a b c! d!', false],
  ['a m~! o~!', true],
  ['', false],
])('%s has a quorum: %s', (cluster, expected) => {
  expect(hasQuorum(clusterOf(cluster))).toBe(expected);
});

it.each([
  ['a n', true],
  ['n', false],
  ['a b! n', false],
  ['a b n!', true],
  ['a n~', true],
])('%s keeps it without n: %s', (cluster, expected) => {
  expect(keepsQuorumWithout(clusterOf(cluster), '110')).toBe(expected);
});

describe('how members are', () => {
  const [started, other, unstarted] = clusterOf('a b c?').map(({ member }) => member);
  const members = [started, other, unstarted].flatMap((member) => (member === undefined ? [] : [member]));
  const status = { id: '1', version: '3.7.3', leader: '1', isLearner: false, errors: [] };

  it.each([
    ['healthy', async () => status, undefined],
    ['without a leader', async () => ({ ...status, leader: undefined }), 'it knows no leader'],
    ['with an alarm', async () => ({ ...status, errors: ['NOSPACE'] }), 'NOSPACE'],
    [
      'silent',
      async () => {
        throw etcdError('ETCD_UNREACHABLE', 'no answer');
      },
      'no answer',
    ],
  ])('%s', async (_, ask, problem) => {
    const health = await etcdHealth(members, { status: ask });
    expect(health.map((one) => one.problem)).toEqual([problem, problem, 'it has not started yet']);
  });
});
