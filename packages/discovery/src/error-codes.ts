import { errorFactory } from '@groundplane/errors';
import { visibleText } from './visible-text.ts';

/** Why this package cannot go on. */
export const discoveryErrorCodes = {
  DISCOVERY_TOKEN_INVALID: { kind: 'usage', description: 'A text is no bootstrap token `[a-z0-9]{6}.[a-z0-9]{16}`' },
  DISCOVERY_TOKEN_SECRET_INVALID: { kind: 'conflict', description: 'A Secret is no usable bootstrap token' },
  DISCOVERY_PIN_INVALID: { kind: 'usage', description: 'A pin is not `sha256:` and 64 hexadecimal digits' },
  DISCOVERY_PIN_MISSING: {
    kind: 'usage',
    description: 'No public key is pinned, and it is not said either that the token alone is to do',
  },
  DISCOVERY_ENDPOINT_INVALID: {
    kind: 'usage',
    description: 'An API server endpoint is no `host:port`, or a URL is none',
  },
  DISCOVERY_SOURCE_MISSING: { kind: 'usage', description: 'Neither a token nor a file is given to discover with' },
  DISCOVERY_CREDENTIALS_MISSING: {
    kind: 'usage',
    description: 'Neither a TLS bootstrap token nor credentials in the discovery file are there',
  },
  DISCOVERY_FILE_UNREADABLE: {
    kind: 'usage',
    description: 'The discovery file, or a file that it refers to, cannot be read',
  },
  DISCOVERY_FILE_INVALID: { kind: 'conflict', description: 'The discovery file is no kubeconfig that can be used' },
  DISCOVERY_UNREACHABLE: {
    kind: 'unavailable',
    description: 'The API server, or the server of the discovery file, gave no complete answer until the deadline',
  },
  DISCOVERY_REFUSED: { kind: 'refused', description: 'The server answers with an error status' },
  DISCOVERY_UNAUTHORIZED: {
    kind: 'refused',
    description: 'The API server does not accept the credentials of the discovery file',
  },
  DISCOVERY_CREDENTIALS_FAILED: {
    kind: 'unavailable',
    description: 'The program that the discovery file has run for credentials gave none',
  },
  DISCOVERY_REDIRECTED: { kind: 'refused', description: 'The server redirects elsewhere' },
  DISCOVERY_ANSWER_INVALID: {
    kind: 'refused',
    description: 'What answers is no API server, or its answer is no cluster-info ConfigMap or larger than any can be',
  },
  DISCOVERY_UNSIGNED: {
    kind: 'timeout',
    description: 'cluster-info held no signature of the token until the deadline: unknown, expired or not for signing',
  },
  DISCOVERY_SIGNATURE_INVALID: {
    kind: 'refused',
    description: 'The signature of the token over cluster-info is wrong: another secret, or altered content',
  },
  DISCOVERY_CLUSTER_INFO_INVALID: {
    kind: 'refused',
    description: 'The kubeconfig in cluster-info names no API server or CA that can be used',
  },
  DISCOVERY_CREDENTIALS_INSIDE: {
    kind: 'refused',
    description: 'The kubeconfig in cluster-info, which everybody can read, carries credentials',
  },
  DISCOVERY_PIN_MISMATCH: { kind: 'refused', description: 'No CA in cluster-info has one of the pinned public keys' },
  DISCOVERY_UNTRUSTED: {
    kind: 'refused',
    description: 'The certificate that the server shows does not lead to the CA that is trusted',
  },
  DISCOVERY_CLUSTER_INFO_CHANGED: {
    kind: 'refused',
    description: 'cluster-info over verified TLS is another one than without',
  },
} as const;

export type DiscoveryErrorCode = keyof typeof discoveryErrorCodes;

const plainError = errorFactory(discoveryErrorCodes);

/** An error whose message may quote what a stranger sent: see {@link visibleText}. */
export const discoveryError: typeof plainError = (code, message, options) =>
  plainError(code, visibleText(message), options);

/** Verdicts that do not stop discovery, and those on Secrets that are passed over. All are warnings. */
export const discoveryFindingCodes = {
  DISCOVERY_TOKEN_SECRET_INVALID: 'A Secret of the type of bootstrap tokens is none and is passed over',
  DISCOVERY_SERVER_DIFFERS: 'The discovery file names another server than cluster-info; the one of the file is used',
  DISCOVERY_CLUSTER_INFO_FORBIDDEN: 'cluster-info may not be read, so the discovery file is used as it is',
  DISCOVERY_FILE_REFERS_LOCALLY:
    'The discovery file came over the network and has files of this machine read, or a program run',
  DISCOVERY_TLS_UNVERIFIED: 'The discovery file has the API server not verified',
  DISCOVERY_CA_NOT_PINNED: 'The API server is trusted by the token alone: whoever knows the token can pose as it',
} as const;

export type DiscoveryFindingCode = keyof typeof discoveryFindingCodes;
