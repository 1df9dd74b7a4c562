import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, WatchEvent } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, prepareApiServer } from '../test/api-server.ts';
import { severableLink } from '../test/severable-link.ts';
import { configMap, connectTo, reference } from '../test/test-cluster.ts';

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
      const watch = follow(await connectTo(api, { server: `https://127.0.0.1:${link.port}` }));
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
      const watch = follow(await connectTo(api, { server: `https://127.0.0.1:${link.port}` }));
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
      const watched = await connectTo(api, { server: `https://127.0.0.1:${link.port}`, timeoutMs: 500 });
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
});
