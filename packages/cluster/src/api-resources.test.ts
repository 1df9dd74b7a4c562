import { describe, expect, it } from 'vitest';
import { knownResources, resourcePath } from './api-resources.ts';

const pathOf = (apiVersion: string, kind: string, more: { namespace?: string; name?: string } = {}): string => {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const resource = knownResources[`${group}/${kind}`];
  if (resource === undefined) throw new Error(`unknown ${kind}`);
  return resourcePath(resource, { apiVersion, kind, ...more });
};

describe('resourcePath', () => {
  it.each([
    {
      name: 'a namespaced object',
      path: pathOf('v1', 'ConfigMap', { namespace: 'kube-system', name: 'a' }),
      expected: '/api/v1/namespaces/kube-system/configmaps/a',
    },
    { name: 'a cluster-scoped object', path: pathOf('v1', 'Node', { name: 'n1' }), expected: '/api/v1/nodes/n1' },
    {
      name: 'an object of a group',
      path: pathOf('apps/v1', 'Deployment', { namespace: 'a', name: 'b' }),
      expected: '/apis/apps/v1/namespaces/a/deployments/b',
    },
    {
      name: 'a collection in a namespace',
      path: pathOf('v1', 'Pod', { namespace: 'a' }),
      expected: '/api/v1/namespaces/a/pods',
    },
    { name: 'a collection of all namespaces', path: pathOf('v1', 'Pod'), expected: '/api/v1/pods' },
    {
      name: 'a name with a colon',
      path: pathOf('rbac.authorization.k8s.io/v1', 'ClusterRole', { name: 'kubeadm:get-nodes' }),
      expected: '/apis/rbac.authorization.k8s.io/v1/clusterroles/kubeadm%3Aget-nodes',
    },
    { name: 'a namespace itself', path: pathOf('v1', 'Namespace', { name: 'a' }), expected: '/api/v1/namespaces/a' },
  ])('$name', ({ path, expected }) => {
    expect(path).toBe(expected);
  });

  it('refuses a namespace that is missing or one too many', () => {
    expect(() => pathOf('v1', 'ConfigMap', { name: 'a' })).toThrow(TypeError);
    expect(() => pathOf('v1', 'Node', { namespace: 'a', name: 'b' })).toThrow(TypeError);
  });
});
