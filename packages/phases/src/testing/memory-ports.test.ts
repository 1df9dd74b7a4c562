import { describe, expect, test } from 'vitest';
import { memoryPorts } from './memory-ports.ts';

const text = (content: string) => new TextEncoder().encode(content);
const config = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'n' } as const;
const configMap = (data: Record<string, unknown>, labels?: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'n', ...(labels && { labels }) },
  data,
});
const connect = (ports = memoryPorts()) => ports.clusters.connect({ kubeconfig: 'k', timeoutMs: 1 });

describe('files in memory', () => {
  test('keep modes, make directories and order their times', async () => {
    const { host, memory } = memoryPorts();
    await host.files.write('/a/b/one', text('1'), { mode: 0o600, directoryMode: 0o700 });
    await host.files.write('/a/b/two', text('22'), { mode: 0o644 });
    const [one, two, directory] = await Promise.all(
      ['/a/b/one', '/a/b/two', '/a/b'].map((path) => host.files.status(path)),
    );
    expect(one).toMatchObject({ kind: 'file', mode: 0o600, size: 1 });
    expect(directory).toMatchObject({ kind: 'directory', mode: 0o700 });
    expect(two?.modifiedMs).toBeGreaterThan(one?.modifiedMs ?? Number.POSITIVE_INFINITY);
    expect(await host.files.list('/a')).toEqual(['b']);
    expect(await host.files.list('/a/b')).toEqual(['one', 'two']);
    expect(await host.files.list('/nothing')).toBeUndefined();
    expect(memory.writes.map(({ location }) => location)).toEqual(['/a/b/one', '/a/b/two']);
  });

  test('append, remove, and refuse what a file system refuses', async () => {
    const { host, memory } = memoryPorts({ files: { '/a/one': 'x' } });
    await host.files.append('/a/one', text('y'), { mode: 0o600 });
    expect([memory.text('/a/one'), memory.mode('/a/one')]).toEqual(['xy', 0o644]);
    await expect(host.files.read('/a')).rejects.toThrow('EISDIR');
    await expect(host.files.remove('/a')).rejects.toThrow('EISDIR');
    await expect(host.files.write('/a/one/two', text(''), { mode: 0o644 })).rejects.toThrow('ENOTDIR');
    await host.files.remove('/a/one');
    await host.files.remove('/a/one');
    expect(await host.files.read('/a/one')).toBeUndefined();
    expect(memory.writes).toEqual([
      { action: 'append', location: '/a/one' },
      { action: 'remove', location: '/a/one' },
    ]);
  });
});

describe('objects in memory', () => {
  test('are merged by apply; what is no longer applied is removed, what others set stays', async () => {
    const cluster = await connect();
    await cluster.apply(configMap({ a: '1', b: '2' }));
    await cluster.patch(config, { data: { other: 'x' } });
    const object = await cluster.apply(configMap({ a: '3' }));
    expect(object.data).toEqual({ a: '3', other: 'x' });
  });

  test('get a new resourceVersion only when something changed', async () => {
    const cluster = await connect();
    const versions = [
      await cluster.apply(configMap({ a: '1' })),
      await cluster.apply(configMap({ a: '1' })),
      await cluster.patch(config, { data: { a: '1' } }),
      await cluster.apply(configMap({ a: '2' })),
    ].map(({ metadata }) => metadata.resourceVersion);
    expect(versions).toEqual(['1', '1', '1', '2']);
  });

  test('are patched by RFC 7386, and not if they changed meanwhile', async () => {
    const cluster = await connect();
    await cluster.create(configMap({ a: '1', b: ['x', 'y'] }));
    const patched = await cluster.patch(config, { data: { a: null, b: ['z'] } }, { resourceVersion: '1' });
    expect(patched.data).toEqual({ b: ['z'] });
    await expect(cluster.patch(config, {}, { resourceVersion: '1' })).rejects.toMatchObject({
      code: 'CLUSTER_CONFLICT',
    });
    await expect(cluster.create(configMap({}))).rejects.toMatchObject({ code: 'CLUSTER_ALREADY_EXISTS' });
  });

  test('encode what a Secret says as text', async () => {
    const cluster = await connect();
    const secret = await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'x' },
    });
    expect(secret).toMatchObject({ data: { a: 'eA==' } });
    expect(secret).not.toHaveProperty('stringData');
  });

  test.each([
    { query: { labelSelector: 'role=a' }, names: ['c'] },
    { query: { labelSelector: 'role!=a' }, names: [] },
    { query: { labelSelector: 'role,!other' }, names: ['c'] },
    { query: { fieldSelector: 'metadata.name=c' }, names: ['c'] },
    { query: { fieldSelector: 'metadata.name=d' }, names: [] },
    { query: { namespace: 'other' }, names: [] },
  ])('are listed by $query', async ({ query, names }) => {
    const cluster = await connect();
    await cluster.apply(configMap({}, { role: 'a' }));
    const found = await cluster.list({ apiVersion: 'v1', kind: 'ConfigMap', ...query });
    expect(found.map(({ metadata }) => metadata.name)).toEqual(names);
  });

  test('are watched: first what is there, then every change, until the signal', async () => {
    const cluster = await connect();
    await cluster.apply(configMap({ a: '1' }));
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { type, object } of cluster.watch({ apiVersion: 'v1', kind: 'ConfigMap' }, controller)) {
      seen.push(`${type} ${(object.data as { a: string }).a}`);
      if (seen.length === 1) {
        await cluster.apply(configMap({ a: '1' }));
        await cluster.apply(configMap({ a: '2' }));
      }
      if (seen.length === 2) await cluster.delete(config);
      if (seen.length === 3) controller.abort();
    }
    expect(seen).toEqual(['ADDED 1', 'MODIFIED 2', 'DELETED 2']);
  });

  test('are out of reach while the API server refuses', async () => {
    const ports = memoryPorts({
      apiRefusal: ({ server }, { notes }) => (notes.has('up') ? undefined : `no one at ${server}`),
    });
    const cluster = await ports.clusters.connect({ kubeconfig: 'k', server: 'https://192.0.2.1', timeoutMs: 1 });
    await expect(cluster.get(config)).rejects.toMatchObject({
      code: 'CLUSTER_UNAVAILABLE',
      message: expect.stringContaining('https://192.0.2.1'),
    });
    expect(await cluster.probe('/livez', { timeoutMs: 1 })).toEqual({ text: 'no one at https://192.0.2.1' });
    ports.memory.notes.set('up', true);
    expect(await cluster.get(config)).toBeUndefined();
  });
});

