import { describe, expect, it } from 'vitest';
import type { BootstrapRole, RuleRow, RuleVerb } from '../src/bootstrap-role.ts';
import { bootstrapRoles } from '../src/bootstrap-roles.ts';
import { tableFaults } from './table-faults.ts';

it('the table has no faults', () => {
  expect(tableFaults(bootstrapRoles)).toEqual([]);
});

describe('what cannot enter the table', () => {
  const rule: RuleRow = {
    verbs: ['get'],
    apiGroups: [''],
    resources: ['nodes'],
    reason: 'One node is asked for by its name',
    without: { fails: 'join: kubelet-start', shows: 'the Node is forbidden' },
  };
  const row = {
    name: 'example',
    writtenBy: 'bootstrap-token',
    subjects: [{ kind: 'Group', name: 'system:nodes' }],
    reason: 'A joining node checks its name',
    neededBy: [{ step: 'join: kubelet-start', does: 'reads the Node' }],
    kubeadmFile: 'phases/bootstraptoken/node/tlsbootstrap.go',
  } as const;
  const withRule = (change: Partial<RuleRow>): BootstrapRole => ({ ...row, rules: [{ ...rule, ...change }] });

  it('a good row has no faults', () => {
    expect(tableFaults([withRule({})])).toEqual([]);
    expect(tableFaults([{ ...row, clusterRole: 'view', without: rule.without }])).toEqual([]);
  });

  it.each<readonly [string, BootstrapRole, RegExp]>([
    ['a wildcard verb', withRule({ verbs: ['*' as RuleVerb] }), /wildcard/],
    ['a wildcard group', withRule({ apiGroups: ['*'] }), /wildcard/],
    ['a wildcard resource', withRule({ resources: ['*'] }), /wildcard/],
    ['a wildcard subresource', withRule({ resources: ['*/status'] }), /wildcard/],
    ['a rule without a reason', withRule({ reason: '' }), /a rule has no reason/],
    ['a rule without verbs', withRule({ verbs: [] }), /grants nothing/],
    ['all ConfigMaps', withRule({ resources: ['configmaps'] }), /by name/],
    [
      'a Secret to change',
      withRule({ resources: ['secrets'], resourceNames: ['x'], verbs: ['get', 'update'] }),
      /by name/,
    ],
    ['a list of one name', withRule({ verbs: ['list'], resourceNames: ['x'] }), /looks at none/],
    ['a rule that nobody misses', withRule({ without: { fails: '', shows: '' } }), /not told/],
    [
      'a rule kept for nobody',
      withRule({ without: { keptFor: 'somewhere', because: 'of habit, as it was' } }),
      /kept is not told/,
    ],
    ['a role without rules', { ...row, rules: [] }, /no rules/],
    ['a binding without a reason', { ...withRule({}), reason: 'Why' }, /binding has no reason/],
    ['a binding for nobody', { ...withRule({}), subjects: [] }, /nobody/],
    ['a binding that nobody needs', { ...withRule({}), neededBy: [] }, /need it/],
    ['a need in one word', { ...withRule({}), neededBy: [{ step: 'join', does: 'reads' }] }, /too little/],
    [
      'everybody',
      { ...withRule({}), subjects: [{ kind: 'Group', name: 'system:authenticated' }] },
      /for system:authenticated/,
    ],
    [
      'a role of Kubernetes for anonymous',
      { ...row, subjects: [{ kind: 'User', name: 'system:anonymous' }], clusterRole: 'view', without: rule.without },
      /logs in/,
    ],
    ['a binding from nowhere', { ...withRule({}), kubeadmFile: 'somewhere' }, /file of kubeadm/],
  ])('%s', (_, bad, fault) => {
    expect(tableFaults([bad]).join('\n')).toMatch(fault);
  });
});
