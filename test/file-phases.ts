/** The phases that make files of the control plane, in the order of init. */
export const filePhases: readonly string[] = [
  'certs/ca',
  'certs/apiserver',
  'certs/apiserver-kubelet-client',
  'certs/front-proxy-ca',
  'certs/front-proxy-client',
  'certs/etcd-ca',
  'certs/etcd-server',
  'certs/etcd-peer',
  'certs/etcd-healthcheck-client',
  'certs/apiserver-etcd-client',
  'certs/sa',
  'kubeconfig/admin',
  'kubeconfig/super-admin',
  'kubeconfig/kubelet',
  'kubeconfig/controller-manager',
  'kubeconfig/scheduler',
  'etcd/local',
  'control-plane/apiserver',
  'control-plane/controller-manager',
  'control-plane/scheduler',
];

/** The phases that need a host with a kubelet and a runtime, or a cluster. */
export const hostPhases: readonly string[] = [
  'preflight',
  'kubelet-start',
  'wait-control-plane',
  'upload-config',
  'upload-certs',
  'mark-control-plane',
  'bootstrap-token',
  'kubelet-finalize',
  'addon',
  'show-join-command',
];
