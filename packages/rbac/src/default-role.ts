/** A role that Kubernetes itself makes, and the binding that it makes with it. */
export interface DefaultRole {
  /** Name of the role. */
  readonly name: string;
  /** Present: a Role and a RoleBinding in this namespace. */
  readonly namespace?: string;
  /** In the form of `parsePolicyRule`, in the order in which the API server serves them. */
  readonly rules: readonly string[];
  /** Whom Kubernetes binds it to, as `group:NAME`, `user:NAME` or `serviceaccount:NAMESPACE/NAME`; absent: nobody. */
  readonly subjects?: readonly string[];
  /** Name of the binding, where it is not that of the role. */
  readonly binding?: string;
  /** What it is for. */
  readonly reason: string;
}
