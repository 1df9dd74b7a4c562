import { type EtcdMemberHealth, hasQuorum, keepsQuorumWithout } from './cluster-health.ts';
import type { EtcdMember } from './etcd-member.ts';

/** What is known when a node wants to be a member. */
export interface JoinFacts {
  /** Name of the node, which its member has too. */
  readonly name: string;
  /** Where the other members are to reach it: `https://192.0.2.10:2380`. */
  readonly peerUrl: string;
  /** All members and how they are. */
  readonly health: readonly EtcdMemberHealth[];
  /** Whether data of an etcd member is on the node. */
  readonly hasData: boolean;
}

/**
 * What to do next so that the node becomes a member with a vote. Each step is found anew from what is there, so that a join that was cut off
 * goes on, and one that is done does nothing.
 */
export type JoinStep =
  | { readonly step: 'done'; readonly member: EtcdMember }
  /** The member is listed; its etcd has to be started with all members in `--initial-cluster`. */
  | { readonly step: 'start'; readonly member: EtcdMember }
  /** It has started as a learner; it gets its vote when it has all data. */
  | { readonly step: 'promote'; readonly member: EtcdMember }
  | { readonly step: 'add' }
  /** A member of an earlier machine of this name or address is in the way, and dead. */
  | { readonly step: 'remove'; readonly member: EtcdMember; readonly because: string }
  /** Somebody else joins: etcd takes one learner at a time. */
  | { readonly step: 'wait'; readonly member: EtcdMember }
  | { readonly step: 'refuse'; readonly because: string; readonly hint: string };

type Standing = 'absent' | 'unstarted' | 'learner' | 'voter';

/** Standing of the member at our address × data on the node → step. */
const table: Readonly<Record<Standing, Readonly<Record<'data' | 'empty', (own: Own) => JoinStep>>>> = {
  absent: {
    empty: ({ facts }) => {
      const joining = facts.health.find(({ member }) => member.isLearner)?.member;
      return joining === undefined ? { step: 'add' } : { step: 'wait', member: joining };
    },
    data: () => ({
      step: 'refuse',
      because:
        'data of a member is on this node that is no member of the cluster, and its etcd would not start with it',
      hint: 'If nothing in it is needed, clean the node up first: groundplane reset',
    }),
  },
  unstarted: {
    empty: ({ member }) => ({ step: 'start', member }),
    data: ({ member }) => ({ step: 'start', member }),
  },
  learner: {
    // It has no vote, so that its place can be had anew.
    empty: (own) => removal(own, 'it has started on an earlier machine, whose data is gone'),
    data: ({ member }) => ({ step: 'promote', member }),
  },
  voter: {
    empty: (own) => removal(own, 'it had its data on an earlier machine'),
    data: ({ member }) => ({ step: 'done', member }),
  },
};

interface Own {
  readonly facts: JoinFacts;
  readonly member: EtcdMember;
}

/** Decides by the table; a member of the same name at another address goes first. */
export function nextJoinStep(facts: JoinFacts): JoinStep {
  const { name, peerUrl, health, hasData } = facts;
  if (!hasQuorum(health))
    return {
      step: 'refuse',
      because: `the cluster cannot agree on a new member, as too few of its members are healthy: ${problemsOf(health)}`,
      hint: 'Have a quorum of the members run again first; a further one would only make it harder',
    };
  const members = health.map(({ member }) => member);
  const own = members.find(({ peerUrls }) => peerUrls.includes(peerUrl));
  const namesake = members.find((member) => member.name === name && member !== own);
  if (namesake !== undefined)
    return removal(
      { facts, member: namesake },
      `it is of an earlier machine of this name, at ${namesake.peerUrls.join(', ')}`,
    );
  const standing = own === undefined ? 'absent' : standingOf(own);
  return table[standing][hasData ? 'data' : 'empty']({ facts, member: own ?? nobody });
}

const nobody: EtcdMember = { id: '', name: '', peerUrls: [], clientUrls: [], isLearner: false };

function standingOf({ name, isLearner }: EtcdMember): Standing {
  if (name === '') return 'unstarted';
  return isLearner ? 'learner' : 'voter';
}

/** Takes a dead member out, unless that costs the cluster its quorum; one that lives is somebody's. */
function removal({ facts: { health }, member }: Own, because: string): JoinStep {
  const { problem } = health.find((one) => one.member === member) ?? {};
  const who = `the member ${member.name || member.id}`;
  if (problem === undefined)
    return {
      step: 'refuse',
      because: `${who} is in its place and runs: ${member.clientUrls.join(', ')}`,
      hint: 'Join under another name and address, or take that node out first: groundplane reset, there',
    };
  if (!keepsQuorumWithout(health, member.id))
    return {
      step: 'refuse',
      because: `${who} is in its place, and without it the cluster has no quorum: ${problemsOf(health)}`,
      hint: 'Have the other members run again first',
    };
  return { step: 'remove', member, because };
}

function problemsOf(health: readonly EtcdMemberHealth[]): string {
  return health
    .map(
      ({ member, problem }) => `${member.name || member.id} ${problem === undefined ? 'is healthy' : `(${problem})`}`,
    )
    .join(', ');
}

/**
 * The value of `--initial-cluster` of a member that joins: all members at all their addresses. One that has not started is known by its address alone,
 * and only the joining one may be such.
 *
 * @param own name and address of the one that joins
 */
export function initialClusterOf(
  members: readonly EtcdMember[],
  own: { readonly name: string; readonly peerUrl: string },
): readonly { readonly name: string; readonly peerUrl: string }[] {
  return members.flatMap(({ name, peerUrls }) => {
    const isOwn = peerUrls.includes(own.peerUrl);
    return peerUrls.map((peerUrl) => ({ name: isOwn ? own.name : name, peerUrl }));
  });
}
