import {
  type ClusterRole,
  type ClusterRoleBinding,
  type PolicyRule,
  type Role,
  type RoleBinding,
  type RoleRef,
  rbacApiGroup,
  type Subject,
} from '@groundplane/manifest';
import type { BootstrapRole, RbacWriter, RuleRow, SubjectRow } from './bootstrap-role.ts';
import { bootstrapRoles } from './bootstrap-roles.ts';

/** Any object of Kubernetes' role-based access control. */
export type RbacObject = Role | ClusterRole | RoleBinding | ClusterRoleBinding;

const apiVersion = `${rbacApiGroup}/v1` as const;

/**
 * The RBAC objects that a phase writes, each role before its binding. Subjects carry the API group that the API server
 * would fill in, so that an object compares equal with the stored one.
 */
export function rbacObjects(writtenBy: RbacWriter): RbacObject[] {
  return bootstrapRoles.filter((row) => row.writtenBy === writtenBy).flatMap(objectsOf);
}

/** All RBAC objects of bootstrap, in the order in which they are written. */
export function allRbacObjects(): RbacObject[] {
  return bootstrapRoles.flatMap(objectsOf);
}

/** The objects of one row: the role, if it is our own, and the binding. */
export function objectsOf(row: BootstrapRole): RbacObject[] {
  const { name, namespace } = row;
  const subjects = row.subjects.map(toSubject);
  const inCluster = namespace === undefined;
  const roleRef: RoleRef =
    'rules' in row
      ? { apiGroup: rbacApiGroup, kind: inCluster ? 'ClusterRole' : 'Role', name }
      : { apiGroup: rbacApiGroup, kind: 'ClusterRole', name: row.clusterRole };
  const rules = 'rules' in row ? row.rules.map(toPolicyRule) : undefined;
  if (inCluster) {
    const metadata = { name };
    return [
      ...(rules === undefined ? [] : [{ apiVersion, kind: 'ClusterRole' as const, metadata: { name }, rules }]),
      { apiVersion, kind: 'ClusterRoleBinding', metadata, roleRef, subjects },
    ];
  }
  return [
    ...(rules === undefined ? [] : [{ apiVersion, kind: 'Role' as const, metadata: { name, namespace }, rules }]),
    { apiVersion, kind: 'RoleBinding', metadata: { name, namespace }, roleRef, subjects },
  ];
}

/** The rule as an object of the API has it. */
export function toPolicyRule({ verbs, apiGroups, resources, resourceNames }: RuleRow): PolicyRule {
  return {
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames === undefined ? {} : { resourceNames: [...resourceNames] }),
    verbs: [...verbs],
  };
}

function toSubject(row: SubjectRow): Subject {
  return row.kind === 'ServiceAccount' ? { ...row } : { ...row, apiGroup: rbacApiGroup };
}
