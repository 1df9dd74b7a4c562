import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import { stringifyYaml } from '../packages/manifest/dist/index.js';
import { type AccessQuestion, allRbacObjects, type Identity } from '../packages/rbac/dist/index.js';

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A real kube-apiserver with the authorizers Node and RBAC, which is asked as the super admin. */
export interface RbacCluster {
  readonly api: ApiServer;
  call(method: string, path: string, options?: { readonly body?: object; readonly as?: Identity }): Promise<Reply>;
  /** Whether the API server would let it pass: a SubjectAccessReview. */
  review(identity: Identity, question: AccessQuestion): Promise<boolean>;
  /** Applies everything that bootstrap grants. */
  applyObjects(): void;
  stop(): Promise<void>;
}

export async function startRbacCluster(components: string): Promise<RbacCluster> {
  const api = await prepareApiServer(components);
  api.start();
  await api.ready();
  const file = (name: string): Buffer => readFileSync(join(api.directory, name));
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    ca: file('ca.crt'),
    cert: file('superAdmin.crt'),
    key: file('superAdmin.key'),
  });
  const call: RbacCluster['call'] = (method, path, { body, as } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { 'impersonate-user': as.user, 'impersonate-group': [...as.groups] }),
      };
      const sent = request(`${api.server}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return {
    api,
    call,
    async review(identity, question) {
      const { status, body } = await call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: specOf(identity, question) },
      });
      if (status !== 201) throw new Error(`SubjectAccessReview: ${status} ${body}`);
      return (JSON.parse(body) as { status: { allowed: boolean } }).status.allowed;
    },
    applyObjects() {
      const path = join(api.directory, 'objects.yaml');
      writeFileSync(
        path,
        allRbacObjects()
          .map((object) => stringifyYaml(object))
          .join('---\n'),
      );
      api.kubectl('apply', '-f', path);
    },
    async stop() {
      agent.destroy();
      await api.stop();
    },
  };
}

function specOf({ user, groups }: Identity, question: AccessQuestion): object {
  if ('path' in question) return { user, groups, nonResourceAttributes: question };
  const { fieldSelector, ...attributes } = question;
  const selector =
    fieldSelector === undefined
      ? {}
      : {
          fieldSelector: {
            requirements: [{ key: fieldSelector.field, operator: 'In', values: [fieldSelector.value] }],
          },
        };
  return { user, groups, resourceAttributes: { ...attributes, ...selector } };
}

/** Does it for all of them, a few at a time, and keeps the order. */
export async function inBatches<T, R>(values: readonly T[], act: (value: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const size = 64;
  for (let start = 0; start < values.length; start += size) {
    results.push(...(await Promise.all(values.slice(start, start + size).map(act))));
  }
  return results;
}

/** One line of the server's discovery: a kind of object or a subresource. */
export interface DiscoveredResource {
  /** Path of the group's version: `/apis/apps/v1`. */
  readonly root: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespaced: boolean;
  readonly singularName: string;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
}

/** Everything that the server's discovery lists, in each group its preferred version. */
export async function discoverResources({ call }: RbacCluster): Promise<readonly DiscoveredResource[]> {
  const get = async <T>(path: string): Promise<T> => JSON.parse((await call('GET', path)).body) as T;
  const { groups } = await get<{ groups: { name: string; preferredVersion: { groupVersion: string } }[] }>('/apis');
  const lists = [
    { group: '', path: '/api/v1' },
    ...groups.map(({ name, preferredVersion }) => ({ group: name, path: `/apis/${preferredVersion.groupVersion}` })),
  ];
  const found = await Promise.all(
    lists.map(async ({ group, path }) => {
      const { resources } = await get<{
        resources: (Omit<DiscoveredResource, 'root' | 'group' | 'resource'> & { name: string })[];
      }>(path);
      return resources.map(({ name, ...rest }) => {
        const [resource = '', subresource] = name.split('/');
        const { namespaced, singularName, shortNames = [], verbs } = rest;
        return {
          root: path,
          group,
          resource,
          ...(subresource === undefined ? {} : { subresource }),
          namespaced,
          singularName,
          shortNames,
          verbs,
        };
      });
    }),
  );
  return found.flat();
}
