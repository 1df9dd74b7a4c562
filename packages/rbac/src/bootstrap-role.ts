/** The phase that writes a row's objects. */
export type RbacWriter =
  | 'admin-access'
  | 'upload-config/kubeadm'
  | 'upload-config/kubelet'
  | 'upload-config/groundplane'
  | 'upload-certs'
  | 'bootstrap-token'
  | 'addon/kube-proxy'
  | 'addon/coredns';

/** Verbs of requests for objects. There is no `*`: a rule of ours names what it gives. */
export type RuleVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** What becomes of a cluster that lacks a right. */
export type Without =
  | {
      /** The step that fails: `join: kubelet-start`. */
      readonly fails: string;
      /** What is seen then, and where. */
      readonly shows: string;
    }
  /** Nothing of ours fails: the file of kubeadm that writes it, and who else looks at it. */
  | { readonly keptFor: string; readonly because: string }
  /** Nothing fails: what happens in its stead. */
  | { readonly otherwise: string };

/** One right, and why it is given. */
export interface RuleRow {
  readonly verbs: readonly RuleVerb[];
  /** The empty string is Kubernetes' core group. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Absent: objects of every name. */
  readonly resourceNames?: readonly string[];
  readonly reason: string;
  readonly without: Without;
}

/** Who gets the rights. */
export type SubjectRow =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

/** Who makes use of the rights of a row, and when. */
export interface NeedRow {
  /** The command and the phase, or the program: `join: kubelet-start`, `CoreDNS`. */
  readonly step: string;
  /** What it does with them; the sentence begins with the step. */
  readonly does: string;
}

interface BindingRow {
  /** Name of the binding, and of the role if the row has rules. */
  readonly name: string;
  /** Present: a Role and a RoleBinding in this namespace. Absent: a ClusterRole and a ClusterRoleBinding. */
  readonly namespace?: string;
  readonly writtenBy: RbacWriter;
  readonly subjects: readonly SubjectRow[];
  /** Why the subjects get these rights. */
  readonly reason: string;
  readonly neededBy: readonly NeedRow[];
  /** The file of kubeadm that has these objects, below cmd/kubeadm/app; absent for what kubeadm does not have. */
  readonly kubeadmFile?: string;
  /** The kind of the document without which there is no such object. */
  readonly onlyWith?: 'GroundplaneConfiguration';
}

/** A role of our own with its binding, or a binding to a ClusterRole that Kubernetes brings along. */
export type BootstrapRole = BindingRow &
  ({ readonly rules: readonly RuleRow[] } | { readonly clusterRole: string; readonly without: Without });
