import type { ApiCaller } from './api-caller.ts';
import { type ApiResource, groupOf, groupVersionPath, knownResources, type ResourceAddress } from './api-resources.ts';
import { clusterError } from './error-codes.ts';
import { parseAnswer } from './parse-answer.ts';

export type ResourceFinder = (address: ResourceAddress) => Promise<ApiResource | undefined>;

/** Finds how a kind is addressed: in the table, or by asking the API server for the resources of its group version. */
export function resourceFinder(caller: ApiCaller): ResourceFinder {
  const discovered = new Map<string, ApiResource>();
  return async ({ apiVersion, kind }) => {
    const known = knownResources[`${groupOf(apiVersion)}/${kind}`];
    if (known !== undefined) return known;
    const key = `${apiVersion}/${kind}`;
    const earlier = discovered.get(key);
    if (earlier !== undefined) return earlier;
    const found = await discover(caller, apiVersion, kind);
    // A kind that is not served is asked for again: its definition may be made meanwhile.
    if (found !== undefined) discovered.set(key, found);
    return found;
  };
}

export function unknownKind(server: string, { apiVersion, kind }: ResourceAddress): Error {
  return clusterError(
    'CLUSTER_UNKNOWN_KIND',
    `Cannot use objects of kind ${kind} as the API server ${server} does not serve it: ${apiVersion}`,
    {
      hint: `see what it serves with: kubectl api-resources`,
      details: { apiVersion, kind },
    },
  );
}

/** For messages: `ConfigMap kube-system/kubeadm-config`, `list of Pod in kube-system`. */
export function describeAddress({ kind, namespace, name }: ResourceAddress): string {
  if (name === undefined) return namespace === undefined ? `list of ${kind}` : `list of ${kind} in ${namespace}`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

async function discover(caller: ApiCaller, apiVersion: string, kind: string): Promise<ApiResource | undefined> {
  const what = `look up the kind ${kind} of ${apiVersion}`;
  const answer = await caller.call(
    { method: 'GET', path: groupVersionPath(apiVersion) },
    { what, accept: ({ status }) => status === 404 },
  );
  if (answer.status === 404) return undefined;
  const list = parseAnswer<{ resources?: { name: string; kind: string; namespaced: boolean }[] }>(answer.text, {
    what,
    server: caller.connection.server,
  });
  const entry = list.resources?.find((one) => one.kind === kind && !one.name.includes('/'));
  return entry === undefined ? undefined : { plural: entry.name, namespaced: entry.namespaced };
}
