import { describe, expect, it } from 'vitest';
import { allGrants, defaultRoles, grantsOf } from './grants.ts';
import { userIdentity } from './identity.ts';
import { parseSubject } from './parse-subject.ts';

const namesOf = (subject: string): readonly string[] =>
  grantsOf(parseSubject(subject)).map(({ binding, namespace }) => `${namespace ?? ''} ${binding.name}`.trim());

describe('grantsOf()', () => {
  it.each([
    ['anonymous', ['kube-public kubeadm:bootstrap-signer-clusterinfo', 'system:public-info-viewer']],
    [
      'token',
      [
        'kube-system kubeadm:nodes-kubeadm-config',
        'kube-system kubeadm:kubelet-config',
        'kube-system groundplane:nodes-groundplane-config',
        'kube-system kubeadm:kubeadm-certs',
        'kubeadm:get-nodes',
        'kubeadm:kubelet-bootstrap',
        'kubeadm:node-autoapprove-bootstrap',
        'kube-system kube-proxy',
        'system:public-info-viewer',
        'system:discovery',
        'system:basic-user',
      ],
    ],
    [
      'serviceaccount:kube-system/coredns',
      [
        'system:coredns',
        'system:public-info-viewer',
        'system:discovery',
        'system:basic-user',
        'system:service-account-issuer-discovery',
        'system:cluster-trust-bundle-discovery',
      ],
    ],
    ['user:jane', ['system:public-info-viewer', 'system:discovery', 'system:basic-user']],
  ])('%s', (subject, names) => {
    expect(namesOf(subject)).toEqual(names);
  });

  it('a service account is no user of the same name, nor one of another namespace', () => {
    const ofCoredns = (user: string) =>
      grantsOf(userIdentity(user)).some(({ binding }) => binding.name === 'system:coredns');
    expect(ofCoredns('coredns')).toBe(false);
    expect(ofCoredns('system:serviceaccount:default:coredns')).toBe(false);
    expect(ofCoredns('system:serviceaccount:kube-system:coredns')).toBe(true);
  });
});

it('allGrants() have rules, subjects and a reason', () => {
  for (const { binding, rules, subjects, reason } of allGrants()) {
    expect(rules.length, binding.name).toBeGreaterThan(0);
    expect(subjects.length, binding.name).toBeGreaterThan(0);
    expect(reason, binding.name).toMatch(/^\S.{9,}[^.]$/);
  }
});

it('defaultRoles have no role twice', () => {
  const names = defaultRoles.map(({ namespace = '', name }) => `${namespace}/${name}`);
  expect(new Set(names).size).toBe(names.length);
});
