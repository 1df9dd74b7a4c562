import { errorFactory } from '@groundplane/errors';

/** Why a call to the Kubernetes API has no result. */
export const clusterErrorCodes = {
  CLUSTER_KUBECONFIG_INVALID: {
    kind: 'conflict',
    description: 'The kubeconfig cannot be read or names no usable server.',
  },
  CLUSTER_UNAVAILABLE: {
    kind: 'unavailable',
    description: 'No answer, or only passing faults (429, 5xx), until the deadline.',
  },
  CLUSTER_PROXY_INVALID: {
    kind: 'usage',
    description: 'The proxy that is to be used is none of scheme http, https or socks5.',
  },
  CLUSTER_PLUGIN_MISSING: {
    kind: 'conflict',
    description: 'The program that the kubeconfig has run for credentials is not there.',
  },
  CLUSTER_PLUGIN_FAILED: {
    kind: 'unavailable',
    description: 'The program that the kubeconfig has run for credentials gave none in time.',
  },
  CLUSTER_ANSWER_INVALID: {
    kind: 'refused',
    description:
      'What answers is no API server: another protocol, no JSON, another status of success, or an answer without end.',
  },
  CLUSTER_REDIRECTED: { kind: 'refused', description: 'The server redirects elsewhere, which is not followed (3xx).' },
  CLUSTER_UNTRUSTED: {
    kind: 'conflict',
    description: "The API server's certificate is not one that the kubeconfig trusts.",
  },
  CLUSTER_UNAUTHORIZED: { kind: 'refused', description: 'The API server does not accept the credentials (401).' },
  CLUSTER_FORBIDDEN: { kind: 'refused', description: 'The identity may not do this (403).' },
  CLUSTER_NOT_FOUND: { kind: 'conflict', description: 'The object to change, or its namespace, does not exist (404).' },
  CLUSTER_UNKNOWN_KIND: { kind: 'conflict', description: 'The API server does not serve this kind.' },
  CLUSTER_ALREADY_EXISTS: { kind: 'conflict', description: 'An object of this name exists already (409).' },
  CLUSTER_CONFLICT: { kind: 'conflict', description: 'The object changed meanwhile (409).' },
  CLUSTER_INVALID: {
    kind: 'refused',
    description: 'The API server refuses the request as invalid (400, 405, 413, 415, 422).',
  },
} as const;

export type ClusterErrorCode = keyof typeof clusterErrorCodes;

export const clusterError = errorFactory(clusterErrorCodes);
