import { type EtcdMemberHealth, keepsQuorumWithout } from './cluster-health.ts';
import type { EtcdMember } from './etcd-member.ts';

/** What to do about the member of a node that leaves. */
export type LeaveStep =
  | { readonly step: 'remove'; readonly member: EtcdMember }
  /** It is no member, or not any more. */
  | { readonly step: 'done' }
  /** Nobody else is there: the cluster ends with it. */
  | { readonly step: 'last'; readonly member: EtcdMember }
  | { readonly step: 'refuse'; readonly because: string; readonly hint: string };

/**
 * What to do next so that a node is no member any more, which never costs the others their quorum (kubeadm: cmd/phases/reset,
 * removeetcdmember.go, which does not look).
 *
 * @param peerUrl of the node
 */
export function nextLeaveStep(health: readonly EtcdMemberHealth[], peerUrl: string): LeaveStep {
  const member = health.find(({ member: one }) => one.peerUrls.includes(peerUrl))?.member;
  if (member === undefined) return { step: 'done' };
  const others = health.filter(({ member: one }) => one !== member && !one.isLearner);
  if (!member.isLearner && others.length === 0) return { step: 'last', member };
  if (keepsQuorumWithout(health, member.id)) return { step: 'remove', member };
  const ill = others.flatMap(({ member: { name, id }, problem }) =>
    problem === undefined ? [] : [`${name || id} (${problem})`],
  );
  return {
    step: 'refuse',
    because: `without the member ${member.name || member.id} the cluster has no quorum, as others are not healthy: ${ill.join(', ')}`,
    hint: 'Have them run again first, or take them out: etcdctl member remove ID. Told to force it, the data on this node goes all the same',
  };
}
