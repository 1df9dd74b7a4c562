/** Why etcd does not change its members (go.etcd.io/etcd/api/v3, v3rpc/rpctypes/error.go). */
export type EtcdRefusal =
  | 'peer-exists'
  | 'member-not-found'
  | 'not-a-learner'
  | 'learner-behind'
  | 'too-many-learners'
  | 'not-enough-started'
  | 'unhealthy'
  | 'no-leader'
  | 'timed-out'
  | 'other';

interface RefusalRow {
  readonly refusal: EtcdRefusal;
  readonly text: RegExp;
  /** True if it may be otherwise a moment later. */
  readonly passes: boolean;
}

/** The first that fits counts: of promoting, one text begins like the other. */
const rows: readonly RefusalRow[] = [
  { refusal: 'learner-behind', text: /can only promote a learner member which is in sync/, passes: true },
  { refusal: 'not-a-learner', text: /can only promote a learner member/, passes: false },
  { refusal: 'peer-exists', text: /Peer URLs already exists|member ID already exist/, passes: false },
  { refusal: 'member-not-found', text: /member not found/, passes: false },
  { refusal: 'too-many-learners', text: /too many learner members/, passes: true },
  { refusal: 'not-enough-started', text: /not enough started members/, passes: true },
  { refusal: 'unhealthy', text: /unhealthy cluster/, passes: true },
  { refusal: 'no-leader', text: /no leader|not leader|leader changed/, passes: true },
  { refusal: 'timed-out', text: /request timed out|deadline exceeded/, passes: true },
];

/** What an error message of etcd means. */
export function refusalOf(message: string): EtcdRefusal {
  return rows.find(({ text }) => text.test(message))?.refusal ?? 'other';
}

/** Whether to ask again after a while may help. */
export function mayPass(refusal: EtcdRefusal): boolean {
  return rows.find((row) => row.refusal === refusal)?.passes ?? false;
}
