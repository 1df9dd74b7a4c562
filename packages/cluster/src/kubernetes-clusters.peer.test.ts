import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, prepareApiServer } from '../test/api-server.ts';
import { clusters, configMap, connectTo, kubectlData, reference } from '../test/test-cluster.ts';

// Against a real kube-apiserver and etcd; what is in the cluster is seen with the real kubectl.

const components = process.env.GROUNDPLANE_COMPONENTS ?? '';

describe('a connection', () => {
  let api: ApiServer;
  let cluster: Cluster;

  beforeAll(async () => {
    api = await prepareApiServer(components);
    cluster = await connectTo(api);
  });

  afterAll(async () => {
    await api.stop();
  });

  describe('that is starting', () => {
    it('is unavailable when the deadline comes first, with the last error', async () => {
      const impatient = await connectTo(api, { timeoutMs: 300 });
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
      const forbidden = connectTo(api, { identity: 'admin' }).then((admin) =>
        admin.get(reference('early', 'kube-system')),
      );
      await delay(200);
      api.start();
      expect((await applied).metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(kubectlData(api, 'early', 'kube-system')).toEqual({ a: '1' });
      // Until the bootstrap roles are there every 403 may pass; then this one is meant.
      await expect(forbidden).rejects.toMatchObject({
        code: 'CLUSTER_FORBIDDEN',
        message: expect.stringContaining('User "kubernetes-admin" cannot get resource "configmaps"'),
      });
      await api.ready();
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
      const nobody = await connectTo(api, { identity: 'nobody' });
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
      const misnamed = await connectTo(api, { server: api.server.replace('127.0.0.1', 'localhost') });
      await expect(misnamed.get(reference('a'))).rejects.toMatchObject({
        code: 'CLUSTER_UNTRUSTED',
        message: expect.stringContaining('localhost'),
      });
    });

    it('gets rights that are granted while it waits, when told to wait for them', async () => {
      const query = { apiVersion: 'v1', kind: 'Node' };
      await expect((await connectTo(api, { identity: 'admin' })).list(query)).rejects.toMatchObject({
        code: 'CLUSTER_FORBIDDEN',
        details: { attempts: 1 },
      });
      const patient = (await connectTo(api, { identity: 'admin', retryForbidden: true })).list(query);
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
