import { errorFactory } from '@groundplane/errors';

/** Why this package cannot go on. */
export const kubeconfigErrorCodes = {
  KUBECONFIG_UNREADABLE: { kind: 'conflict', description: 'A text is no kubeconfig document' },
  KUBECONFIG_CONTEXT_MISSING: {
    kind: 'conflict',
    description: 'The current context of a kubeconfig, or the cluster or user that it names, is not in the document',
  },
  KUBECONFIG_ENDPOINT_INVALID: {
    kind: 'usage',
    description: 'An endpoint is not a host or a host and a port that Kubernetes accepts',
  },
} as const;

export const kubeconfigError = errorFactory(kubeconfigErrorCodes);

/** What {@link verifyKubeconfig} can find besides the codes of `@groundplane/pki`, which it uses for the client certificate. */
export const kubeconfigFindingCodes = {
  KUBECONFIG_UNREADABLE: 'The text is no kubeconfig document (error)',
  KUBECONFIG_CONTEXT_MISSING:
    'The current context, or the cluster or user that it names, is not in the document (error)',
  KUBECONFIG_CA_UNREADABLE: 'The certificate authority of the cluster is absent or cannot be parsed (error)',
  KUBECONFIG_CA_ELSEWHERE: 'The certificate authority is in a file that was not given, so it was not judged (warning)',
  KUBECONFIG_CA_DIFFERS: 'The first certificate authority of the cluster is not an expected one (error)',
  KUBECONFIG_SERVER_DIFFERS: 'The server is another one than expected (warning)',
  KUBECONFIG_SERVER_PLAIN: 'The server is not asked by https (error)',
  KUBECONFIG_CONNECTION_UNUSUAL: 'A proxy stands between, or the server is to be known by another name (warning)',
  KUBECONFIG_UNUSABLE:
    'Fields contradict each other, are incomplete, or ask for what no Kubernetes client does (error)',
  KUBECONFIG_CREDENTIALS_MISSING: 'The user has no means to authenticate (error)',
  KUBECONFIG_CREDENTIALS_REFUSED: 'The only means to authenticate is one that API servers no longer know (error)',
  KUBECONFIG_CREDENTIALS_UNJUDGED:
    'The user has means to authenticate besides or in place of a client certificate that is at hand (warning)',
  KUBECONFIG_IMPERSONATES:
    'Requests are made in the name of somebody else. An error where the user is one without the right to, else a warning',
} as const;

export type KubeconfigFindingCode = keyof typeof kubeconfigFindingCodes;
