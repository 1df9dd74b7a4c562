/** One member of an etcd cluster, as the cluster lists it. */
export interface EtcdMember {
  /** Decimal, 64 bits without a sign. */
  readonly id: string;
  /** Empty until the member has started for the first time. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  /** None until the member has started. */
  readonly clientUrls: readonly string[];
  /** It gets all data and has no vote. */
  readonly isLearner: boolean;
}

/** What one member says of itself. */
export interface EtcdMemberStatus {
  readonly id: string;
  readonly version: string;
  /** Id of the leader that it knows; undefined if it knows none. */
  readonly leader: string | undefined;
  readonly isLearner: boolean;
  /** What it complains of, such as `etcdserver: no leader` or an alarm. */
  readonly errors: readonly string[];
}
