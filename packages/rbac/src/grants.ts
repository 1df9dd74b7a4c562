import type { PolicyRule } from '@groundplane/manifest';
import type { BootstrapRole, NeedRow, RbacWriter, SubjectRow, Without } from './bootstrap-role.ts';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { controllerRoles } from './controller-roles.ts';
import type { DefaultRole } from './default-role.ts';
import type { Identity } from './identity.ts';
import { parsePolicyRule } from './policy-rule.ts';
import { toPolicyRule } from './rbac-objects.ts';
import { reliedRoles } from './relied-roles.ts';

/** One rule of a role, with what is known about it. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  readonly reason?: string;
  readonly without?: Without;
}

/** A binding with the rules of its role. */
export interface Grant {
  /** `bootstrap`: we write the binding · `kubernetes`: the API server makes it at its start. */
  readonly source: 'bootstrap' | 'kubernetes';
  /** Name of the role, `ClusterRole` or `Role`. */
  readonly role: { readonly kind: 'ClusterRole' | 'Role'; readonly name: string };
  /** Name of the binding. */
  readonly binding: { readonly kind: 'ClusterRoleBinding' | 'RoleBinding'; readonly name: string };
  /** Absent: in the whole cluster. */
  readonly namespace?: string;
  readonly subjects: readonly SubjectRow[];
  readonly rules: readonly GrantedRule[];
  readonly reason: string;
  /** Who makes use of it; empty for what Kubernetes grants itself. */
  readonly neededBy: readonly NeedRow[];
  readonly writtenBy?: RbacWriter;
  /** Below cmd/kubeadm/app. */
  readonly kubeadmFile?: string;
  /** The kind of the document without which bootstrap does not grant it. */
  readonly onlyWith?: string;
}

/** What bootstrap and Kubernetes grant in a new cluster, ours first. */
export function allGrants(): readonly Grant[] {
  grants ??= [...bootstrapRoles.map(bootstrapGrant), ...defaultRoles.flatMap(defaultGrant)];
  return grants;
}

/** Made on first use: most of it is about controllers, and few ask. */
let grants: readonly Grant[] | undefined;

/** The roles that Kubernetes v1.37 makes and that are bound, by itself or by bootstrap. */
export const defaultRoles: readonly DefaultRole[] = [...reliedRoles, ...controllerRoles];

/** What an identity is granted, directly or as a member of its groups. */
export function grantsOf(identity: Identity): readonly Grant[] {
  return allGrants().filter(({ subjects }) => subjects.some((subject) => isMeant(subject, identity)));
}

/** Whether a subject of a binding stands for an identity. */
export function isMeant(subject: SubjectRow, { user, groups }: Identity): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user;
    case 'Group':
      return groups.includes(subject.name);
    case 'ServiceAccount':
      return `system:serviceaccount:${subject.namespace}:${subject.name}` === user;
  }
}

function bootstrapGrant(row: BootstrapRole): Grant {
  const { namespace, subjects, reason, neededBy, writtenBy, kubeadmFile, onlyWith } = row;
  return {
    source: 'bootstrap',
    role:
      'rules' in row
        ? { kind: namespace === undefined ? 'ClusterRole' : 'Role', name: row.name }
        : { kind: 'ClusterRole', name: row.clusterRole },
    binding: bindingOf(row.name, namespace),
    ...(namespace === undefined ? {} : { namespace }),
    subjects,
    rules:
      'rules' in row
        ? row.rules.map((rule) => ({ rule: toPolicyRule(rule), reason: rule.reason, without: rule.without }))
        : rulesOf(row.clusterRole).map((rule) => ({ rule, without: row.without })),
    reason,
    neededBy,
    writtenBy,
    ...(kubeadmFile === undefined ? {} : { kubeadmFile }),
    ...(onlyWith === undefined ? {} : { onlyWith }),
  };
}

/** @throws TypeError if a row names a role of Kubernetes that is not in the table */
function rulesOf(clusterRole: string): readonly PolicyRule[] {
  const found = defaultRoles.find(({ name, namespace }) => name === clusterRole && namespace === undefined);
  if (found === undefined)
    throw new TypeError(`Cannot tell the rules of a ClusterRole as no table has it: ${clusterRole}`);
  return found.rules.map(parsePolicyRule);
}

function defaultGrant({ name, namespace, binding = name, rules, subjects, reason }: DefaultRole): readonly Grant[] {
  if (subjects === undefined) return [];
  return [
    {
      source: 'kubernetes',
      role: { kind: namespace === undefined ? 'ClusterRole' : 'Role', name },
      binding: bindingOf(binding, namespace),
      ...(namespace === undefined ? {} : { namespace }),
      subjects: subjects.map(subjectRow),
      rules: rules.map((rule) => ({ rule: parsePolicyRule(rule) })),
      reason,
      neededBy: [],
    },
  ];
}

function bindingOf(name: string, namespace: string | undefined): Grant['binding'] {
  return { kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', name };
}

/** A subject from `group:NAME`, `user:NAME` or `serviceaccount:NAMESPACE/NAME`. */
function subjectRow(text: string): SubjectRow {
  const colon = text.indexOf(':');
  const [kind, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (kind === 'group') return { kind: 'Group', name };
  if (kind === 'user') return { kind: 'User', name };
  const [namespace = '', account = ''] = name.split('/');
  return { kind: 'ServiceAccount', name: account, namespace };
}
