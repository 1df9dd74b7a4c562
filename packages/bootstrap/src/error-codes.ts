import { errorFactory, type Finding } from '@groundplane/errors';

/** Why a bootstrap workflow could not go on. */
export const bootstrapErrorCodes = {
  BOOTSTRAP_KEY_MISSING: {
    kind: 'conflict',
    description: 'A certificate or public key is there, but its private key is not',
  },
  BOOTSTRAP_AUTHORITY_INVALID_NOW: {
    kind: 'conflict',
    description: 'Something is to be issued by a CA that has expired or is not valid yet',
  },
  BOOTSTRAP_PREFLIGHT_FAILED: { kind: 'conflict', description: 'Checks of the machine failed; nothing was written' },
  BOOTSTRAP_ADMIN_ACCESS: {
    kind: 'unavailable',
    description: 'Neither admin.conf nor super-admin.conf may bind the administrators',
  },
  BOOTSTRAP_PATCHES_UNREADABLE: { kind: 'usage', description: 'The folder of patches cannot be read' },
  BOOTSTRAP_NODE_VANISHED: { kind: 'unavailable', description: 'The Node object was deleted while it was marked' },
} as const;

export const bootstrapError = errorFactory(bootstrapErrorCodes);

/** Verdicts of the phases' own checks; others come from the packages whose documents they judge. */
export const bootstrapFindingCodes = {
  BOOTSTRAP_KEY_PAIR_MISMATCH: 'The public key for service account tokens is not that of the private key',
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
