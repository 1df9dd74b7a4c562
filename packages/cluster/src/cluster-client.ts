import { type Cluster, type ClusterObject, fieldManager, type ObjectQuery } from '@groundplane/phases';
import { type ApiCaller, isSuccess } from './api-caller.ts';
import { type ApiFault, faultOfConnection, isUnknownPath } from './api-fault.ts';
import { type ResourceAddress, resourcePath } from './api-resources.ts';
import type { ApiRequest } from './connection.ts';
import { listObjects } from './list-objects.ts';
import { parseAnswer } from './parse-answer.ts';
import { describeAddress, resourceFinder, unknownKind } from './resource-finder.ts';
import { watchObjects } from './watch-objects.ts';

const contentTypes = {
  json: 'application/json',
  apply: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
} as const;

/** The Cluster port over a caller that retries. */
export function clusterClient(caller: ApiCaller): Cluster {
  const findResource = resourceFinder(caller);
  const { connection } = caller;

  const pathOf = async (address: ResourceAddress): Promise<string> => {
    const resource = await findResource(address);
    if (resource === undefined) throw unknownKind(connection.server, address);
    return resourcePath(resource, address);
  };

  const change = async (
    verb: string,
    address: ResourceAddress,
    options: {
      readonly request: Omit<ApiRequest, 'timeoutMs' | 'path'>;
      readonly query?: string;
      readonly subresource?: string | undefined;
      readonly collection?: true;
      readonly retry?: (fault: ApiFault) => boolean;
    },
  ): Promise<ClusterObject> => {
    const path = await pathOf(options.collection === true ? { ...address, name: undefined } : address);
    const part = options.subresource === undefined ? '' : `/${options.subresource}`;
    const what = `${verb} ${describeAddress(address)}${part}`;
    const answer = await caller.call(
      { ...options.request, path: `${path}${part}${options.query ?? ''}` },
      {
        what,
        accept: isUnknownPath,
        ...(options.retry === undefined ? {} : { retry: options.retry }),
      },
    );
    if (!isSuccess(answer.status)) throw unknownKind(connection.server, address);
    return parseAnswer(answer.text, { what, server: connection.server });
  };

  const list = (query: ObjectQuery, signal?: AbortSignal) =>
    pathOf({ ...query, name: undefined }).then((path) => listObjects(caller, { query, path, signal }));

  return {
    async get(reference) {
      const resource = await findResource(reference);
      if (resource === undefined) return undefined;
      const what = `get ${describeAddress(reference)}`;
      const answer = await caller.call(
        { method: 'GET', path: resourcePath(resource, reference) },
        { what, accept: ({ status }) => status === 404 },
      );
      return answer.status === 404 ? undefined : parseAnswer(answer.text, { what, server: connection.server });
    },
    async list(query) {
      return (await list(query)).items;
    },
    async create(object) {
      return change('create', addressOf(object), {
        request: { method: 'POST', body: { type: contentTypes.json, text: JSON.stringify(object) } },
        query: `?fieldManager=${fieldManager}`,
        collection: true,
      });
    },
    async apply(object) {
      const { managedFields: _, ...metadata } = object.metadata;
      return change('apply', addressOf(object), {
        request: { method: 'PATCH', body: { type: contentTypes.apply, text: JSON.stringify({ ...object, metadata }) } },
        query: `?fieldManager=${fieldManager}&force=true`,
        // Two that apply a new object at once: the second finds it the next time.
        retry: (fault) => fault.code === 'CLUSTER_ALREADY_EXISTS',
      });
    },
    async patch(reference, body, { resourceVersion, subresource } = {}) {
      const text = JSON.stringify(withResourceVersion(body, resourceVersion));
      return change('patch', reference, {
        request: { method: 'PATCH', body: { type: contentTypes.merge, text } },
        query: `?fieldManager=${fieldManager}`,
        subresource,
        retry: (fault) => fault.code === 'CLUSTER_CONFLICT' && resourceVersion === undefined,
      });
    },
    async delete(reference) {
      const resource = await findResource(reference);
      if (resource === undefined) return;
      await caller.call(
        { method: 'DELETE', path: `${resourcePath(resource, reference)}?propagationPolicy=Background` },
        { what: `delete ${describeAddress(reference)}`, accept: ({ status }) => status === 404 },
      );
    },
    async *watch(query, { signal }) {
      const path = await pathOf({ ...query, name: undefined });
      yield* watchObjects(caller, { query, path, signal });
    },
    async probe(path, { timeoutMs }) {
      try {
        const { status, text } = await connection.request({ method: 'GET', path, timeoutMs });
        return { status, text };
      } catch (thrown) {
        return { text: faultOfConnection(thrown).message };
      }
    },
  };
}

function addressOf({ apiVersion, kind, metadata }: ClusterObject): ResourceAddress {
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
}

function withResourceVersion(body: unknown, resourceVersion: string | undefined): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new TypeError('Cannot send a JSON merge patch that is not an object');
  }
  if (resourceVersion === undefined) return body;
  const metadata = 'metadata' in body && typeof body.metadata === 'object' ? body.metadata : {};
  return { ...body, metadata: { ...metadata, resourceVersion } };
}
