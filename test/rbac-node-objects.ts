import type { NodeGraph, NodeRelated } from '../packages/rbac/dist/index.js';

const used = { 'used-by-pod': 'what the pod uses', unrelated: 'what nobody uses' } as const;
export const usedName: keyof typeof used = 'used-by-pod';

/** A node with one pod that uses a Secret, a ConfigMap, a claim and a service account; beside each one that it does not use. */
export const nodeObjects: readonly object[] = [
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a' } },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-b' } },
  ...Object.keys(used).flatMap((name) => [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'default' } },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'default' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } }, storageClassName: 'none' },
    },
  ]),
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: usedName, namespace: 'default' },
    spec: {
      nodeName: 'node-a',
      serviceAccountName: usedName,
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'registry.example/main' }],
      volumes: [
        { name: 'secret', secret: { secretName: usedName } },
        { name: 'configuration', configMap: { name: usedName } },
        { name: 'claim', persistentVolumeClaim: { claimName: usedName } },
      ],
    },
  },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: usedName },
    spec: {
      nodeName: 'node-a',
      driver: 'driver.example',
      pool: { name: 'node-a', generation: 1, resourceSliceCount: 1 },
    },
  },
];

const namespaced: readonly NodeRelated[] = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'secrets',
  'serviceaccounts',
];

/** What follows from {@link nodeObjects}. */
export const nodeObjectGraph: NodeGraph = {
  belongs: (node, kind, { namespace, name }) =>
    node === 'node-a' &&
    name === usedName &&
    (namespaced.includes(kind) ? namespace === 'default' : kind === 'resourceslices' && namespace === ''),
};
