import { objectReference } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { allRbacObjects } from './rbac-objects.ts';
import { reasonFor } from './reason-for.ts';

describe('reasonFor()', () => {
  it.each(allRbacObjects().map((object) => [objectReference(object), object] as const))('explains %s', (_, object) => {
    expect(reasonFor(object)).toMatch(/^[A-Za-z].{20,}\.$/);
  });

  it('tells the reason of a binding from that of its role', () => {
    const [role, binding] = allRbacObjects().filter(({ metadata }) => metadata.name === 'kubeadm:get-nodes');
    expect(role && reasonFor(role)).toBe('One node is asked for by its name; a list is not needed.');
    expect(binding && reasonFor(binding)).toBe('A joining node checks that no node of its name exists and is Ready.');
  });

  it.each([
    ['an unknown object', { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'x' } }],
    [
      'another namespace',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'kube-proxy', namespace: 'default' },
      },
    ],
    ['another group', { apiVersion: 'v1', kind: 'Role', metadata: { name: 'kube-proxy', namespace: 'kube-system' } }],
  ])('knows nothing about %s', (_, object) => {
    expect(reasonFor(object)).toBeUndefined();
  });
});

describe('bootstrapRoles', () => {
  it('writes no object twice', () => {
    const references = allRbacObjects().map(objectReference);
    expect(new Set(references).size).toBe(references.length);
  });

  it('gives no right to everything, anybody or any name of a ConfigMap or Secret', () => {
    for (const row of bootstrapRoles) {
      if (!('rules' in row)) continue;
      for (const rule of row.rules) {
        expect([...rule.verbs, ...rule.apiGroups, ...rule.resources]).not.toContain('*');
        if (rule.resources.some((resource) => ['configmaps', 'secrets'].includes(resource))) {
          expect(rule.resourceNames).toHaveLength(1);
          expect(rule.verbs).toEqual(['get']);
        }
      }
      expect(row.subjects.map(({ name }) => name)).not.toContain('system:unauthenticated');
    }
  });
});
