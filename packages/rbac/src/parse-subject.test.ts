import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { nodeNameOf } from './identity.ts';
import { knownSubjects, parseSubject } from './parse-subject.ts';

const token = ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token', 'system:authenticated'];
const admins = ['kubeadm:cluster-admins', 'system:authenticated'];
const accounts = (namespace: string) => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
  'system:authenticated',
];
const nodes = ['system:nodes', 'system:authenticated'];

describe('parseSubject()', () => {
  it.each<readonly [string, string, readonly string[]]>([
    ['anonymous', 'system:anonymous', ['system:unauthenticated']],
    ['system:anonymous', 'system:anonymous', ['system:unauthenticated']],
    ['user:system:anonymous', 'system:anonymous', ['system:unauthenticated']],
    ['token', 'system:bootstrap:TOKEN-ID', token],
    ['system:bootstrap:abcdef', 'system:bootstrap:abcdef', token],
    ['node:node-a', 'system:node:node-a', nodes],
    ['system:node:node-a', 'system:node:node-a', nodes],
    ['user:system:node:node-a', 'system:node:node-a', nodes],
    ['kubernetes-admin', 'kubernetes-admin', admins],
    ['user:kubernetes-admin', 'kubernetes-admin', admins],
    ['user:jane', 'jane', ['system:authenticated']],
    ['user:https://issuer#jane', 'https://issuer#jane', ['system:authenticated']],
    ['serviceaccount:kube-system/coredns', 'system:serviceaccount:kube-system:coredns', accounts('kube-system')],
    ['serviceaccount:default:default', 'system:serviceaccount:default:default', accounts('default')],
    ['system:serviceaccount:default:default', 'system:serviceaccount:default:default', accounts('default')],
    ['group:kubeadm:cluster-admins', '', admins],
    ['kubeadm:cluster-admins', '', admins],
    ['system:masters', '', ['system:masters', 'system:authenticated']],
    ['group:system:unauthenticated', '', ['system:unauthenticated']],
    ['group:system:authenticated', '', ['system:authenticated']],
    [
      'group:system:bootstrappers:other',
      '',
      ['system:bootstrappers:other', 'system:bootstrappers', 'system:authenticated'],
    ],
    [
      'group:system:serviceaccounts:default',
      '',
      ['system:serviceaccounts:default', 'system:serviceaccounts', 'system:authenticated'],
    ],
  ])('understands %s', (text, user, groups) => {
    const identity = parseSubject(text);
    expect(identity.user).toBe(user);
    expect(identity.groups.toSorted()).toEqual(groups.toSorted());
  });

  it.each([
    '',
    'somebody',
    'node:',
    'user:',
    'group:',
    'serviceaccount:coredns',
    'serviceaccount:a/b/c',
    'system:serviceaccount:one',
    'system:kube-proxy',
    'robot:one',
  ])('refuses %j and lists the known ones', (text) => {
    expect.assertions(2);
    try {
      parseSubject(text);
    } catch (error) {
      if (!isGroundplaneError(error)) throw error;
      expect(error).toMatchObject({ code: 'RBAC_SUBJECT_UNKNOWN', kind: 'usage' });
      expect(error.hint).toMatch(/anonymous, token, kubernetes-admin, .*node:NAME, user:NAME, group:NAME/);
    }
  });

  it('understands what it lists', () => {
    for (const { subject, identity } of knownSubjects) expect(parseSubject(subject), subject).toEqual(identity);
  });
});

it.each([
  ['system:node:node-a', ['system:nodes'], 'node-a'],
  ['system:node:node-a', ['system:authenticated'], undefined],
  ['system:node:', ['system:nodes'], undefined],
  ['node-a', ['system:nodes'], undefined],
])('nodeNameOf(%s of %j) is %s', (user, groups, name) => {
  expect(nodeNameOf({ user, groups })).toBe(name);
});
