export type EncryptionAlgorithm = 'RSA-2048' | 'ECDSA-P256';

export interface PhaseConfiguration {
  readonly certificatesDir: string;
  /** Without `v`. */
  readonly kubernetesVersion: string;
  readonly algorithm: EncryptionAlgorithm;
}

/** A configuration in which nothing has to be looked up, on the host or elsewhere. */
export function phaseConfiguration({ certificatesDir, kubernetesVersion, algorithm }: PhaseConfiguration): string {
  return `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v${kubernetesVersion}
certificatesDir: ${certificatesDir}
encryptionAlgorithm: ${algorithm}
`;
}
