import type { EtcdMemberHealth } from '../src/cluster-health.ts';

/** Members by short words: `a` a healthy voter, `b!` a dead one, `c?` one that has not started, `d~` a learner, `d~?` and so on. */
export function clusterOf(words: string): readonly EtcdMemberHealth[] {
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [, letter = '', marks = ''] = /^([a-z])([!?~]*)$/.exec(word) ?? [];
      if (letter === '') throw new TypeError(`no member: ${word}`);
      const hasStarted = !marks.includes('?');
      const member = {
        id: String(letter.charCodeAt(0)),
        name: hasStarted ? letter : '',
        peerUrls: [peerUrlOf(letter)],
        clientUrls: hasStarted ? [`https://${letter}.example.com:2379`] : [],
        isLearner: marks.includes('~'),
      };
      return { member, problem: /[!?]/.test(marks) ? 'no answer within 2 s' : undefined };
    });
}

export const peerUrlOf = (letter: string) => `https://${letter}.example.com:2380`;
