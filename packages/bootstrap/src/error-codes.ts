import { errorFactory, type Finding } from '@groundplane/errors';

/** Why a bootstrap workflow could not go on. */
export const bootstrapErrorCodes = {
  BOOTSTRAP_KEY_MISSING: {
    kind: 'conflict',
    description: 'A certificate or public key is there, but its private key is not',
  },
  BOOTSTRAP_AUTHORITY_MISSING: {
    kind: 'conflict',
    description: 'A CA is gone, and certificates, kubeconfigs or data that hang on it are still there',
  },
  BOOTSTRAP_CONFIGURATION_UNKNOWN: {
    kind: 'conflict',
    description: 'A node that was made with another configuration is to be held to the defaults',
  },
  BOOTSTRAP_AUTHORITY_EXPIRED: {
    kind: 'conflict',
    description: 'Something is to be issued by a CA that has expired',
  },
  BOOTSTRAP_SIGNER_FAILED: {
    kind: 'unavailable',
    description: 'A signer gave no certificate, or another one than it was asked for',
  },
  BOOTSTRAP_EXTERNAL_CA_INCOMPLETE: {
    kind: 'conflict',
    description: 'The key of a CA is kept elsewhere, and not all that it has to sign is here and in order',
  },
  BOOTSTRAP_USER_KUBECONFIG_IMPOSSIBLE: {
    kind: 'conflict',
    description: 'A kubeconfig for a user is wanted, and the CA of the cluster or its key is not here',
  },
  BOOTSTRAP_KUBELET_SIGNER_MISSING: {
    kind: 'conflict',
    description: 'Requests of kubelets are to be signed, and the CA of the cluster or what signs for it is not here',
  },
  BOOTSTRAP_REQUEST_IN_THE_WAY: {
    kind: 'conflict',
    description: 'Where a signing request is to be written there is something else',
  },
  BOOTSTRAP_PREFLIGHT_FAILED: { kind: 'conflict', description: 'Checks of the machine failed; nothing was written' },
  BOOTSTRAP_ADMIN_ACCESS: {
    kind: 'unavailable',
    description: 'Neither admin.conf nor super-admin.conf may bind the administrators',
  },
  BOOTSTRAP_PEM_UNUSABLE: { kind: 'conflict', description: 'A PEM file holds no block of the wanted type' },
  BOOTSTRAP_DOCUMENT_UNUSABLE: { kind: 'conflict', description: 'A file is there that holds no YAML mapping' },
  BOOTSTRAP_DISCOVERY_UNREADABLE: {
    kind: 'unavailable',
    description: 'A file that says which cluster is to be joined is there and cannot be read',
  },
  BOOTSTRAP_PATCHES_UNREADABLE: { kind: 'usage', description: 'The folder of patches cannot be read' },
  BOOTSTRAP_UPLOAD_REFUSED: {
    kind: 'usage',
    description: 'Certificates are to be shared although the key of their CA is kept elsewhere',
  },
  BOOTSTRAP_CLUSTER_UNKNOWN: {
    kind: 'conflict',
    description: 'admin.conf does not say which CA those who join are to trust',
  },
  BOOTSTRAP_KUBECONFIG_USER_MISSING: {
    kind: 'conflict',
    description: 'The current context of kubelet.conf has no user',
  },
  BOOTSTRAP_TOKEN_EXISTS: { kind: 'conflict', description: 'A bootstrap token of this id is there already' },
  BOOTSTRAP_TOKEN_UNKNOWN: { kind: 'conflict', description: 'There is no bootstrap token of this id' },
  BOOTSTRAP_NODE_VANISHED: { kind: 'unavailable', description: 'The Node object was deleted while it was marked' },
  BOOTSTRAP_CONTROL_PLANE_JOIN_MISSING: {
    kind: 'usage',
    description: 'A control-plane node is asked for, and join makes workers only',
  },
  BOOTSTRAP_FETCH_MISSING: { kind: 'usage', description: 'A node is to join with ports that have no fetch' },
  BOOTSTRAP_JOIN_CONFLICT: {
    kind: 'conflict',
    description:
      'This machine belongs to another cluster, the name of the node is taken, or the kubelet would not start; nothing was written',
  },
  BOOTSTRAP_WORKFLOW_UNKNOWN: { kind: 'usage', description: 'There is no workflow of this name' },
  BOOTSTRAP_NOT_DESCRIBED: {
    kind: 'internal',
    description: 'A description asked for what only a running machine or a cluster knows',
  },
  BOOTSTRAP_SERVER_UNKNOWN: {
    kind: 'usage',
    description: 'Nothing says where the API server of the cluster is that a node is to be a worker of',
  },
  BOOTSTRAP_JOIN_NOT_STARTED: {
    kind: 'conflict',
    description: 'A phase is to go on with a join of which nothing is on this machine',
  },
  BOOTSTRAP_IDENTITY_UNKNOWN: {
    kind: 'refused',
    description: 'The API server does not know the token, or what else the node joins with (401)',
  },
  BOOTSTRAP_IDENTITY_FORBIDDEN: {
    kind: 'refused',
    description: 'The identity with which the node joins may not read what a join needs (403)',
  },
  BOOTSTRAP_STORED_CONFIGURATION_MISSING: {
    kind: 'conflict',
    description: 'The cluster has no ConfigMap in which its configuration is kept, or not all of it',
  },
  BOOTSTRAP_STORED_CONFIGURATION_INVALID: {
    kind: 'conflict',
    description: 'The configuration that the cluster keeps cannot be used',
  },
  BOOTSTRAP_CLUSTER_UNREADABLE: {
    kind: 'unavailable',
    description: 'The API server to which discovery led gives no answer, or cannot be trusted',
  },
  BOOTSTRAP_RESET_UNCONFIRMED: { kind: 'refused', description: 'Nobody agreed to the reset of the node' },
  BOOTSTRAP_RESET_REFUSED: {
    kind: 'refused',
    description: 'A directory that is to be cleaned up is one of the system, or holds what is to stay',
  },
  BOOTSTRAP_UNMOUNT_FAILED: {
    kind: 'unavailable',
    description: 'Something is still mounted below the kubelet directory; nothing in it was removed',
  },
  BOOTSTRAP_JOURNAL_REFUSED: {
    kind: 'usage',
    description: 'The journal cannot be at the path of the configuration, where something else is or is going to be',
  },
  BOOTSTRAP_ABORTED: { kind: 'unavailable', description: 'Told to stop before a phase had begun; nothing was changed' },
  BOOTSTRAP_DRY_RUN: { kind: 'usage', description: 'A configuration that asks for a dry run was to be run' },
} as const;