describe('a world in memory', () => {
  test('restarts services later than their files, and tells a hook', async () => {
    const restarted: string[] = [];
    const { host, memory } = memoryPorts({ onRestart: (unit) => void restarted.push(unit) });
    await host.files.write('/a', text(''), { mode: 0o644 });
    await host.services.restart('kubelet');
    const [status, file] = [await host.services.status('kubelet'), await host.files.status('/a')];
    expect(status).toMatchObject({ exists: true, enabled: true, active: true });
    expect(status.startedMs).toBeGreaterThan(file?.modifiedMs ?? Number.POSITIVE_INFINITY);
    expect(restarted).toEqual(['kubelet']);
    await host.services.stop('kubelet');
    expect(memory.unit('kubelet')).toMatchObject({ active: false });
    await expect(host.services.restart('other')).rejects.toThrow('not found');
    expect(await host.services.status('other')).toMatchObject({ exists: false });
  });

  test('has a clock that moves only by sleep', async () => {
    const { clock } = memoryPorts({ startMs: 1_000 });
    await clock.sleep(500);
    expect([clock.now().getTime(), clock.monotonicMs()]).toEqual([1_500, 1_500]);
    await expect(clock.sleep(1, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(clock.monotonicMs()).toBe(1_500);
  });

  test('has entropy and keys that its seed decides', async () => {
    const bytes = (seed: number) => [...memoryPorts({ seed }).entropy.bytes(8)];
    expect(bytes(1)).toEqual(bytes(1));
    expect(bytes(1)).not.toEqual(bytes(2));
    const key = async (seed: number) =>
      (await memoryPorts({ seed }).signer.issue([{ name: 'x', algorithm: 'RSA-2048' }])[0])?.key;
    expect(await key(1)).toBe(await key(1));
    expect(await key(1)).not.toBe(await key(2));
  });

  test('is put back by a snapshot', async () => {
    const { host, memory, clusters, entropy, runtime } = memoryPorts({ files: { '/a': 'before' } });
    const snapshot = memory.snapshot();
    const random = entropy.bytes(4);
    await host.files.write('/a', text('after'), { mode: 0o600 });
    await host.services.restart('kubelet');
    await (await clusters.connect({ kubeconfig: 'k', timeoutMs: 1 })).apply(configMap({}));
    await runtime.pullImage('image');
    memory.notes.set('note', true);
    memory.restore(snapshot);
    expect([memory.text('/a'), memory.mode('/a')]).toEqual(['before', 0o644]);
    expect(memory.unit('kubelet')?.active).toBe(false);
    expect(memory.objects()).toEqual([]);
    expect(await runtime.imageExists('image')).toBe(false);
    expect(memory.notes.size).toBe(0);
    expect(entropy.bytes(4)).toEqual(random);
  });

  test.each([
    { when: 'before', how: 'fail', there: ['/one', '/three'], alive: true },
    { when: 'after', how: 'fail', there: ['/one', '/three', '/two'], alive: true },
    { when: 'before', how: 'kill', there: ['/one'], alive: false },
    { when: 'after', how: 'kill', there: ['/one', '/two'], alive: false },
  ] as const)('can $how $when a change', async ({ when, how, there, alive }) => {
    const { host, memory, clock } = memoryPorts();
    memory.failAt(2, { when, how });
    const write = (path: string) => host.files.write(path, text(''), { mode: 0o644 });
    const results = [];
    for (const path of ['/one', '/two', '/three'])
      results.push(
        await write(path).then(
          () => 'ok',
          (error: Error) => error.name,
        ),
      );
    expect(results).toEqual(['ok', 'KilledError', alive ? 'ok' : 'KilledError']);
    expect(memory.paths()).toEqual(there);
    const sleeping = await clock.sleep(1).then(
      () => 'ok',
      () => 'dead',
    );
    expect(sleeping).toBe(alive ? 'ok' : 'dead');
    memory.revive();
    await write('/four');
    expect(memory.paths()).toContain('/four');
  });
});
