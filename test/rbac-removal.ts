import { type Machine, succeeding } from '@groundplane/testbed';
import { type BootstrapRole, bootstrapRoles, objectsOf, type Without } from '../packages/rbac/dist/index.js';

/** One right of the table that can be taken from a cluster: a rule of an own role, or the binding to one of Kubernetes' roles. */
export interface RbacRemoval {
  /** The binding's name, for a rule with the first of its resources. */
  readonly title: string;
  readonly row: BootstrapRole;
  /** Absent: the whole binding goes. */
  readonly rule?: number;
  readonly without: Without;
}

const granted = bootstrapRoles.filter(({ onlyWith }) => onlyWith === undefined);

/** Every right of the table that is granted without a document of ours. */
export const rbacRemovals: readonly RbacRemoval[] = granted.flatMap((row): readonly RbacRemoval[] =>
  'rules' in row
    ? row.rules.map(({ resources, without }, rule) => ({ title: `${row.name} ${resources[0]}`, row, rule, without }))
    : [{ title: row.name, row, without: row.without }],
);

/** Not by admin.conf: it is to lose its rights as well. */
const superAdmin = ['kubectl', '--kubeconfig', '/etc/kubernetes/super-admin.conf'];

export async function removeRight(machine: Machine, { row, rule }: RbacRemoval): Promise<void> {
  const [first, binding = first] = objectsOf(row);
  if (first === undefined || binding === undefined)
    throw new TypeError(`Cannot remove a right as its row makes no object: ${row.name}`);
  if ('rules' in first && rule !== undefined) {
    const changed = { ...first, rules: (first.rules ?? []).filter((_, index) => index !== rule) };
    await succeeding(machine, [...superAdmin, 'replace', '-f', '-'], { input: JSON.stringify(changed) });
  } else {
    await succeeding(machine, [...superAdmin, 'delete', binding.kind, binding.metadata.name]);
  }
}

export async function restoreRight(machine: Machine, { row }: RbacRemoval): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objectsOf(row) };
  await succeeding(machine, [...superAdmin, 'apply', '--server-side', '--force-conflicts', '-f', '-'], {
    input: JSON.stringify(list),
  });
}