export const bootstrapError = errorFactory(bootstrapErrorCodes);

/** Verdicts of the phases' own checks; others come from the packages whose documents they judge. */
export const bootstrapFindingCodes = {
  BOOTSTRAP_CERTIFICATE_MISSING: 'A certificate, or the kubeconfig that holds it, is not there',
  BOOTSTRAP_CERTIFICATE_UNREADABLE: 'A file cannot be read, or holds no certificate that can be parsed',
  BOOTSTRAP_CERTIFICATE_KEY_MISSING: 'The private key of a certificate is not there',
  BOOTSTRAP_CERTIFICATE_UNVERIFIED: 'The CA is not there with which a certificate would be verified',
  BOOTSTRAP_CERTIFICATE_EXPIRES_SOON: 'A certificate, or one behind it in the same file, has expired or is about to',
  BOOTSTRAP_CERTIFICATE_OUTLIVES_ISSUER: 'A certificate is valid for longer than a CA that its chain leads through',
  BOOTSTRAP_ANSWER_UNREADABLE: 'What a CA sent back holds no certificate that can be read',
  BOOTSTRAP_ANSWER_UNKNOWN: 'A certificate is for no private key that waits on this node',
  BOOTSTRAP_ANSWER_IN_PLACE: 'Another certificate, or one that does not verify, is where an answer belongs',
  BOOTSTRAP_ANSWER_SUPERFLUOUS: 'Of several certificates for one key another one was taken',
  BOOTSTRAP_ANSWER_UNTRUSTED:
    'The CA that has to have signed an answer is not here, or the answer leads to no CA of this node',
  BOOTSTRAP_ANSWER_EXTRA:
    'An answer says more than was asked for. An error for names and groups, a warning for extended key usages',
  BOOTSTRAP_ANSWER_IS_CA: 'A certificate was asked for that is no CA, and the answer may sign others',
  BOOTSTRAP_ANSWER_TOO_SHORT: 'An answer is not valid for as long as was asked for',
  BOOTSTRAP_ANSWER_MISNAMED: 'A file is named like one request and holds the answer to another one',
  BOOTSTRAP_KEY_PAIR_MISMATCH: 'The public key for service account tokens is not that of the private key',
  BOOTSTRAP_CLUSTER_SIGNER_MISSING: 'With an external CA, nothing in the cluster signs the requests of kubelets',
  BOOTSTRAP_KUBELET_REQUEST_REFUSED: 'A request of a kubelet is not what kubelets ask for, or not for who asks',
  BOOTSTRAP_KUBELET_REQUEST_UNAPPROVED: 'A request of a kubelet waits for somebody who approves it',
  BOOTSTRAP_KUBELET_REQUEST_UNSIGNED: 'A signer gave no certificate for a request of a kubelet, or another one',
  BOOTSTRAP_KUBELET_REQUEST_UNSTORED: 'The API server does not take the certificate for a request of a kubelet',
  BOOTSTRAP_SERVICE_ACCOUNT_KEY_MISSING: 'With an external CA, the keys for service account tokens are not here yet',
  BOOTSTRAP_IMAGE_MISSING: 'An image of the control plane is not on this machine',
  BOOTSTRAP_KUBELET_UNMANAGED: 'No init system is there to start the kubelet',
  BOOTSTRAP_KUBELET_NOT_RUNNING: 'The kubelet does not run, or not with the files that are there',
  BOOTSTRAP_KUBELET_CONFIG_REFUSED:
    'A field of the configuration of the kubelet has a type or a value with which it does not start',
  BOOTSTRAP_KUBELET_CONFIG_FIELD_UNKNOWN:
    'A field of the configuration of the kubelet is none that it has, and it passes over it',
  BOOTSTRAP_KUBELET_FLAG_UNKNOWN: 'A flag of the kubelet is none that it knows, and it does not start with it',
  BOOTSTRAP_KUBELET_FLAGS_UNREADABLE:
    'The file with the flags of the kubelet does not set the variable that its unit hands on',
  BOOTSTRAP_COMPONENT_UNHEALTHY: 'The kubelet or a component of the control plane is not healthy',
  BOOTSTRAP_ADMIN_ACCESS_MISSING: 'The group of admin.conf may not administer the cluster',
  BOOTSTRAP_PATCH_IGNORED: 'A file in the folder of patches is no patch',
  BOOTSTRAP_TOKEN_MISSING: 'A bootstrap token that the configuration asks for is not there, or differs',
  BOOTSTRAP_TOKEN_FOREVER: 'A bootstrap token has a negative lifetime, which is for ever',
  BOOTSTRAP_TOKEN_UNUSABLE: 'There is no bootstrap token that a node could join with',
  BOOTSTRAP_CERTIFICATES_NOT_SHARED: 'The Secret kubeadm-certs does not hold the certificates of this node',
  BOOTSTRAP_CERTIFICATE_KEY_UNUSABLE: 'The certificate key does not open what the Secret kubeadm-certs holds',
  BOOTSTRAP_KUBELET_CERTIFICATE_FIXED: 'kubelet.conf holds a client certificate that nobody renews',
  BOOTSTRAP_KUBELET_CERTIFICATE_LOST: 'A kubeconfig names a client certificate of the kubelet that is not there',
  BOOTSTRAP_KUBELET_CERTIFICATE_AWAITED: 'kubelet.conf holds a key whose certificate is still to come',
  BOOTSTRAP_KUBELET_CERTIFICATE_UNFIT: 'The client certificate that the kubelet keeps is not good for this cluster',
  BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED: 'A kubeconfig names a file that is not in the container of its component',
  BOOTSTRAP_AUTHORITY_SHARED: 'Two CAs of a node have one key (warning)',
  BOOTSTRAP_KEY_PUBLIC: 'A private key is in the file of a certificate (warning)',
  BOOTSTRAP_KEY_UNFIT: 'A key is of a kind that Kubernetes signs no service account tokens with',
  BOOTSTRAP_KEY_WEAK: 'The key for service account tokens is an RSA key that is too short',
  BOOTSTRAP_OBJECT_DIFFERS: 'An API object is not what its phase writes',
  BOOTSTRAP_ADDON_DISABLED: 'An addon is asked for that the configuration disables',
  BOOTSTRAP_NODE_OF_ANOTHER_CLUSTER: 'A kubeconfig or CA on this machine is not that of the cluster that it is to join',
  BOOTSTRAP_KUBELET_CLIENT_CA_MISSING: 'The configuration of the kubelet names a CA that is not on the machine',
  BOOTSTRAP_EXTERNAL_ETCD_UNFIT: 'A file by which kube-apiserver reaches an external etcd is missing or does not fit',
  BOOTSTRAP_NODE_NAME_TAKEN: 'Another machine is Ready under the name of this node',
  BOOTSTRAP_KUBELET_WITHOUT_CREDENTIALS: 'The kubelet needs a certificate and has nothing to ask for it with',
  BOOTSTRAP_KUBELET_NOT_JOINED: 'The kubelet has no certificate of the cluster yet, or is not healthy',
  BOOTSTRAP_NODE_UNMARKED: 'The Node object lacks a label or a taint of the control plane',
  BOOTSTRAP_RESET_UNCONFIRMED: 'Nobody agreed to the reset of the node yet',
  BOOTSTRAP_ETCD_LEFT: 'Reset leaves the data or the member of etcd',
  BOOTSTRAP_CLUSTER_UNREACHABLE: 'Reset could not ask the cluster for its configuration',
  BOOTSTRAP_RESET_DIRECTORY: 'Certificates are removed from an unusual directory',
  BOOTSTRAP_RESET_INCOMPLETE: 'Something of the node is still there after a reset',
  BOOTSTRAP_RESET_FOREIGN_FILE: 'A file in the certificates directory is not ours, and reset leaves it',
  BOOTSTRAP_UNMOUNT_FLAG_IGNORED: 'A flag of umount2(2) has no effect',
} as const;

export type BootstrapFindingCode = keyof typeof bootstrapFindingCodes;

/** A verdict with a code of the table. */
export function bootstrapFinding(finding: Finding & { readonly code: BootstrapFindingCode }): Finding {
  return finding;
}
