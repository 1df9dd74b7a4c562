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
  KUBECONFIG_CREDENTIALS_MISSING: 'The user has no means to authenticate (error)',
} as const;

export type KubeconfigFindingCode = keyof typeof kubeconfigFindingCodes;
