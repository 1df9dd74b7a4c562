import { readFileSync } from 'node:fs';
import { parseDocuments } from '@groundplane/manifest';
import { expect, it } from 'vitest';
import type { RbacWriter } from '../src/bootstrap-role.ts';
import { type RbacObject, rbacObjects } from '../src/rbac-objects.ts';
import { kubeadmPhases, withDefaults } from './kubeadm-rbac.ts';

/** The golden files were taken from dry runs of kubeadm v1.37.2, see kubeadm-rbac.peer.test.ts. */
it.each(Object.keys(kubeadmPhases))('rbacObjects() are those of kubeadm: %s', (writer) => {
  const text = readFileSync(new URL(`../testdata/1.37/${writer.replace('/', '-')}.yaml`, import.meta.url), 'utf8');
  const golden = parseDocuments(text).map(({ value }) => value as RbacObject);
  expect(golden.length).toBeGreaterThan(0);
  expect(rbacObjects(writer as RbacWriter)).toEqual(golden.map(withDefaults));
});

it('rbacObjects() bind the administrators, for which kubeadm has no dry run', () => {
  expect(rbacObjects('admin-access')).toEqual([
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'kubeadm:cluster-admins' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'Group', name: 'kubeadm:cluster-admins', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ]);
});
