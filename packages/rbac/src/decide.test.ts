import { describe, expect, it } from 'vitest';
import type { AccessQuestion } from './access-question.ts';
import { decide } from './decide.ts';
import { emptyNodeGraph } from './node-graph.ts';
import { parseQuestion } from './parse-question.ts';
import { parseSubject } from './parse-subject.ts';

const ask = (verb: string, resource: string, namespace?: string): AccessQuestion =>
  parseQuestion({ verb, resource, ...(namespace === undefined ? {} : { namespace }) }).question;

describe('decide()', () => {
  it.each([
    [
      'anonymous',
      ask('get', 'cm/cluster-info', 'kube-public'),
      'yes',
      /^RoleBinding kubeadm:bootstrap-signer-clusterinfo in kube-public gives Role /,
    ],
    [
      'anonymous',
      ask('get', 'cm/cluster-info', 'default'),
      'no',
      /^granted for the name cluster-info in kube-public alone$/,
    ],
    ['anonymous', ask('list', 'cm', 'kube-public'), 'no', /^nothing grants it$/],
    ['anonymous', ask('get', '/livez'), 'yes', /^ClusterRoleBinding system:public-info-viewer gives ClusterRole /],
    ['anonymous', ask('get', '/metrics'), 'no', /^nothing grants it$/],
    ['token', ask('create', 'csr'), 'yes', /kubeadm:kubelet-bootstrap gives ClusterRole system:node-bootstrapper$/],
    [
      'token',
      ask('get', 'cm', 'kube-system'),
      'no',
      /^granted for the name kubeadm-config in kube-system, for the name kubelet-config in kube-system, for the name groundplane-config in kube-system, for the name kube-proxy in kube-system alone$/,
    ],
    [
      'system:kube-scheduler',
      ask('get', 'leases', 'default'),
      'no',
      /^granted for the name kube-scheduler, in kube-system alone$/,
    ],
    [
      'node:node-a',
      ask('get', 'cm/kubelet-config', 'kube-system'),
      'yes',
      /^RoleBinding kubeadm:kubelet-config in kube-system gives/,
    ],
    [
      'node:node-a',
      ask('get', 'cm/other', 'kube-system'),
      'depends',
      /^the Node authorizer: only if a pod on the node uses it$/,
    ],
    ['node:node-a', ask('list', 'services'), 'yes', /^the Node authorizer: every kubelet may$/],
    ['node:node-a', ask('get', 'nodes/node-b'), 'no', /^the Node authorizer: only its own Node$/],
    ['node:node-a', ask('delete', 'services/x'), 'no', /^nothing grants it$/],
    ['group:system:nodes', ask('get', 'nodes/node-a'), 'no', /^nothing grants it$/],
    ['kubernetes-super-admin', ask('*', '*'), 'yes', /gives ClusterRole cluster-admin$/],
    ['serviceaccount:default/coredns', ask('list', 'services'), 'no', /^nothing grants it$/],
  ] as const)('%s %j: %s', (subject, question, answer, reason) => {
    const decision = decide(parseSubject(subject), question);
    expect(decision.answer).toBe(answer);
    expect(decision.reason).toMatch(reason);
    expect(decision.grantedBy.length > 0).toBe(answer === 'yes' && decision.node?.answer !== 'yes');
  });

  it('names all rules that grant it, those of bootstrap first', () => {
    const { grantedBy } = decide(parseSubject('group:kubeadm:cluster-admins'), ask('get', '/livez'));
    expect(grantedBy.map(({ grant }) => `${grant.source} ${grant.role.name}`)).toEqual([
      'bootstrap cluster-admin',
      'kubernetes system:public-info-viewer',
      'kubernetes system:discovery',
    ]);
  });

  it('is definite where it is known what belongs to the node', () => {
    const question = ask('get', 'secrets/one');
    const identity = parseSubject('node:node-a');
    expect(decide(identity, question, { graph: emptyNodeGraph }).answer).toBe('no');
    expect(decide(identity, question, { graph: { belongs: () => true } }).answer).toBe('yes');
  });
});
