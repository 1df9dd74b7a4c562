import { expect, it } from 'vitest';
import { driftOf } from './drift-of.ts';
import { rbacObjects } from './rbac-objects.ts';

const wanted = rbacObjects('addon/coredns');
const [role, binding] = structuredClone(wanted);
if (role === undefined || !('rules' in role) || binding === undefined || !('subjects' in binding))
  throw new Error('CoreDNS');

it.each([
  ['objects as they are in the table', wanted, []],
  [
    'what the API server adds',
    [{ ...role, metadata: { ...role.metadata, resourceVersion: '1', labels: { a: 'b' } } }, binding],
    [],
  ],
  ['a role that is gone', [binding], [{ object: 'ClusterRole system:coredns', state: 'missing', fields: [] }]],
  [
    'another verb',
    [{ ...role, rules: [{ ...role.rules?.[0], verbs: ['list', '*'] }, role.rules?.[1]] }, binding],
    [{ object: 'ClusterRole system:coredns', state: 'differs', fields: ['rules[0].verbs[1]'] }],
  ],
  [
    'one more subject',
    [role, { ...binding, subjects: [...(binding.subjects ?? []), { kind: 'User', name: 'jane' }] }],
    [{ object: 'ClusterRoleBinding system:coredns', state: 'differs', fields: ['subjects'] }],
  ],
])('driftOf() sees %s', (_, live, drift) => {
  expect(driftOf(wanted, live as Parameters<typeof driftOf>[1])).toEqual(drift);
});
