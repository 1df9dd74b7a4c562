import type { Layout } from '@groundplane/phases';

/** Where things are unless the configuration says otherwise; what a look at an unknown node begins with. */
export const usualLayout: Layout = {
  kubernetes: '/etc/kubernetes',
  pki: '/etc/kubernetes/pki',
  kubelet: '/var/lib/kubelet',
  etcdData: '/var/lib/etcd',
  nodeName: '',
};
