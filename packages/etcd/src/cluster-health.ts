import type { EtcdClient } from './etcd-client.ts';
import type { EtcdMember } from './etcd-member.ts';

/** How one member is. */
export interface EtcdMemberHealth {
  readonly member: EtcdMember;
  /** Why it is not healthy; undefined if it is. */
  readonly problem: string | undefined;
}

/** How many votes of a cluster have to be there for it to work (Raft). */
export function quorumOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/**
 * Asks each member that has started how it is; one is healthy if it answers, knows a leader and complains of nothing.
 *
 * @param client its `status` is asked once for each client URL, until one answers
 */
export async function etcdHealth(
  members: readonly EtcdMember[],
  client: Pick<EtcdClient, 'status'>,
): Promise<readonly EtcdMemberHealth[]> {
  return Promise.all(members.map(async (member) => ({ member, problem: await problemOf(member, client) })));
}

async function problemOf({ clientUrls }: EtcdMember, client: Pick<EtcdClient, 'status'>): Promise<string | undefined> {
  let problem = 'it has not started yet';
  for (const url of clientUrls) {
    try {
      const { errors, leader } = await client.status(url);
      if (errors.length > 0) return errors.join(', ');
      return leader === undefined ? 'it knows no leader' : undefined;
    } catch (thrown) {
      problem = thrown instanceof Error ? thrown.message : String(thrown);
    }
  }
  return problem;
}

/** Whether enough of those that vote are healthy for the cluster to work. Learners do not count. */
export function hasQuorum(health: readonly EtcdMemberHealth[]): boolean {
  const voters = health.filter(({ member }) => !member.isLearner);
  return voters.filter(({ problem }) => problem === undefined).length >= quorumOf(voters.length);
}

/** Whether the cluster works after this member has been taken out, and while it is. */
export function keepsQuorumWithout(health: readonly EtcdMemberHealth[], id: string): boolean {
  const voters = health.filter(({ member }) => !member.isLearner);
  const leaving = voters.find(({ member }) => member.id === id);
  // One without a vote may go at any time that the cluster can agree on it.
  if (leaving === undefined) return hasQuorum(health);
  const left = health.filter(({ member }) => member.id !== id);
  return voters.length > 1 && hasQuorum(health) && hasQuorum(left);
}
