/** The phase that writes a row's objects. */
export type RbacWriter =
  | 'admin-access'
  | 'upload-config/kubeadm'
  | 'upload-config/kubelet'
  | 'upload-certs'
  | 'bootstrap-token'
  | 'addon/kube-proxy'
  | 'addon/coredns';

/** One right, and why it is given. */
export interface RuleRow {
  readonly verbs: readonly string[];
  /** The empty string is Kubernetes' core group. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Absent: objects of every name. */
  readonly resourceNames?: readonly string[];
  readonly reason: string;
}

/** Who gets the rights. */
export type SubjectRow =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly name: string; readonly namespace: string };

interface BindingRow {
  /** Name of the binding, and of the role if the row has rules. */
  readonly name: string;
  /** Present: a Role and a RoleBinding in this namespace. Absent: a ClusterRole and a ClusterRoleBinding. */
  readonly namespace?: string;
  readonly writtenBy: RbacWriter;
  readonly subjects: readonly SubjectRow[];
  /** Why the subjects get these rights. */
  readonly reason: string;
}

/** A role of our own with its binding, or a binding to a ClusterRole that Kubernetes brings along. */
export type BootstrapRole = BindingRow & ({ readonly rules: readonly RuleRow[] } | { readonly clusterRole: string });

const joiningNodes: SubjectRow = { kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' };
const nodes: SubjectRow = { kind: 'Group', name: 'system:nodes' };
const kubeSystem = 'kube-system';

function getByName(resource: 'configmaps' | 'secrets', name: string, reason: string): readonly RuleRow[] {
  return [{ verbs: ['get'], apiGroups: [''], resources: [resource], resourceNames: [name], reason }];
}

/**
 * Every RBAC object of bootstrap, in the order in which it is written.
 * Source: kubeadm's phases/bootstraptoken, uploadconfig, kubelet, copycerts, addons and kubeconfig.
 */
export const bootstrapRoles: readonly BootstrapRole[] = [
  {
    name: 'kubeadm:cluster-admins',
    writtenBy: 'admin-access',
    clusterRole: 'cluster-admin',
    subjects: [{ kind: 'Group', name: 'kubeadm:cluster-admins' }],
    reason: 'admin.conf gets its rights by this binding and not by system:masters, so that they can be taken away',
  },
  {
    name: 'kubeadm:nodes-kubeadm-config',
    namespace: kubeSystem,
    writtenBy: 'upload-config/kubeadm',
    rules: getByName('configmaps', 'kubeadm-config', 'It holds the configuration of the cluster'),
    subjects: [joiningNodes, nodes],
    reason: 'Joining nodes set themselves up by the configuration of the cluster, and nodes read it again on upgrade',
  },
  {
    name: 'kubeadm:kubelet-config',
    namespace: kubeSystem,
    writtenBy: 'upload-config/kubelet',
    rules: getByName('configmaps', 'kubelet-config', 'It holds the kubelet configuration of the cluster'),
    subjects: [nodes, joiningNodes],
    reason: 'Nodes write their kubelet configuration from it when they join and on upgrade',
  },
  {
    name: 'kubeadm:kubeadm-certs',
    namespace: kubeSystem,
    writtenBy: 'upload-certs',
    rules: getByName('secrets', 'kubeadm-certs', 'It holds the encrypted certificates of the control plane'),
    subjects: [joiningNodes],
    reason: 'Joining control plane nodes fetch the shared certificates, which only the certificate key opens',
  },
  {
    name: 'kubeadm:get-nodes',
    writtenBy: 'bootstrap-token',
    rules: [
      {
        verbs: ['get'],
        apiGroups: [''],
        resources: ['nodes'],
        reason: 'One node is asked for by its name; a list is not needed',
      },
    ],
    subjects: [joiningNodes],
    reason: 'A joining node checks that no node of its name exists and is Ready',
  },
  {
    name: 'kubeadm:kubelet-bootstrap',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:node-bootstrapper',
    subjects: [joiningNodes],
    reason: 'The kubelet of a joining node asks for its client certificate by a signing request',
  },
  {
    name: 'kubeadm:node-autoapprove-bootstrap',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    subjects: [joiningNodes],
    reason: 'Signing requests of joining nodes are approved without a person',
  },
  {
    name: 'kubeadm:node-autoapprove-certificate-rotation',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    subjects: [nodes],
    reason: 'Kubelets renew their own client certificates without a person',
  },
  {
    name: 'kubeadm:apiserver-kubelet-client',
    writtenBy: 'bootstrap-token',
    clusterRole: 'system:kubelet-api-admin',
    subjects: [{ kind: 'User', name: 'kube-apiserver-kubelet-client' }],
    reason: 'The API server reaches the kubelets for logs, exec and port forwarding with its own client certificate',
  },
  {
    name: 'kubeadm:bootstrap-signer-clusterinfo',
    namespace: 'kube-public',
    writtenBy: 'bootstrap-token',
    rules: getByName(
      'configmaps',
      'cluster-info',
      'It holds the address and the CA of the cluster, signed by the tokens',
    ),
    subjects: [{ kind: 'User', name: 'system:anonymous' }],
    reason: 'A joining node has no credentials yet when it looks for the cluster; the token proves what it reads',
  },
  {
    name: 'system:coredns',
    writtenBy: 'addon/coredns',
    rules: [
      {
        verbs: ['list', 'watch'],
        apiGroups: [''],
        resources: ['endpoints', 'services', 'pods', 'namespaces'],
        reason: 'The names of the cluster domain come from these objects',
      },
      {
        verbs: ['list', 'watch'],
        apiGroups: ['discovery.k8s.io'],
        resources: ['endpointslices'],
        reason: 'Headless services and services without a cluster address are answered from endpoint slices',
      },
    ],
    subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace: kubeSystem }],
    reason: 'CoreDNS answers names from the services and pods that it watches',
  },
  {
    name: 'kubeadm:node-proxier',
    writtenBy: 'addon/kube-proxy',
    clusterRole: 'system:node-proxier',
    subjects: [{ kind: 'ServiceAccount', name: 'kube-proxy', namespace: kubeSystem }],
    reason: 'kube-proxy watches services, endpoint slices and its node',
  },
  {
    name: 'kube-proxy',
    namespace: kubeSystem,
    writtenBy: 'addon/kube-proxy',
    rules: getByName('configmaps', 'kube-proxy', 'It holds the configuration of kube-proxy'),
    subjects: [joiningNodes],
    reason: 'A joining node whose kube-proxy does not run as a pod reads the configuration with its token',
  },
];
