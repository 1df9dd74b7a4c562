import { kubernetesVersions } from '@groundplane/config';

/** Stand for what a cluster keeps where nobody knows it: documents that say nothing, so that the defaults count. */

/** Names a version, as what stands for one would be warned about. */
export const anyCluster = `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: ${kubernetesVersions.newest}\n`;

export const anyKubelet = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
