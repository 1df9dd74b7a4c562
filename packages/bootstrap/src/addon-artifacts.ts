import { dnsLabel } from '@groundplane/addons';
import type {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  DaemonSet,
  Deployment,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
} from '@groundplane/manifest';
import type { Artifact } from '@groundplane/phases';
import { list, object } from './artifacts.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
const namespace = 'kube-system';

/** What the phase addon/kube-proxy writes, in its order. */
export const kubeProxyArtifacts: {
  readonly serviceAccount: Artifact<ServiceAccount>;
  readonly clusterRoleBinding: Artifact<ClusterRoleBinding>;
  readonly role: Artifact<Role>;
  readonly roleBinding: Artifact<RoleBinding>;
  readonly configMap: Artifact<ConfigMap>;
  readonly daemonSet: Artifact<DaemonSet>;
} = {
  serviceAccount: object('object/serviceaccount/kube-proxy', 'the identity of kube-proxy', {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'kube-proxy' },
  }),
  clusterRoleBinding: object('object/kubeadm:node-proxier', 'lets kube-proxy watch services and endpoints', {
    ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', name: 'kubeadm:node-proxier' },
  }),
  role: object('object/role/kube-proxy', "allows reading kube-proxy's configuration", {
    ...{ apiVersion: rbac, kind: 'Role', namespace, name: 'kube-proxy' },
  }),
  roleBinding: object('object/rolebinding/kube-proxy', "gives joining nodes kube-proxy's configuration", {
    ...{ apiVersion: rbac, kind: 'RoleBinding', namespace, name: 'kube-proxy' },
  }),
  configMap: object('object/configmap/kube-proxy', 'the configuration of kube-proxy', {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kube-proxy' },
  }),
  daemonSet: object('object/daemonset/kube-proxy', 'kube-proxy on every node', {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name: 'kube-proxy' },
  }),
};

/** What the phase addon/coredns writes, in its order. */
export const coreDnsArtifacts: {
  readonly serviceAccount: Artifact<ServiceAccount>;
  readonly clusterRole: Artifact<ClusterRole>;
  readonly clusterRoleBinding: Artifact<ClusterRoleBinding>;
  readonly configMap: Artifact<ConfigMap>;
  readonly service: Artifact<Service>;
  readonly deployment: Artifact<Deployment>;
} = {
  serviceAccount: object('object/serviceaccount/coredns', 'the identity of CoreDNS', {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'coredns' },
  }),
  clusterRole: object('object/clusterrole/system:coredns', 'allows watching what names are made of', {
    ...{ apiVersion: rbac, kind: 'ClusterRole', name: 'system:coredns' },
  }),
  clusterRoleBinding: object('object/clusterrolebinding/system:coredns', 'gives CoreDNS its role', {
    ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', name: 'system:coredns' },
  }),
  configMap: object('object/configmap/coredns', 'the Corefile', {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'coredns' },
  }),
  service: object('object/service/kube-dns', 'the address of the cluster DNS', {
    ...{ apiVersion: 'v1', kind: 'Service', namespace, name: 'kube-dns' },
  }),
  deployment: object('object/deployment/coredns', 'the pods of the cluster DNS', {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'coredns' },
  }),
};

/** Whatever is taken for the cluster DNS. */
export const dnsDeployments: Artifact<readonly Deployment[]> = list(
  'list/dns-deployments',
  'Deployments with the label of the cluster DNS',
  { apiVersion: 'apps/v1', kind: 'Deployment', namespace, labelSelector: dnsLabel },
);

/** One of them may have the address of the cluster DNS. */
export const allServices: Artifact<readonly Service[]> = list('list/services', 'Services of all namespaces', {
  apiVersion: 'v1',
  kind: 'Service',
});
