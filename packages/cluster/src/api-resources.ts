/** How objects of a kind are addressed. */
export interface ApiResource {
  /** Plural, as in the path. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The kinds that a bootstrap meets, by `group/Kind` (the core group is empty). Others are asked for from the API server. */
export const knownResources: Readonly<Record<string, ApiResource>> = Object.fromEntries(
  (
    [
      ['', 'ConfigMap', 'configmaps', true],
      ['', 'Endpoints', 'endpoints', true],
      ['', 'Event', 'events', true],
      ['', 'Namespace', 'namespaces', false],
      ['', 'Node', 'nodes', false],
      ['', 'PersistentVolume', 'persistentvolumes', false],
      ['', 'PersistentVolumeClaim', 'persistentvolumeclaims', true],
      ['', 'Pod', 'pods', true],
      ['', 'Secret', 'secrets', true],
      ['', 'Service', 'services', true],
      ['', 'ServiceAccount', 'serviceaccounts', true],
      ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', false],
      ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', false],
      ['apiextensions.k8s.io', 'CustomResourceDefinition', 'customresourcedefinitions', false],
      ['apiregistration.k8s.io', 'APIService', 'apiservices', false],
      ['apps', 'DaemonSet', 'daemonsets', true],
      ['apps', 'Deployment', 'deployments', true],
      ['apps', 'ReplicaSet', 'replicasets', true],
      ['apps', 'StatefulSet', 'statefulsets', true],
      ['authentication.k8s.io', 'SelfSubjectReview', 'selfsubjectreviews', false],
      ['authentication.k8s.io', 'TokenReview', 'tokenreviews', false],
      ['authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', false],
      ['authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews', false],
      ['batch', 'CronJob', 'cronjobs', true],
      ['batch', 'Job', 'jobs', true],
      ['certificates.k8s.io', 'CertificateSigningRequest', 'certificatesigningrequests', false],
      ['coordination.k8s.io', 'Lease', 'leases', true],
      ['discovery.k8s.io', 'EndpointSlice', 'endpointslices', true],
      ['networking.k8s.io', 'NetworkPolicy', 'networkpolicies', true],
      ['policy', 'PodDisruptionBudget', 'poddisruptionbudgets', true],
      ['rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles', false],
      ['rbac.authorization.k8s.io', 'ClusterRoleBinding', 'clusterrolebindings', false],
      ['rbac.authorization.k8s.io', 'Role', 'roles', true],
      ['rbac.authorization.k8s.io', 'RoleBinding', 'rolebindings', true],
      ['scheduling.k8s.io', 'PriorityClass', 'priorityclasses', false],
      ['storage.k8s.io', 'StorageClass', 'storageclasses', false],
    ] as const
  ).map(([group, kind, plural, namespaced]) => [`${group}/${kind}`, { plural, namespaced }]),
);

/** `apps/v1` → `apps`, `v1` → the empty name of the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** Where a group version lives: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** What is addressed: a collection, or with `name` one object of it. */
export interface ResourceAddress {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The path of an object or of a collection. A collection of a namespaced kind without namespace is that of all namespaces.
 *
 * @throws TypeError where the namespace is missing or one too many
 */
export function resourcePath(resource: ApiResource, address: ResourceAddress): string {
  const { apiVersion, kind, namespace, name } = address;
  if (!resource.namespaced && namespace !== undefined) {
    throw new TypeError(`Cannot address ${kind} ${name ?? ''} in namespace ${namespace}: the kind is cluster-scoped`);
  }
  if (resource.namespaced && namespace === undefined && name !== undefined) {
    throw new TypeError(`Cannot address ${kind} ${name}: the kind is namespaced and no namespace is given`);
  }
  const parts = [groupVersionPath(apiVersion)];
  if (namespace !== undefined) parts.push('namespaces', encodeURIComponent(namespace));
  parts.push(resource.plural);
  if (name !== undefined) parts.push(encodeURIComponent(name));
  return parts.join('/');
}
