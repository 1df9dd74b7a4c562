import { describe, expect, it } from 'vitest';
import { explain, explainAccess } from './explain.ts';
import { emptyNodeGraph } from './node-graph.ts';

describe('explain()', () => {
  it('tells who it is, and what is granted by which object, why and for whom', () => {
    const { identity, description, grants, nodeRules } = explain('serviceaccount:kube-system/kube-proxy');
    expect(identity.user).toBe('system:serviceaccount:kube-system:kube-proxy');
    expect(description).toBe('kube-proxy');
    expect(nodeRules).toEqual([]);
    expect(grants[0]).toMatchObject({
      source: 'bootstrap',
      binding: { kind: 'ClusterRoleBinding', name: 'kubeadm:node-proxier' },
      role: { kind: 'ClusterRole', name: 'system:node-proxier' },
      reason: 'kube-proxy watches services, endpoint slices and its node',
      neededBy: [{ step: 'kube-proxy: start' }],
      writtenBy: 'addon/kube-proxy',
      kubeadmFile: 'phases/addons/proxy/proxy.go',
    });
    expect(grants[0]?.rules[0]?.without).toMatchObject({ fails: 'kube-proxy: start' });
  });

  it('has the rules of the Node authorizer for a kubelet, and for nobody else', () => {
    expect(explain('node:node-a').nodeRules).toHaveLength(27);
    expect(explain('node:node-a').description).toBeUndefined();
    expect(explain('group:system:nodes').nodeRules).toEqual([]);
  });
});

it('explainAccess() answers a question in words', () => {
  const question = { verb: 'get', resource: 'secrets/one' };
  expect(explainAccess('node:node-a', question)).toMatchObject({
    subject: 'node:node-a',
    question: { verb: 'get', group: '', resource: 'secrets', name: 'one', namespace: 'default' },
    answer: 'depends',
    notes: [],
  });
  expect(explainAccess('node:node-a', question, { graph: emptyNodeGraph }).answer).toBe('no');
  expect(explainAccess('token', { verb: 'get', resource: 'pods/log' }).notes).toHaveLength(1);
});
