import type { SuiteResult } from './e2e-suite.ts';

const group = '[sig-cluster-lifecycle] [area-kubeadm]';

/** Those of the suite that a cluster with one control plane, workers, and `--upload-certs` passes or skips, whoever made it. */
const names = [
  'admin kubeadm:cluster-admins CRB must exist and be binding the cluster-admin ClusterRole to the kubeadm:cluster-admins Group',
  'bootstrap signer should be active',
  'bootstrap signer should resign the bootstrap tokens when cluster-info changed and remove the signature when the token is deleted',
  'bootstrap token cleaner should delete the token secret when the secret expired',
  'bootstrap token cleaner should not delete the token secret when the secret is not expired',
  'bootstrap token should be allowed to auto approve CSR for kubelet certificates on joining nodes',
  'bootstrap token should be allowed to post CSR for kubelet certificates on joining nodes',
  'bootstrap token should exist and be properly configured',
  'cluster-info ConfigMap should be accessible for anonymous',
  'cluster-info ConfigMap should exist and be properly configured',
  'cluster-info ConfigMap should have related Role and RoleBinding',
  'control-plane node should be labelled and tainted [multi-node]',
  'DNS addon CoreDNS CoreDNS ConfigMap should exist and be properly configured',
  'DNS addon CoreDNS CoreDNS Deployment should exist and be properly configured',
  'DNS addon CoreDNS CoreDNS ServiceAccount should exist',
  'DNS addon CoreDNS CoreDNS ServiceAccount should have related ClusterRole and ClusterRoleBinding',
  'DNS addon DNS Service should exist',
  'kubeadm-certs [copy-certs] should be accessible for bootstrap tokens',
  'kubeadm-certs [copy-certs] should exist and be properly configured',
  'kubeadm-certs [copy-certs] should have related Role and RoleBinding',
  'kubeadm-config ConfigMap should be accessible for bootstrap tokens',
  'kubeadm-config ConfigMap should be accessible for nodes',
  'kubeadm-config ConfigMap should exist and be properly configured',
  'kubeadm-config ConfigMap should have related Role and RoleBinding',
  'kubelet-config ConfigMap should be accessible for bootstrap tokens',
  'kubelet-config ConfigMap should be accessible for nodes',
  'kubelet-config ConfigMap should exist and be properly configured',
  'kubelet-config ConfigMap should have related Role and RoleBinding',
  'networking [setup-networking] dual-stack podSubnet should be properly configured if specified in kubeadm-config',
  'networking [setup-networking] single-stack podSubnet should be properly configured if specified in kubeadm-config',
  'networking [setup-networking] single-stack serviceSubnet should be properly configured if specified in kubeadm-config',
  'nodes should be allowed to rotate CSR',
  'nodes should have CRI annotation',
  'proxy addon kube-proxy ConfigMap should be accessible by bootstrap tokens',
  'proxy addon kube-proxy ConfigMap should exist and be properly configured',
  'proxy addon kube-proxy ConfigMap should have related Role and RoleBinding',
  'proxy addon kube-proxy DaemonSet should exist and be properly configured',
  'proxy addon kube-proxy ServiceAccount should be bound to the system:node-proxier cluster role',
  'proxy addon kube-proxy ServiceAccount should exist',
];

/** Why one leaves itself out. */
const skipped: Readonly<Record<string, string>> = {
  'networking [setup-networking] dual-stack podSubnet should be properly configured if specified in kubeadm-config':
    'Skipping because cluster is not dual-stack',
};

/** Without `--upload-certs`, as the suite calls them. */
export const uploadedCertificates = 'copy-certs';

/** What becomes of each test of the suite, in the order in which `runSuite` gives them. */
export const suiteTests: readonly SuiteResult[] = names.map((name) => {
  const failure = skipped[name];
  const state = failure === undefined ? { state: 'passed' } : { state: 'skipped', failure };
  return { name: `${group} ${name}`, ...state };
});
