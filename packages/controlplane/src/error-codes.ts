import { errorFactory } from '@groundplane/errors';

/** The error codes of this package. */
export const controlPlaneErrorCodes = {
  CONTROLPLANE_ETCD_EXTERNAL: {
    kind: 'usage',
    description: 'The static pod of etcd was asked for although etcd is external',
  },
} as const;

export const controlPlaneError = errorFactory(controlPlaneErrorCodes);
