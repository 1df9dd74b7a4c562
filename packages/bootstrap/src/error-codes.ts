import { errorFactory, type Finding } from '@groundplane/errors';

/** Why a bootstrap workflow could not go on. */
export const bootstrapErrorCodes = {
  BOOTSTRAP_KEY_MISSING: {
    kind: 'conflict',
    description: 'A certificate or public key is there, but its private key is not',
  },
  BOOTSTRAP_AUTHORITY_EXPIRED: {
    kind: 'conflict',
    description: 'Something is to be issued by a CA that has expired',
  },
  BOOTSTRAP_EXTERNAL_CA_INCOMPLETE: {
    kind: 'conflict',
    description: 'The key of a CA is kept elsewhere, and not all that it has to sign is here and in order',
  },
  BOOTSTRAP_PREFLIGHT_FAILED: { kind: 'conflict', description: 'Checks of the machine failed; nothing was written' },
  BOOTSTRAP_ADMIN_ACCESS: {
    kind: 'unavailable',
    description: 'Neither admin.conf nor super-admin.conf may bind the administrators',
  },
  BOOTSTRAP_PEM_UNUSABLE: { kind: 'conflict', description: 'A PEM file holds no block of the wanted type' },
  BOOTSTRAP_DOCUMENT_UNUSABLE: { kind: 'conflict', description: 'A file is there that holds no YAML mapping' },
  BOOTSTRAP_PATCHES_UNREADABLE: { kind: 'usage', description: 'The folder of patches cannot be read' },
  BOOTSTRAP_NODE_VANISHED: { kind: 'unavailable', description: 'The Node object was deleted while it was marked' },
} as const;

export const bootstrapError = errorFactory(bootstrapErrorCodes);

/** Verdicts of the phases' own checks; others come from the packages whose documents they judge. */
export const bootstrapFindingCodes = {
  BOOTSTRAP_KEY_PAIR_MISMATCH: 'The public key for service account tokens is not that of the private key',
  BOOTSTRAP_SERVICE_ACCOUNT_KEY_MISSING: 'With an external CA, the keys for service account tokens are not here yet',
  BOOTSTRAP_IMAGE_MISSING: 'An image of the control plane is not on this machine',
  BOOTSTRAP_KUBELET_UNMANAGED: 'No init system is there to start the kubelet',
  BOOTSTRAP_KUBELET_NOT_RUNNING: 'The kubelet does not run, or not with the files that are there',
  BOOTSTRAP_COMPONENT_UNHEALTHY: 'The kubelet or a component of the control plane is not healthy',
  BOOTSTRAP_ADMIN_ACCESS_MISSING: 'The group of admin.conf may not administer the cluster',
  BOOTSTRAP_PATCH_IGNORED: 'A file in the folder of patches is no patch',
  BOOTSTRAP_OBJECT_DIFFERS: 'An API object is not what its phase writes',
  BOOTSTRAP_NODE_UNMARKED: 'The Node object lacks a label or a taint of the control plane',
} as const;

export type BootstrapFindingCode = keyof typeof bootstrapFindingCodes;

/** A verdict with a code of the table. */
export function bootstrapFinding(finding: Finding & { readonly code: BootstrapFindingCode }): Finding {
  return finding;
}
