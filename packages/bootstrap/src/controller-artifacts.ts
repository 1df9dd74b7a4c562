import type { ClusterRoleBinding, RoleBinding, ServiceAccount } from '@groundplane/manifest';
import type { Artifact } from '@groundplane/phases';
import { list } from './artifacts.ts';
import { apiObject } from './formats.ts';

const rbac = 'rbac.authorization.k8s.io/v1';
/** What the API server makes by itself when it starts. */
const labelSelector = 'kubernetes.io/bootstrapping=rbac-defaults';

export const controllerClusterRoleBindings: Artifact<readonly ClusterRoleBinding[]> = list(
  'list/controller-cluster-role-bindings',
  "ClusterRoleBindings of Kubernetes' own identities",
  { apiVersion: rbac, kind: 'ClusterRoleBinding', labelSelector },
);

export const controllerRoleBindings: Artifact<readonly RoleBinding[]> = list(
  'list/controller-role-bindings',
  "RoleBindings of Kubernetes' own identities",
  { apiVersion: rbac, kind: 'RoleBinding', namespace: 'kube-system', labelSelector },
);

export const controllerAccounts: Artifact<ServiceAccount> = {
  id: 'object/serviceaccount/*',
  description: 'the identities of the controllers of kube-controller-manager',
  policy: 'converge',
  external: true,
  where: () => ({
    kind: 'objects',
    family: { apiVersion: 'v1', kind: 'ServiceAccount', namespace: 'kube-system', prefix: '' },
  }),
  format: apiObject<ServiceAccount>('ServiceAccount'),
};
