import { errorFactory } from '@groundplane/errors';

/** Why this package cannot go on. */
export const etcdErrorCodes = {
  ETCD_UNREACHABLE: { kind: 'unavailable', description: 'None of the endpoints of etcd answers' },
  ETCD_REFUSED: {
    kind: 'unavailable',
    description: 'etcd refuses a change of its members; `details.refusal` says which of the known reasons it has',
  },
  ETCD_ANSWER_UNREADABLE: { kind: 'unavailable', description: 'What answers at an endpoint is no etcd' },
} as const;

export const etcdError = errorFactory(etcdErrorCodes);
