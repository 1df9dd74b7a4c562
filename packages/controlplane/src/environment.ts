import type { EnvVar } from '@groundplane/manifest';
import { compareText } from './command-arguments.ts';
import type { ExtraEnv } from './control-plane-facts.ts';

/**
 * The variables of a process environment that are handed on to the control plane: those whose name ends in `_proxy`, in
 * any letter case, and whose value is not empty. Source: cmd/kubeadm/app/util/env.go.
 */
export function proxyEnvironment(environment: Readonly<Record<string, string | undefined>>): ExtraEnv[] {
  return Object.entries(environment)
    .filter(([name, value]) => /_proxy$/i.test(name) && value !== undefined && value !== '')
    .map(([name, value]) => ({ name, value: value ?? '' }));
}

/** The environment of a container: of variables of one name the last, sorted by name, empty values left out. */
export function mergeEnvironment(...lists: readonly (readonly ExtraEnv[] | undefined)[]): EnvVar[] {
  const byName = new Map(lists.flatMap((list) => list ?? []).map((variable) => [variable.name, variable]));
  return [...byName.values()].sort((left, right) => compareText(left.name, right.name)).map(toEnvVar);
}

function toEnvVar({ name, value, valueFrom }: ExtraEnv): EnvVar {
  return {
    name,
    ...(value === undefined || value === '' ? {} : { value }),
    ...(valueFrom === undefined ? {} : { valueFrom: withFieldVersion({ ...valueFrom }) }),
  };
}

/** Kubernetes fills in the version of a field reference; done here, the file already says what the kubelet will use. */
function withFieldVersion(source: Record<string, unknown>): Record<string, unknown> {
  const { fieldRef } = source;
  if (typeof fieldRef !== 'object' || fieldRef === null) return source;
  return { ...source, fieldRef: { apiVersion: 'v1', ...fieldRef } };
}
