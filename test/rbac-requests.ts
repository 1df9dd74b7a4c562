import type { AccessQuestion } from '../packages/rbac/dist/index.js';
import type { DiscoveredResource } from './rbac-cluster.ts';

/** An HTTP request that puts a question by being made; it changes nothing. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
}

const methods: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** Verbs for one object by its name; the others are for all of a kind. */
const namedVerbs = ['get', 'update', 'patch', 'delete'];
/** They would be passed on to a kubelet or a pod. */
const connecting = ['attach', 'exec', 'portforward', 'proxy'];

/** The request behind a question; undefined if no single request asks exactly that. */
export function requestOf(
  question: AccessQuestion,
  discovered: readonly DiscoveredResource[],
): HttpRequest | undefined {
  if ('path' in question) {
    return question.verb === 'get' && question.path.startsWith('/') && !question.path.startsWith('/api')
      ? { method: 'GET', path: question.path }
      : undefined;
  }
  const { verb, group, resource, subresource, namespace, name, fieldSelector } = question;
  const method = methods[verb];
  const kind = discovered.find(
    (one) => one.group === group && one.resource === resource && one.subresource === subresource,
  );
  if (name?.includes('/') || method === undefined || kind === undefined || connecting.includes(subresource ?? ''))
    return undefined;
  if (kind.namespaced ? namespace === undefined : namespace !== undefined) return undefined;
  const named = namedVerbs.includes(verb) || (verb === 'create' && subresource !== undefined);
  if (named !== (name !== undefined) || (!named && subresource !== undefined)) return undefined;
  const words = [
    kind.root,
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    resource,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  const query = [
    ...(fieldSelector === undefined
      ? []
      : [`fieldSelector=${encodeURIComponent(`${fieldSelector.field}=${fieldSelector.value}`)}`]),
    ...(method === 'GET' ? [] : ['dryRun=All']),
  ];
  return { method, path: `${words.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}` };
}
