import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, ClusterObject, WatchEvent } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, prepareApiServer } from '../test/api-server.ts';
import { clock } from '../test/clock.ts';
import { severableLink } from '../test/severable-link.ts';
import { knownResources } from './api-resources.ts';
import { kubernetesClusters } from './kubernetes-clusters.ts';

// Against a real kube-apiserver and etcd; what is in the cluster is seen with the real kubectl.

const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
const clusters = kubernetesClusters({ clock, environment: {} });

const configMap = (name: string, data: Record<string, string>, namespace = 'default'): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});
const reference = (name: string, namespace = 'default') => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name });

describe.runIf(components !== '')('a cluster', () => {
  let api: ApiServer;
  let cluster: Cluster;
  const connect = (
    options: {
      identity?: Parameters<ApiServer['kubeconfig']>[0];
      timeoutMs?: number;
      server?: string;
      retryForbidden?: boolean;
    } = {},
  ) =>
    clusters.connect({
      kubeconfig: api.kubeconfig(options.identity ?? 'superAdmin'),
      timeoutMs: options.timeoutMs ?? 30_000,
      ...(options.server === undefined ? {} : { server: options.server }),
      ...(options.retryForbidden === undefined ? {} : { retryForbidden: options.retryForbidden }),
    });
  const kubectlData = (name: string, namespace = 'default'): unknown =>
    JSON.parse(api.kubectl('get', 'configmap', name, '-n', namespace, '-o', 'jsonpath={.data}'));

  beforeAll(async () => {
    api = await prepareApiServer(components);
    cluster = await connect();
  });

  afterAll(async () => {
    await api.stop();
  });

  describe('that is starting', () => {
    it('is unavailable when the deadline comes first, with the last error', async () => {
      const impatient = await connect({ timeoutMs: 300 });
      await expect(impatient.get(reference('a'))).rejects.toMatchObject({
        code: 'CLUSTER_UNAVAILABLE',
        kind: 'unavailable',
        message: expect.stringMatching(
          /^Cannot get ConfigMap default\/a as the API server https:\/\/127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED .* \(\d attempts in 0\.\d s\)$/,
        ),
      });
      expect(await cluster.probe('/livez', { timeoutMs: 500 })).toEqual({
        text: expect.stringContaining('ECONNREFUSED'),
      });
    });

    it('gets what it was given as soon as it can take it', async () => {
      const applied = cluster.apply(configMap('early', { a: '1' }, 'kube-system'));
      const forbidden = connect({ identity: 'admin' }).then((admin) => admin.get(reference('early', 'kube-system')));
      await delay(200);
      api.start();
      expect((await applied).metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(kubectlData('early', 'kube-system')).toEqual({ a: '1' });
      // Until the bootstrap roles are there every 403 may pass; then this one is meant.
      await expect(forbidden).rejects.toMatchObject({
        code: 'CLUSTER_FORBIDDEN',
        message: expect.stringContaining('User "kubernetes-admin" cannot get resource "configmaps"'),
      });
      await api.ready();
    });
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
      expect(kubectlData('created')).toEqual({ a: '1' });
      await expect(cluster.create(configMap('created', { a: '2' }))).rejects.toMatchObject({
        code: 'CLUSTER_ALREADY_EXISTS',
      });
      expect(kubectlData('created')).toEqual({ a: '1' });
    });

    it('waits for its namespace', async () => {
      const created = cluster.create(configMap('patient', { a: '1' }, 'later'));
      await delay(300);
      api.kubectl('create', 'namespace', 'later');
      await created;
      expect(kubectlData('patient', 'later')).toEqual({ a: '1' });
    });

    it('says that the namespace is missing when the deadline comes first', async () => {
      const impatient = await connect({ timeoutMs: 200 });
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
      expect(kubectlData('applied')).toEqual({ a: '1', c: '3' });
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
      expect(kubectlData('shared')).toEqual({ a: 'ours', b: 'other' });
    });

    it('accepts an object as it was read', async () => {
      await cluster.apply(configMap('read-back', { a: '1' }));
      const read = await cluster.get(reference('read-back'));
      if (read === undefined) throw new Error('it was applied');
      await cluster.apply({ ...read, data: { a: '2' } });
      expect(kubectlData('read-back')).toEqual({ a: '2' });
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
      expect(kubectlData('patched')).toEqual({ b: '2', c: '3' });
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
      expect(kubectlData('versioned')).toEqual({ a: '1' });
      const now = await cluster.get(reference('versioned'));
      await cluster.patch(
        reference('versioned'),
        { data: { a: '2' } },
        { resourceVersion: now?.metadata.resourceVersion ?? '' },
      );
      expect(kubectlData('versioned')).toEqual({ a: '2' });
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

  describe('identity', () => {
    it('is refused with a token that the API server does not know, and the token is not told', async () => {
      const kubeconfig = JSON.parse(api.kubeconfig('nobody'));
      kubeconfig.users = [{ name: 'u', user: { token: 'abcdef.0123456789abcdef' } }];
      kubeconfig.contexts[0].context.user = 'u';
      const stranger = await clusters.connect({ kubeconfig: JSON.stringify(kubeconfig), timeoutMs: 5000 });
      const error: Error & { hint?: string; details?: unknown } = await stranger.get(reference('a')).then(
        () => new Error('it must fail'),
        (thrown: Error) => thrown,
      );
      expect(error).toMatchObject({ code: 'CLUSTER_UNAUTHORIZED' });
      expect(JSON.stringify([error.message, error.hint, error.details, String(error.cause)])).not.toContain(
        '0123456789abcdef',
      );
    });

    it('is a bootstrap token that was made a moment ago', async () => {
      await cluster.create({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'bootstrap.kubernetes.io/token',
        metadata: { name: 'bootstrap-token-123456', namespace: 'kube-system' },
        stringData: {
          'token-id': '123456',
          'token-secret': '0123456789012345',
          'usage-bootstrap-authentication': 'true',
        },
      });
      await delay(500);
      const kubeconfig = JSON.parse(api.kubeconfig('nobody'));
      kubeconfig.users = [{ name: 'u', user: { token: '123456.0123456789012345' } }];
      kubeconfig.contexts[0].context.user = 'u';
      const joiner = await clusters.connect({ kubeconfig: JSON.stringify(kubeconfig), timeoutMs: 5000 });
      const review = await joiner.create({
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'SelfSubjectReview',
        metadata: { name: '' },
      });
      expect(review).toMatchObject({ status: { userInfo: { username: 'system:bootstrap:123456' } } });
    });

    it('without any may read health', async () => {
      const nobody = await connect({ identity: 'nobody' });
      expect(await nobody.probe('/livez', { timeoutMs: 2000 })).toEqual({ status: 200, text: 'ok' });
      expect(await nobody.probe('/no-such-path', { timeoutMs: 2000 })).toMatchObject({ status: 403 });
    });

    it('is not told to a server that the CA did not sign', async () => {
      const kubeconfig = JSON.parse(api.kubeconfig('superAdmin'));
      kubeconfig.clusters[0].cluster['certificate-authority-data'] = api.otherCa();
      const other = await clusters.connect({ kubeconfig: JSON.stringify(kubeconfig), timeoutMs: 30_000 });
      await expect(other.get(reference('a'))).rejects.toMatchObject({
        code: 'CLUSTER_UNTRUSTED',
        details: { attempts: 1 },
      });
      const misnamed = await connect({ server: api.server.replace('127.0.0.1', 'localhost') });
      await expect(misnamed.get(reference('a'))).rejects.toMatchObject({
        code: 'CLUSTER_UNTRUSTED',
        message: expect.stringContaining('localhost'),
      });
    });

    it('gets rights that are granted while it waits, when told to wait for them', async () => {
      const query = { apiVersion: 'v1', kind: 'Node' };
      await expect((await connect({ identity: 'admin' })).list(query)).rejects.toMatchObject({
        code: 'CLUSTER_FORBIDDEN',
        details: { attempts: 1 },
      });
      const patient = (await connect({ identity: 'admin', retryForbidden: true })).list(query);
      await delay(200);
      api.kubectl(
        'create',
        'clusterrolebinding',
        'kubeadm:cluster-admins',
        '--clusterrole=cluster-admin',
        '--group=kubeadm:cluster-admins',
      );
      expect(await patient).toEqual([]);
    });
  });

  describe('watch', () => {
    const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'watched' };

    /** Collects the events of a watch until it is stopped. */
    function follow(watched: Cluster): {
      readonly events: string[];
      seen(text: string): Promise<void>;
      stop(): Promise<void>;
    } {
      const events: string[] = [];
      const controller = new AbortController();
      const running = (async () => {
        for await (const event of watched.watch(
          { ...query, fieldSelector: 'metadata.name!=kube-root-ca.crt' },
          { signal: controller.signal },
        )) {
          events.push(textOf(event));
        }
      })();
      return {
        events,
        async seen(text) {
          for (let tries = 0; tries < 600 && !events.includes(text); tries += 1) await delay(50);
          expect(events).toContain(text);
        },
        async stop() {
          controller.abort();
          await running;
        },
      };
    }
    const textOf = ({ type, object }: WatchEvent): string =>
      `${type} ${object.metadata.name} ${JSON.stringify(object.data ?? {})}`;

    beforeAll(() => {
      api.kubectl('create', 'namespace', 'watched');
    });

    it('tells what is there, then what changes, and ends when it is told to', async () => {
      await cluster.create(configMap('a', { v: '1' }, 'watched'));
      const watch = follow(cluster);
      await watch.seen('ADDED a {"v":"1"}');
      await cluster.patch(reference('a', 'watched'), { data: { v: '2' } });
      await cluster.create(configMap('b', {}, 'watched'));
      await cluster.delete(reference('a', 'watched'));
      await watch.seen('DELETED a {"v":"2"}');
      await watch.stop();
      expect(watch.events).toEqual(['ADDED a {"v":"1"}', 'MODIFIED a {"v":"2"}', 'ADDED b {}', 'DELETED a {"v":"2"}']);
    });

    it('goes on where it was when the connection breaks', async () => {
      const link = await severableLink(Number(new URL(api.server).port));
      const watch = follow(await connect({ server: `https://127.0.0.1:${link.port}` }));
      await watch.seen('ADDED b {}');
      link.cut();
      await cluster.patch(reference('b', 'watched'), { data: { v: '1' } });
      await delay(500);
      link.mend();
      await watch.seen('MODIFIED b {"v":"1"}');
      await watch.stop();
      expect(watch.events).toEqual(['ADDED b {}', 'MODIFIED b {"v":"1"}']);
      await link.close();
    });

    it('tells the difference where the API server no longer knows the version', async () => {
      await cluster.create(configMap('c', {}, 'watched'));
      await cluster.create(configMap('d', {}, 'watched'));
      const link = await severableLink(Number(new URL(api.server).port));
      const watch = follow(await connect({ server: `https://127.0.0.1:${link.port}` }));
      await watch.seen('ADDED d {}');
      link.cut();
      await cluster.delete(reference('c', 'watched'));
      await cluster.patch(reference('d', 'watched'), { data: { v: '1' } });
      await cluster.create(configMap('e', {}, 'watched'));
      await api.kill();
      api.start('--watch-cache=false');
      await api.ready();
      await api.compact();
      link.mend();
      await watch.seen('ADDED e {}');
      await watch.stop();
      expect(watch.events.slice(0, 3).sort()).toEqual(['ADDED b {"v":"1"}', 'ADDED c {}', 'ADDED d {}']);
      expect(watch.events.slice(3).sort()).toEqual(['ADDED e {}', 'DELETED c {}', 'MODIFIED d {"v":"1"}']);
      await link.close();
    });

    it('fails when the API server stays away for longer than calls may take', async () => {
      const link = await severableLink(Number(new URL(api.server).port));
      const watched = await connect({ server: `https://127.0.0.1:${link.port}`, timeoutMs: 500 });
      const events: string[] = [];
      const running = (async () => {
        for await (const event of watched.watch(query, { signal: new AbortController().signal })) {
          events.push(textOf(event));
          link.cut();
        }
      })();
      await expect(running).rejects.toMatchObject({ code: 'CLUSTER_UNAVAILABLE' });
      expect(events.length).toBeGreaterThan(0);
      await link.close();
    });
  });

  it('does not keep a process alive', () => {
    const path = join(api.directory, 'end.conf');
    writeFileSync(path, api.kubeconfig('superAdmin'));
    const { stdout, stderr, status, signal } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../test/get-and-end.ts'), path],
      {
        encoding: 'utf8',
        timeout: 10_000,
      },
    );
    expect({ stderr, status, signal }).toEqual({ stderr: '', status: 0, signal: null });
    expect(stdout.trim()).toBe('default');
  });
});
