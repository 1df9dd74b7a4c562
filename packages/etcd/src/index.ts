export {
  type EtcdMemberHealth,
  etcdHealth,
  hasQuorum,
  keepsQuorumWithout,
  quorumOf,
} from './cluster-health.ts';
export { etcdErrorCodes } from './error-codes.ts';
export {
  createEtcdClient,
  type EtcdClient,
  type EtcdClientOptions,
  type EtcdRequest,
  refusalIn,
} from './etcd-client.ts';
export type { EtcdMember, EtcdMemberStatus } from './etcd-member.ts';
export { type EtcdRefusal, mayPass, refusalOf } from './etcd-refusals.ts';
export { initialClusterOf, type JoinFacts, type JoinStep, nextJoinStep } from './join-step.ts';
export { type LeaveStep, nextLeaveStep } from './leave-step.ts';
