import { errorFactory } from '@groundplane/errors';

/** The error codes of this package. */
export const rbacErrorCodes = {
  RBAC_SUBJECT_UNKNOWN: {
    kind: 'usage',
    description: 'Rights were asked for of somebody whose name has no known form',
  },
  RBAC_RESOURCE_UNKNOWN: {
    kind: 'usage',
    description: 'A question names a resource that Kubernetes does not bring along, without its API group',
  },
  RBAC_QUESTION_INVALID: {
    kind: 'usage',
    description: 'A question about rights contradicts itself or lacks a part',
  },
} as const;

export const rbacError = errorFactory(rbacErrorCodes);
