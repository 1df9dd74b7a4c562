import { errorFactory } from '@groundplane/errors';

/** Why the container runtime gave no answer. */
export const runtimeErrorCodes = {
  RUNTIME_UNAVAILABLE: { kind: 'unavailable', description: 'Nothing answers on the CRI socket, or not in time.' },
  RUNTIME_UNSUPPORTED: {
    kind: 'conflict',
    description: 'The runtime answers but does not implement this call of CRI v1.',
  },
  RUNTIME_FAILED: { kind: 'unavailable', description: 'The runtime answers a call with an error.' },
  RUNTIME_PULL_FAILED: { kind: 'unavailable', description: 'An image could not be pulled.' },
} as const;

export const runtimeError = errorFactory(runtimeErrorCodes);
