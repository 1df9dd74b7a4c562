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
    ...(valueFrom === undefined ? {} : { valueFrom: asWritten({ ...valueFrom }) }),
  };
}

/** Source of a value → its fields that stand in a file only if they are not empty (k8s.io/api/core/v1). */
const omittedFields: Readonly<Record<string, string>> = {
  resourceFieldRef: 'containerName',
  configMapKeyRef: 'name',
  secretKeyRef: 'name',
};

/** Kubernetes fills in the version of a field reference; done here, the file already says what the kubelet will use. */
function asWritten(sources: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sources).map(([source, fields]) => {
      if (typeof fields !== 'object' || fields === null) return [source, fields];
      if (source === 'fieldRef') return [source, { ...fields, apiVersion: versionOf(fields) }];
      const kept = Object.entries(fields).filter(([field, value]) => field !== omittedFields[source] || value !== '');
      return [source, Object.fromEntries(kept)];
    }),
  );
}

function versionOf({ apiVersion }: { readonly apiVersion?: unknown }): unknown {
  return apiVersion === undefined || apiVersion === '' ? 'v1' : apiVersion;
}
