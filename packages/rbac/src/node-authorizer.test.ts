import { describe, expect, it } from 'vitest';
import type { AccessQuestion, ResourceQuestion } from './access-question.ts';
import { nodeDecision } from './node-authorizer.ts';
import { emptyNodeGraph, type NodeGraph } from './node-graph.ts';

/** `get secrets/one -n default`, `create pods:eviction`, `list pods @node-a`: a field selector. */
function question(text: string): AccessQuestion {
  const [verb = '', what = '', ...options] = text.split(' ');
  if (what.startsWith('/')) return { verb, path: what };
  const [kind = '', name] = what.split('/');
  const [type = '', subresource] = kind.split(':');
  const [resource = '', ...group] = type.split('.');
  const namespace = options.find((option) => option.startsWith('-n='))?.slice(3);
  const value = options.find((option) => option.startsWith('@'))?.slice(1);
  return {
    verb,
    group: group.join('.'),
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(value === undefined ? {} : { fieldSelector: { field: 'spec.nodeName', value } }),
  };
}

describe('nodeDecision()', () => {
  it.each([
    // Rules for every kubelet alike.
    ['create tokenreviews.authentication.k8s.io', 'yes'],
    ['list services -n=default', 'yes'],
    ['delete services -n=default', 'no'],
    ['get /livez', 'no'],
    // Objects that pods on the node use.
    ['get secrets/one -n=default', 'depends'],
    ['list secrets/one -n=default', 'depends'],
    ['watch configmaps/one -n=default', 'depends'],
    ['list secrets -n=default', 'no'],
    ['get secrets/one', 'no'],
    ['update secrets/one -n=default', 'no'],
    ['get secrets:status/one -n=default', 'no'],
    ['get persistentvolumeclaims/one -n=default', 'depends'],
    ['list persistentvolumeclaims -n=default', 'no'],
    ['update persistentvolumeclaims:status/one -n=default', 'depends'],
    ['get persistentvolumeclaims:status/one -n=default', 'no'],
    ['get persistentvolumes/one', 'depends'],
    ['get persistentvolumes:status/one', 'no'],
    ['get resourceclaims.resource.k8s.io/one -n=default', 'depends'],
    ['get volumeattachments.storage.k8s.io/one', 'depends'],
    ['get serviceaccounts/one -n=default', 'depends'],
    ['list serviceaccounts -n=default', 'no'],
    ['create serviceaccounts:token/one -n=default', 'depends'],
    ['create serviceaccounts:token -n=default', 'no'],
    ['create serviceaccounts -n=default', 'no'],
    // Objects of its name.
    ['update leases.coordination.k8s.io/node-a -n=kube-node-lease', 'yes'],
    ['update leases.coordination.k8s.io/node-b -n=kube-node-lease', 'no'],
    ['create leases.coordination.k8s.io -n=kube-node-lease', 'yes'],
    ['create leases.coordination.k8s.io -n=default', 'no'],
    ['list leases.coordination.k8s.io -n=kube-node-lease', 'no'],
    ['get csinodes.storage.k8s.io/node-a', 'yes'],
    ['get csinodes.storage.k8s.io/node-b', 'no'],
    ['create csinodes.storage.k8s.io', 'yes'],
    ['list csinodes.storage.k8s.io', 'no'],
    ['get csinodes.storage.k8s.io:status/node-a', 'no'],
    // Objects that name the node.
    ['create resourceslices.resource.k8s.io', 'yes'],
    ['get resourceslices.resource.k8s.io/one', 'depends'],
    ['list resourceslices.resource.k8s.io', 'no'],
    ['list resourceslices.resource.k8s.io @node-a', 'yes'],
    ['deletecollection resourceslices.resource.k8s.io @node-b', 'no'],
    ['approve resourceslices.resource.k8s.io/one', 'no'],
    ['get resourceslices.resource.k8s.io:status/one', 'no'],
    ['create podcertificaterequests.certificates.k8s.io -n=default', 'yes'],
    ['get podcertificaterequests.certificates.k8s.io/one -n=default', 'depends'],
    ['watch podcertificaterequests.certificates.k8s.io @node-a', 'yes'],
    ['watch podcertificaterequests.certificates.k8s.io', 'no'],
    ['delete podcertificaterequests.certificates.k8s.io/one -n=default', 'no'],
    ['update podcertificaterequests.certificates.k8s.io:status/one -n=default', 'no'],
    // Nodes.
    ['get nodes/node-a', 'yes'],
    ['get nodes/node-b', 'no'],
    ['list nodes', 'no'],
    ['create nodes', 'yes'],
    ['patch nodes/node-b', 'yes'],
    ['delete nodes/node-a', 'no'],
    ['patch nodes:status/node-a', 'yes'],
    ['get nodes:status/node-a', 'no'],
    ['get nodes:proxy/node-a', 'no'],
    // Pods.
    ['get pods/one -n=default', 'depends'],
    ['get pods -n=default', 'no'],
    ['list pods', 'no'],
    ['list pods @node-a', 'yes'],
    ['list pods @node-b', 'no'],
    ['watch pods/one -n=default', 'depends'],
    ['create pods -n=default', 'yes'],
    ['delete pods/one -n=default', 'yes'],
    ['update pods/one -n=default', 'no'],
    ['patch pods:status/one -n=default', 'yes'],
    ['get pods:status/one -n=default', 'no'],
    ['create pods:eviction/one -n=default', 'yes'],
    ['get pods:eviction/one -n=default', 'no'],
    ['get pods:log/one -n=default', 'no'],
  ] as const)('%s: %s', (text, answer) => {
    const decision = nodeDecision('node-a', question(text), undefined);
    expect(decision.answer).toBe(answer);
    if (answer === 'depends') {
      expect(decision.because).toMatch(/^only if /);
      expect(nodeDecision('node-a', question(text), emptyNodeGraph).answer).toBe('no');
      const all: NodeGraph = { belongs: () => true };
      expect(nodeDecision('node-a', question(text), all)).toEqual({
        answer: 'yes',
        because: decision.because?.replace('only if ', ''),
      });
    }
  });

  it('asks the graph for the very object', () => {
    const asked: unknown[] = [];
    const graph: NodeGraph = {
      belongs: (...object) => {
        asked.push(object);
        return false;
      },
    };
    nodeDecision('node-a', question('get secrets/one -n=default') as ResourceQuestion, graph);
    nodeDecision('node-a', question('get persistentvolumes/two'), graph);
    expect(asked).toEqual([
      ['node-a', 'secrets', { namespace: 'default', name: 'one' }],
      ['node-a', 'persistentvolumes', { namespace: '', name: 'two' }],
    ]);
  });
});
