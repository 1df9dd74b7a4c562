import { errorFactory } from '@groundplane/errors';

/** Why a bootstrap workflow could not go on. */
export const bootstrapErrorCodes = {
  BOOTSTRAP_KEY_MISSING: {
    kind: 'conflict',
    description: 'A certificate or public key is there, but its private key is not',
  },
  BOOTSTRAP_PREFLIGHT_FAILED: { kind: 'conflict', description: 'Checks of the machine failed; nothing was written' },
  BOOTSTRAP_KUBELET_UNMANAGED: { kind: 'refused', description: 'No init system is there to start the kubelet' },
  BOOTSTRAP_ADMIN_ACCESS: {
    kind: 'unavailable',
    description: 'Neither admin.conf nor super-admin.conf may bind the administrators',
  },
  BOOTSTRAP_NODE_CONFLICT: { kind: 'conflict', description: 'The Node object could not be changed' },
} as const;

export const bootstrapError = errorFactory(bootstrapErrorCodes);
