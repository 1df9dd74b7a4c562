import { errorFactory } from '@groundplane/errors';

/** Why something of the kubelet's cannot be read or decided. */
export const errorCodes = {
  KUBELET_FLAGS_UNREADABLE: { kind: 'conflict', description: 'kubeadm-flags.env does not set KUBELET_KUBEADM_ARGS' },
  KUBELET_CONFIG_UNREADABLE: { kind: 'conflict', description: 'A kubelet configuration file holds no mapping' },
  PREFLIGHT_FACT_MISSING: {
    kind: 'internal',
    description: 'A preflight check was evaluated without a fact that requiredFacts lists for it',
  },
} as const;

export const kubeletError = errorFactory(errorCodes);
