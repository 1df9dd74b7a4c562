/** A kind of object that the API server knows without any extension. */
export interface ApiResource {
  /** The empty string is the core group. */
  readonly group: string;
  /** Plural name: `configmaps`. */
  readonly name: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

interface GroupRow {
  readonly group: string;
  /** Plural names, each followed by its short names behind colons. */
  readonly namespaced: string;
  readonly cluster: string;
}

/** As `kubectl api-resources` lists them for kube-apiserver v1.37. */
const groups: readonly GroupRow[] = [
  {
    group: '',
    namespaced:
      'bindings configmaps:cm endpoints:ep events:ev limitranges:limits persistentvolumeclaims:pvc pods:po podtemplates replicationcontrollers:rc resourcequotas:quota secrets serviceaccounts:sa services:svc',
    cluster: 'componentstatuses:cs namespaces:ns nodes:no persistentvolumes:pv',
  },
  {
    group: 'admissionregistration.k8s.io',
    namespaced: '',
    cluster:
      'mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations',
  },
  { group: 'apiextensions.k8s.io', namespaced: '', cluster: 'customresourcedefinitions:crd:crds' },
  { group: 'apiregistration.k8s.io', namespaced: '', cluster: 'apiservices' },
  {
    group: 'apps',
    namespaced: 'controllerrevisions daemonsets:ds deployments:deploy replicasets:rs statefulsets:sts',
    cluster: '',
  },
  { group: 'authentication.k8s.io', namespaced: '', cluster: 'selfsubjectreviews tokenreviews' },
  {
    group: 'authorization.k8s.io',
    namespaced: 'localsubjectaccessreviews',
    cluster: 'selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
  },
  { group: 'autoscaling', namespaced: 'horizontalpodautoscalers:hpa', cluster: '' },
  { group: 'batch', namespaced: 'cronjobs:cj jobs', cluster: '' },
  {
    group: 'certificates.k8s.io',
    namespaced: 'podcertificaterequests',
    cluster: 'certificatesigningrequests:csr clustertrustbundles',
  },
  { group: 'coordination.k8s.io', namespaced: 'leases', cluster: '' },
  { group: 'discovery.k8s.io', namespaced: 'endpointslices', cluster: '' },
  { group: 'events.k8s.io', namespaced: 'events:ev', cluster: '' },
  { group: 'flowcontrol.apiserver.k8s.io', namespaced: '', cluster: 'flowschemas prioritylevelconfigurations' },
  {
    group: 'networking.k8s.io',
    namespaced: 'ingresses:ing networkpolicies:netpol',
    cluster: 'ingressclasses ipaddresses:ip servicecidrs',
  },
  { group: 'node.k8s.io', namespaced: '', cluster: 'runtimeclasses' },
  { group: 'policy', namespaced: 'poddisruptionbudgets:pdb', cluster: '' },
  { group: 'rbac.authorization.k8s.io', namespaced: 'rolebindings roles', cluster: 'clusterrolebindings clusterroles' },
  {
    group: 'resource.k8s.io',
    namespaced: 'resourceclaims resourceclaimtemplates',
    cluster: 'deviceclasses devicetaintrules resourceslices',
  },
  { group: 'scheduling.k8s.io', namespaced: '', cluster: 'priorityclasses:pc' },
  {
    group: 'storage.k8s.io',
    namespaced: 'csistoragecapacities',
    cluster: 'csidrivers csinodes storageclasses:sc volumeattachments volumeattributesclasses:vac',
  },
  { group: 'storagemigration.k8s.io', namespaced: '', cluster: 'storageversionmigrations' },
];

/** Names that stand in rules and questions and have no objects: whom somebody may act as, in whose name certificates are made. */
export const virtualResources: readonly ApiResource[] = [
  ...['users', 'groups'].map((name) => ({ group: '', name, shortNames: [], namespaced: false })),
  { group: 'certificates.k8s.io', name: 'signers', shortNames: [], namespaced: false },
];

/** All kinds of objects of Kubernetes v1.37, the core group first, then {@link virtualResources}. */
export const apiResources: readonly ApiResource[] = [
  ...groups.flatMap(({ group, namespaced, cluster }) => [
    ...resourcesOf(group, namespaced, true),
    ...resourcesOf(group, cluster, false),
  ]),
  ...virtualResources,
];

function resourcesOf(group: string, names: string, namespaced: boolean): readonly ApiResource[] {
  return names
    .split(' ')
    .filter((name) => name !== '')
    .map((text) => {
      const [name = '', ...shortNames] = text.split(':');
      return { group, name, shortNames, namespaced };
    });
}

/**
 * The resource that is meant, as kubectl understands names: plural, singular or short name in any case, with or without group
 * (`deployments.apps`) or version and group (`deployments.v1.apps`).
 *
 * @returns undefined if Kubernetes has none of that name
 */
export function findApiResource(text: string): ApiResource | undefined {
  const [word = '', ...rest] = text.toLowerCase().split('.');
  const named = apiResources.filter(({ name, shortNames }) => [name, singularOf(name), ...shortNames].includes(word));
  if (rest.length === 0) return named[0];
  // A version stands between two dots: `pods.v1` is of a group `v1`.
  const groupsMeant = [
    rest.join('.'),
    ...(rest.length > 1 && /^v\d/.test(rest[0] ?? '') ? [rest.slice(1).join('.')] : []),
  ];
  return named.find(({ group }) => groupsMeant.includes(group));
}

/** The singular of a plural name: `networkpolicies` → `networkpolicy`, `storageclasses` → `storageclass`. */
export function singularOf(plural: string): string {
  if (plural === 'endpoints') return plural;
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  return /(?:ss|tus)es$/.test(plural) ? plural.slice(0, -2) : plural.slice(0, -1);
}
