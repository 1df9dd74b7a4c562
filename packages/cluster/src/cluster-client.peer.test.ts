import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, prepareApiServer } from '../test/api-server.ts';
import { configMap, connectTo, kubectlData, reference } from '../test/test-cluster.ts';
import { knownResources } from './api-resources.ts';

// Against a real kube-apiserver and etcd; what is in the cluster is seen with the real kubectl.

const components = process.env.GROUNDPLANE_COMPONENTS ?? '';

describe('a cluster', () => {
  let api: ApiServer;
  let cluster: Cluster;

  beforeAll(async () => {
    api = await prepareApiServer(components);
    cluster = await connectTo(api);
    api.start();
    await api.ready();
  });

  afterAll(async () => {
    await api.stop();
  });

  describe('get', () => {
    it('tells an object, and nothing where there is none', async () => {
      expect(await cluster.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' })).toMatchObject({
        kind: 'Namespace',
        status: { phase: 'Active' },
      });
      expect(await cluster.get(reference('none'))).toBeUndefined();
      expect(await cluster.get(reference('none', 'no-such-namespace'))).toBeUndefined();
      expect(
        await cluster.get({ apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', name: 'a' }),
      ).toBeUndefined();
    });
  });

  describe('create', () => {
    it('fails where the object is there', async () => {
      await cluster.create(configMap('created', { a: '1' }));
      expect(kubectlData(api, 'created')).toEqual({ a: '1' });
      await expect(cluster.create(configMap('created', { a: '2' }))).rejects.toMatchObject({
        code: 'CLUSTER_ALREADY_EXISTS',
      });
      expect(kubectlData(api, 'created')).toEqual({ a: '1' });
    });

    it('waits for its namespace', async () => {
      const created = cluster.create(configMap('patient', { a: '1' }, 'later'));
      await delay(300);
      api.kubectl('create', 'namespace', 'later');
      await created;
      expect(kubectlData(api, 'patient', 'later')).toEqual({ a: '1' });
    });

    it('says that the namespace is missing when the deadline comes first', async () => {
      const impatient = await connectTo(api, { timeoutMs: 200 });
      await expect(impatient.create(configMap('a', {}, 'never'))).rejects.toMatchObject({
        code: 'CLUSTER_NOT_FOUND',
        message: expect.stringContaining('namespaces "never" not found'),
      });
    });

    it('asks who we are', async () => {
      const review = await cluster.create({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        metadata: { name: '' },
      });
      expect(review).toMatchObject({
        status: {
          userInfo: { username: 'kubernetes-super-admin', groups: ['system:masters', 'system:authenticated'] },
        },
      });
    });

    it('refuses what the API server finds invalid', async () => {
      await expect(cluster.create(configMap('Not_A_Name', {}))).rejects.toMatchObject({
        code: 'CLUSTER_INVALID',
        message: expect.stringContaining('metadata.name'),
      });
      await expect(cluster.create({ ...configMap('a', {}), data: 'text' })).rejects.toMatchObject({
        code: 'CLUSTER_INVALID',
      });
    });
  });

  describe('apply', () => {
    it('makes, changes and leaves alone, as one field manager', async () => {
      await cluster.apply(configMap('applied', { a: '1', b: '2' }));
      const second = await cluster.apply(configMap('applied', { a: '1', c: '3' }));
      expect(kubectlData(api, 'applied')).toEqual({ a: '1', c: '3' });
      const third = await cluster.apply(configMap('applied', { a: '1', c: '3' }));
      expect(third.metadata.resourceVersion).toBe(second.metadata.resourceVersion);
      const managers = api.kubectl(
        'get',
        'configmap',
        'applied',
        '--show-managed-fields',
        '-o',
        'jsonpath={.metadata.managedFields[*].manager}/{.metadata.managedFields[*].operation}',
      );
      expect(managers).toBe('groundplane/Apply');
    });

    it('takes fields from another manager and leaves the rest to it', async () => {
      const file = join(api.directory, 'other.json');
      writeFileSync(file, JSON.stringify(configMap('shared', { a: 'other', b: 'other' })));
      api.kubectl('apply', '--server-side', '--field-manager=other', '-f', file);
      await cluster.apply(configMap('shared', { a: 'ours' }));
      expect(kubectlData(api, 'shared')).toEqual({ a: 'ours', b: 'other' });
    });

    it('accepts an object as it was read', async () => {
      await cluster.apply(configMap('read-back', { a: '1' }));
      const read = await cluster.get(reference('read-back'));
      if (read === undefined) throw new Error('it was applied');
      await cluster.apply({ ...read, data: { a: '2' } });
      expect(kubectlData(api, 'read-back')).toEqual({ a: '2' });
      // Its resource version is that of the reading.
      await expect(cluster.apply({ ...read, data: { a: '3' } })).rejects.toMatchObject({ code: 'CLUSTER_CONFLICT' });
    });

    it('does not race with itself', async () => {
      const applied = await Promise.all(
        Array.from({ length: 10 }, (_, index) => cluster.apply(configMap('raced', { [`k${index}`]: '1' }))),
      );
      expect(new Set(applied.map((object) => object.metadata.uid)).size).toBe(1);
    });
  });

  describe('patch', () => {
    it('merges, and removes what is null', async () => {
      await cluster.create(configMap('patched', { a: '1', b: '2' }));
      await cluster.patch(reference('patched'), { data: { a: null, c: '3' }, metadata: { labels: { x: 'y' } } });
      expect(kubectlData(api, 'patched')).toEqual({ b: '2', c: '3' });
      expect(api.kubectl('get', 'configmap', 'patched', '-o', 'jsonpath={.metadata.labels}')).toBe('{"x":"y"}');
    });

    it('conflicts where the object has changed since', async () => {
      const before = await cluster.create(configMap('versioned', { a: '1' }));
      const { resourceVersion } = before.metadata;
      if (resourceVersion === undefined) throw new Error('every object has one');
      api.kubectl('label', 'configmap', 'versioned', 'changed=yes');
      await expect(
        cluster.patch(reference('versioned'), { data: { a: '2' } }, { resourceVersion }),
      ).rejects.toMatchObject({ code: 'CLUSTER_CONFLICT', kind: 'conflict' });
      expect(kubectlData(api, 'versioned')).toEqual({ a: '1' });
      const now = await cluster.get(reference('versioned'));
      await cluster.patch(
        reference('versioned'),
        { data: { a: '2' } },
        { resourceVersion: now?.metadata.resourceVersion ?? '' },
      );
      expect(kubectlData(api, 'versioned')).toEqual({ a: '2' });
    });

    it('fails where there is nothing to patch, and on what is no object', async () => {
      await expect(cluster.patch(reference('none'), { data: {} })).rejects.toMatchObject({ code: 'CLUSTER_NOT_FOUND' });
      await expect(cluster.patch(reference('none'), [])).rejects.toThrow(TypeError);
    });
  });

  it('deletes, also what is not there', async () => {
    await cluster.create(configMap('deleted', {}));
    await cluster.delete(reference('deleted'));
    expect(api.kubectl('get', 'configmaps', '-o', 'name')).not.toContain('deleted');
    await cluster.delete(reference('deleted'));
    await cluster.delete({ apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'default', name: 'a' });
  });

  describe('list', () => {
    it('tells kind and version of each item, by label and by field', async () => {
      await cluster.apply({
        ...configMap('l1', {}),
        metadata: { name: 'l1', namespace: 'default', labels: { list: 'a' } },
      });
      await cluster.apply({
        ...configMap('l2', {}),
        metadata: { name: 'l2', namespace: 'default', labels: { list: 'b' } },
      });
      const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
      const names = async (more: object): Promise<readonly string[]> =>
        (await cluster.list({ ...query, ...more })).map((item) => item.metadata.name);
      expect(await names({ labelSelector: 'list in (a, b)' })).toEqual(['l1', 'l2']);
      expect(await names({ fieldSelector: 'metadata.name=l2' })).toEqual(['l2']);
      expect(await names({ labelSelector: 'list=none' })).toEqual([]);
      expect((await cluster.list({ ...query, labelSelector: 'list=a' }))[0]).toMatchObject({
        apiVersion: 'v1',
        kind: 'ConfigMap',
      });
      const everywhere = await cluster.list({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(new Set(everywhere.map((item) => item.metadata.namespace)).size).toBeGreaterThan(1);
    });

    it('reads more than one page', async () => {
      api.kubectl('create', 'namespace', 'many');
      const items = Array.from({ length: 520 }, (_, index) =>
        configMap(`m${String(index).padStart(3, '0')}`, {}, 'many'),
      );
      for (let start = 0; start < items.length; start += 40)
        await Promise.all(items.slice(start, start + 40).map((item) => cluster.create(item)));
      const listed = await cluster.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'many' });
      expect(listed.map((item) => item.metadata.name)).toEqual(items.map((item) => item.metadata.name));
    });
  });

  describe('kinds', () => {
    it('of the table are addressed as kubectl says', () => {
      const rows = api.kubectl('api-resources', '--no-headers').trim().split('\n');
      const theirs = new Map(
        rows.map((row) => {
          const fields = row.trim().split(/\s+/);
          const [kind = '', namespaced = '', apiVersion = ''] = fields.slice(-3).reverse();
          const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
          return [`${group}/${kind}`, { plural: fields[0], namespaced: namespaced === 'true' }];
        }),
      );
      for (const [key, resource] of Object.entries(knownResources))
        expect({ key, ...theirs.get(key) }).toEqual({ key, ...resource });
    });

    it('that are defined later are found', async () => {
      const widget = {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: { name: 'w', namespace: 'default' },
        size: 3,
      };
      await expect(cluster.create(widget)).rejects.toMatchObject({ code: 'CLUSTER_UNKNOWN_KIND' });
      await expect(cluster.list({ apiVersion: 'example.com/v1', kind: 'Widget' })).rejects.toMatchObject({
        code: 'CLUSTER_UNKNOWN_KIND',
      });
      await expect(cluster.list({ apiVersion: 'v1', kind: 'Widget' })).rejects.toMatchObject({
        code: 'CLUSTER_UNKNOWN_KIND',
      });
      await cluster.apply({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', kind: 'Widget' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
      api.kubectl('wait', '--for=condition=established', 'crd/widgets.example.com');
      await cluster.apply(widget);
      expect(api.kubectl('get', 'widgets.example.com', 'w', '-o', 'jsonpath={.size}')).toBe('3');
    });
  });
});
