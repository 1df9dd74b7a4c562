import type { KubernetesObject } from '@groundplane/manifest';
import { bootstrapRoles } from './bootstrap-roles.ts';
import { objectsOf } from './rbac-objects.ts';

/**
 * Why bootstrap writes an RBAC object: for a binding why its subjects get the rights, for a role why each of its rules
 * is needed, in sentences.
 *
 * @param object any object; its kind, name and namespace count
 * @returns undefined for an object that bootstrap does not write
 */
export function reasonFor(object: KubernetesObject): string | undefined {
  const isObject = (other: KubernetesObject): boolean =>
    other.apiVersion === object.apiVersion &&
    other.kind === object.kind &&
    other.metadata?.name === object.metadata?.name &&
    (other.metadata?.namespace ?? '') === (object.metadata?.namespace ?? '');
  const row = bootstrapRoles.find((candidate) => objectsOf(candidate).some(isObject));
  if (row === undefined) return undefined;
  const reasons =
    object.kind.endsWith('Binding') || !('rules' in row) ? [row.reason] : row.rules.map(({ reason }) => reason);
  return `${reasons.join('. ')}.`;
}
