import { fileURLToPath } from 'node:url';
import { caseFolder } from './sandbox-node.ts';

/** Of a node whose certificates a CA signs that is elsewhere. */
export const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

/** The programs, as words of a shell, and where they find the configuration. */
export const { GROUNDPLANE_KUBEADM: kubeadm = '' } = process.env;
export const ours = `${process.execPath} ${fileURLToPath(new URL('../packages/cli/dist/bin/groundplane.js', import.meta.url))}`;
export const config = `--config ${caseFolder}/config.yaml`;

export const pki = '/etc/kubernetes/pki';
