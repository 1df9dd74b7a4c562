import type { AccessQuestion } from '../packages/rbac/dist/index.js';
import type { DiscoveredResource } from './rbac-cluster.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
/** What authorizers are asked on the side. */
const sideQuestions: readonly AccessQuestion[] = [
  ...['users', 'groups', 'serviceaccounts'].map((resource) => ({ verb: 'impersonate', group: '', resource })),
  ...['roles', 'clusterroles'].flatMap((resource) =>
    ['bind', 'escalate'].map((verb) => ({ verb, group: 'rbac.authorization.k8s.io', resource })),
  ),
  ...['approve', 'sign', 'attest'].map((verb) => ({ verb, group: 'certificates.k8s.io', resource: 'signers' })),
  ...['nodeclient', 'selfnodeclient', 'selfnodeserver'].map((subresource) => ({
    verb: 'create',
    group: 'certificates.k8s.io',
    resource: 'certificatesigningrequests',
    subresource,
  })),
];
const paths = [
  '/api',
  '/apis',
  '/version',
  '/healthz',
  '/livez',
  '/readyz',
  '/metrics',
  '/logs',
  '/openapi/v3',
  '/openid/v1/jwks',
  '/',
];

/** Rules of bootstrap and of Kubernetes name objects of these kinds. */
const namedKinds = ['configmaps', 'secrets', 'nodes', 'leases'];

/** Every verb with every resource and subresource, of the cluster and of a namespace; objects by these names, too. */
export function allQuestions(
  discovered: readonly DiscoveredResource[],
  names: readonly string[],
): readonly AccessQuestion[] {
  const objects = discovered.flatMap(({ namespaced, group, resource, subresource }) => {
    const ask = (namespace: string | undefined, name: string | undefined) =>
      verbs.map((verb) => ({
        verb,
        group,
        resource,
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
      }));
    const unnamed = (namespaced ? [undefined, 'kube-system'] : [undefined]).flatMap((namespace) =>
      ask(namespace, undefined),
    );
    const named = (namespaced ? ['kube-system', 'kube-public'] : [undefined]).flatMap((namespace) =>
      names.flatMap((name) => ask(namespace, name)),
    );
    return [...unnamed, ...(subresource === undefined && namedKinds.includes(resource) ? named : [])];
  });
  return [
    ...objects,
    ...sideQuestions,
    ...paths.flatMap((path) => ['get', 'post', 'put', 'delete'].map((verb) => ({ verb, path }))),
  ];
}
