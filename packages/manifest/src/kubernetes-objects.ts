/** Kubernetes ObjectMeta, the fields that bootstrap uses. */
export interface ObjectMeta {
  name?: string;
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
}

/** Any Kubernetes object. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta;
}

/** An object that has its name. */
export interface NamedObject extends KubernetesObject {
  metadata: ObjectMeta & { name: string };
}

export interface ConfigMap extends NamedObject {
  apiVersion: 'v1';
  kind: 'ConfigMap';
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

export interface Secret extends NamedObject {
  apiVersion: 'v1';
  kind: 'Secret';
  type?: string;
  /** Base64 values. */
  data?: Record<string, string>;
  /** Plain values; the API server moves them to `data`. */
  stringData?: Record<string, string>;
  immutable?: boolean;
}

export interface ServiceAccount extends NamedObject {
  apiVersion: 'v1';
  kind: 'ServiceAccount';
}

export const rbacApiGroup = 'rbac.authorization.k8s.io';

export interface PolicyRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Subject {
  kind: 'User' | 'Group' | 'ServiceAccount';
  apiGroup?: string;
  name: string;
  namespace?: string;
}

export interface RoleRef {
  apiGroup: typeof rbacApiGroup;
  kind: 'Role' | 'ClusterRole';
  name: string;
}

interface RbacObject extends NamedObject {
  apiVersion: 'rbac.authorization.k8s.io/v1';
}

export interface Role extends RbacObject {
  kind: 'Role';
  rules: PolicyRule[];
}

export interface ClusterRole extends RbacObject {
  kind: 'ClusterRole';
  rules: PolicyRule[];
}

export interface RoleBinding extends RbacObject {
  kind: 'RoleBinding';
  roleRef: RoleRef;
  subjects?: Subject[];
}

export interface ClusterRoleBinding extends RbacObject {
  kind: 'ClusterRoleBinding';
  roleRef: RoleRef;
  subjects?: Subject[];
}

export interface Taint {
  key: string;
  value?: string;
  effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  timeAdded?: string;
}

export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Node extends NamedObject {
  apiVersion: 'v1';
  kind: 'Node';
  spec?: {
    podCIDR?: string;
    podCIDRs?: string[];
    providerID?: string;
    taints?: Taint[];
    unschedulable?: boolean;
  };
  status?: {
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: {
      machineID: string;
      systemUUID: string;
      kubeletVersion: string;
      containerRuntimeVersion?: string;
      osImage?: string;
    };
  };
}

/** The API server's answer where it is not the object asked for, errors above all. */
export interface Status extends KubernetesObject {
  apiVersion: 'v1';
  kind: 'Status';
  status?: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  code?: number;
  details?: {
    name?: string;
    kind?: string;
    retryAfterSeconds?: number;
    causes?: { reason?: string; message?: string; field?: string }[];
  };
}
