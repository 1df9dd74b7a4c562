import { describe, expect, it } from 'vitest';
import { clusterOf, peerUrlOf } from '../test/clusters.ts';
import { initialClusterOf, nextJoinStep } from './join-step.ts';

interface Row {
  readonly cluster: string;
  readonly data: 'data' | 'empty';
  /** The step, and the letter of the member that it is about. */
  readonly step: string;
  readonly why: string;
}

/** The node is `n`. */
const rows: readonly Row[] = [
  { cluster: 'a', data: 'empty', step: 'add', why: 'the second member of a cluster of one' },
  { cluster: 'a b', data: 'empty', step: 'add', why: 'the third' },
  { cluster: 'a b c!', data: 'empty', step: 'add', why: 'a learner takes no votes away while one member is dead' },
  { cluster: 'a b! c!', data: 'empty', step: 'refuse', why: 'the cluster cannot agree on anything' },
  { cluster: 'a b!', data: 'empty', step: 'refuse', why: 'the cluster cannot agree on anything' },
  { cluster: 'a m~', data: 'empty', step: 'wait m', why: 'another one joins at this moment' },
  { cluster: 'a m~?', data: 'empty', step: 'wait m', why: 'another one joins at this moment, and has not started' },
  { cluster: 'a', data: 'data', step: 'refuse', why: 'its data is of another cluster' },
  { cluster: 'a n~?', data: 'empty', step: 'start n', why: 'the join was cut off after it was added' },
  { cluster: 'a n~?', data: 'data', step: 'start n', why: 'the join was cut off while it started' },
  {
    cluster: 'a n?',
    data: 'empty',
    step: 'refuse',
    why: 'it was added with a vote, so that the other one has no quorum',
  },
  { cluster: 'a b n?', data: 'empty', step: 'start n', why: 'it was added with a vote by somebody else' },
  { cluster: 'a n~', data: 'data', step: 'promote n', why: 'it has started and has no vote yet' },
  { cluster: 'a n~!', data: 'data', step: 'promote n', why: 'it starts at this moment' },
  { cluster: 'a n~!', data: 'empty', step: 'remove n', why: 'it was on a machine that is gone; it never had a vote' },
  { cluster: 'a n~', data: 'empty', step: 'refuse', why: 'it runs elsewhere' },
  { cluster: 'a n', data: 'data', step: 'done n', why: 'it is a member' },
  { cluster: 'a b n!', data: 'data', step: 'done n', why: 'it is a member that does not run at this moment' },
  { cluster: 'a b n!', data: 'empty', step: 'remove n', why: 'its machine was replaced by this one' },
  { cluster: 'a b c! d n!', data: 'empty', step: 'remove n', why: 'the four others keep their quorum' },
  { cluster: 'a b c! n!', data: 'empty', step: 'refuse', why: 'the cluster cannot agree on anything' },
  { cluster: 'a b n', data: 'empty', step: 'refuse', why: 'it runs elsewhere' },
  { cluster: 'a n!', data: 'empty', step: 'refuse', why: 'the other one has no quorum' },
];

const stepText = (result: ReturnType<typeof nextJoinStep>) =>
  'member' in result ? `${result.step} ${String.fromCharCode(Number(result.member.id))}` : result.step;

describe('what a node has to do next to be a member', () => {
  it.each(rows)('$cluster with $data: $step, as $why', ({ cluster, data, step }) => {
    const health = clusterOf(cluster);
    const facts = { name: 'n', peerUrl: peerUrlOf('n'), health, hasData: data === 'data' };
    expect(stepText(nextJoinStep(facts))).toBe(step);
  });

  it.each<[string, string, boolean, string]>([
    ['dead, of a replaced machine', 'a b c!', true, 'remove c'],
    ['dead, of a replaced machine without data', 'a b c!', false, 'remove c'],
    ['alive', 'a b c', false, 'refuse'],
    ['a dead learner', 'a c~!', false, 'remove c'],
  ])('a member of its name at another address that is %s', (_, cluster, hasData, step) => {
    const facts = { name: 'c', peerUrl: 'https://192.0.2.99:2380', health: clusterOf(cluster), hasData };
    expect(stepText(nextJoinStep(facts))).toBe(step);
  });

  it('says which members are ill and which are not', () => {
    const facts = { name: 'n', peerUrl: peerUrlOf('n'), health: clusterOf('a b! c!'), hasData: false };
    expect(nextJoinStep(facts)).toMatchObject({
      because: expect.stringContaining('a is healthy, b (no answer within 2 s), c (no answer within 2 s)'),
    });
  });
});

it('whoever follows the steps ends as a member, from wherever a join was cut off, and never without a quorum', () => {
  const own = { name: 'n', peerUrl: peerUrlOf('n') };
  for (const { cluster, data } of rows) {
    let health = [...clusterOf(cluster)];
    let hasData = data === 'data';
    const steps: string[] = [];
    for (;;) {
      const step = nextJoinStep({ ...own, health, hasData });
      steps.push(step.step);
      expect(steps.length, `${cluster}: ${steps}`).toBeLessThan(8);
      if (step.step === 'done' || step.step === 'refuse') break;
      if (step.step === 'wait')
        health = health.map((one) =>
          one.member === step.member
            ? { member: { ...one.member, name: 'm', isLearner: false }, problem: undefined }
            : one,
        );
      if (step.step === 'add') health = [...health, ...clusterOf('n~?')];
      if (step.step === 'remove') health = health.filter(({ member }) => member !== step.member);
      if (step.step === 'start') {
        hasData = true;
        health = health.map((one) =>
          one.member === step.member ? { member: { ...one.member, name: 'n' }, problem: undefined } : one,
        );
      }
      if (step.step === 'promote')
        health = health.map((one) =>
          one.member === step.member ? { member: { ...one.member, isLearner: false }, problem: undefined } : one,
        );
    }
    if (steps.at(-1) === 'done') expect(health.filter(({ member }) => member.name === 'n')).toHaveLength(1);
    else expect(steps, cluster).toEqual(['refuse']);
  }
});

it('the initial cluster of one that joins has all members, and itself by its name', () => {
  const members = clusterOf('a b n~?').map(({ member }) => member);
  expect(initialClusterOf(members, { name: 'n', peerUrl: peerUrlOf('n') })).toEqual(
    ['a', 'b', 'n'].map((name) => ({ name, peerUrl: peerUrlOf(name) })),
  );
});
