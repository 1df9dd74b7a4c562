import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answers, criServer, Refusal } from '../test/cri-server.ts';
import { criRuntime } from './cri-runtime.ts';

let directory: string;
let socket: string;
let stop: (() => void) | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-cri-'));
  socket = join(directory, 'cri.sock');
});

afterEach(() => {
  stop?.();
  rmSync(directory, { recursive: true });
});

async function serve(answers: Answers): Promise<void> {
  stop = (await criServer(socket, answers)).stop;
}

const runtime = (readTail: (path: string, bytes: number) => Promise<string | undefined> = async () => undefined) =>
  criRuntime({ socket: `unix://${socket}`, readTail });

const labels = (pod: string, name: string) => ({
  'io.kubernetes.pod.namespace': 'kube-system',
  'io.kubernetes.pod.name': pod,
  'io.kubernetes.container.name': name,
});

describe('cgroupDriver', () => {
  it.each([
    { name: 'systemd', answer: () => ({ linux: { cgroupDriver: 0 } }), expected: 'systemd' },
    { name: 'cgroupfs', answer: () => ({ linux: { cgroupDriver: 1 } }), expected: 'cgroupfs' },
    { name: 'nothing about Linux', answer: () => ({}), expected: undefined },
    {
      name: 'unimplemented',
      answer: () => {
        throw new Refusal('UNIMPLEMENTED', 'unknown method RuntimeConfig');
      },
      expected: undefined,
    },
  ])('is $expected where the runtime says $name', async ({ answer, expected }) => {
    await serve({ runtimeConfig: answer });
    expect(await runtime().cgroupDriver()).toBe(expected);
  });
});

describe('containers', () => {
  it('are the newest of each name, with how they ended', async () => {
    const filters: unknown[] = [];
    const container = (id: string, pod: string, name: string, attempt: number, createdAt: bigint) => ({
      id,
      metadata: { name, attempt },
      createdAt,
      labels: labels(pod, name),
    });
    await serve({
      listContainers: ({ filter }) => {
        filters.push(filter?.labelSelector);
        return {
          containers: [
            container('old', 'kube-apiserver-n1', 'kube-apiserver', 4, 100n),
            container('new', 'kube-apiserver-n1', 'kube-apiserver', 0, 200n),
            container('etcd', 'etcd-n1', 'etcd', 2, 50n),
            container('gone', 'kube-scheduler-n1', 'kube-scheduler', 0, 60n),
          ],
        };
      },
      containerStatus: ({ containerId }) => {
        if (containerId === 'gone') throw new Refusal('NOT_FOUND', 'not found');
        return containerId === 'etcd'
          ? {
              status: {
                id: containerId,
                state: 2,
                exitCode: 0,
                finishedAt: 9n,
                reason: 'Completed',
                logPath: '/var/log/pods/etcd/2.log',
              },
            }
          : { status: { id: containerId, state: 1 } };
      },
    });
    expect(await runtime().containers('kube-system')).toEqual([
      {
        id: 'etcd',
        name: 'etcd',
        pod: 'etcd-n1',
        state: 'exited',
        attempt: 2,
        exitCode: 0,
        reason: 'Completed',
        logPath: '/var/log/pods/etcd/2.log',
      },
      { id: 'new', name: 'kube-apiserver', pod: 'kube-apiserver-n1', state: 'running', attempt: 0 },
    ]);
    expect(filters).toEqual([{ 'io.kubernetes.pod.namespace': 'kube-system' }]);
  });

  it('tell the last lines of their log', async () => {
    const asked: unknown[] = [];
    const readTail = async (path: string, bytes: number) => {
      asked.push([path, bytes > 1000]);
      return ['one', 'two', 'three'].map((text) => `2016-10-06T00:17:09Z stderr F ${text}\n`).join('');
    };
    const container = { id: 'a', name: 'etcd', pod: 'etcd-n1', state: 'exited', attempt: 0 } as const;
    expect(await runtime(readTail).log({ ...container, logPath: '/var/log/a' }, 2)).toEqual(['two', 'three']);
    expect(asked).toEqual([['/var/log/a', true]]);
    expect(await runtime(readTail).log(container, 2)).toEqual([]);
    expect(await runtime().log({ ...container, logPath: '/var/log/a' }, 2)).toEqual([]);
  });
});

describe('pullImage', () => {
  it('is tried five times', async () => {
    let attempts = 0;
    await serve({
      pullImage: () => {
        attempts += 1;
        if (attempts < 5) throw new Refusal('UNKNOWN', 'connection reset');
        return { imageRef: 'sha256:1' };
      },
    });
    await runtime().pullImage('registry.k8s.io/pause:3.10');
    expect(attempts).toBe(5);
  });

  it('says why it failed in the end', async () => {
    await serve({
      pullImage: () => {
        throw new Refusal('UNKNOWN', 'no such host');
      },
    });
    await expect(runtime().pullImage('registry.k8s.io/pause:3.10')).rejects.toMatchObject({
      code: 'RUNTIME_PULL_FAILED',
      message: 'Cannot pull the image registry.k8s.io/pause:3.10 as the container runtime failed 5 times: no such host',
    });
  });

  it('may take longer than other calls', { timeout: 10_000 }, async () => {
    await serve({ pullImage: () => new Promise((resolve) => setTimeout(() => resolve({}), 2500)) });
    await runtime().pullImage('a');
  });
});

describe('imageExists', () => {
  it.each([
    { name: 'an image', answer: { image: { id: 'sha256:1' } }, expected: true },
    { name: 'none', answer: {}, expected: false },
  ])('is $expected for $name', async ({ answer, expected }) => {
    const asked: unknown[] = [];
    await serve({
      imageStatus: ({ image }) => {
        asked.push(image?.image);
        return answer;
      },
    });
    expect(await runtime().imageExists('registry.k8s.io/pause:3.10')).toBe(expected);
    expect(asked).toEqual(['registry.k8s.io/pause:3.10']);
  });
});

describe('a runtime that gives no answer', () => {
  it('is unavailable where there is no socket', async () => {
    await expect(runtime().version()).rejects.toMatchObject({
      code: 'RUNTIME_UNAVAILABLE',
      message: `Cannot ask the container runtime for its version as nothing answers on unix://${socket}: connect ENOENT ${socket}`,
    });
  });

  it('is unavailable after two seconds of silence', { timeout: 10_000 }, async () => {
    await serve({ version: () => new Promise(() => undefined) });
    const start = performance.now();
    await expect(runtime().version()).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE', details: { grpcCode: 4 } });
    expect(performance.now() - start).toBeGreaterThan(1900);
    expect(performance.now() - start).toBeLessThan(6000);
  });

  it('is unsupported where it has no CRI v1', async () => {
    await serve({});
    await expect(runtime().status()).rejects.toMatchObject({ code: 'RUNTIME_UNSUPPORTED', kind: 'conflict' });
  });

  it('has failed where it says so', async () => {
    await serve({
      status: () => {
        throw new Refusal('INTERNAL', 'disk full');
      },
    });
    await expect(runtime().status()).rejects.toMatchObject({
      code: 'RUNTIME_FAILED',
      message: expect.stringMatching(/disk full$/),
    });
  });
});

it('does not keep a process alive', async () => {
  await serve({ version: () => ({ runtimeName: 'test', runtimeVersion: '1' }) });
  const child = spawn(process.execPath, [join(import.meta.dirname, '../test/ask-and-end.ts'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect({ code, stdout: Buffer.concat(chunks).toString() }).toEqual({ code: 0, stdout: 'test\n' });
});

describe('sandboxes', () => {
  it('are all there are, whoever made them, by namespace and name', async () => {
    await serve({
      listPodSandbox: () => ({
        items: [
          { id: 'b', metadata: { name: 'etcd-n1', namespace: 'kube-system', uid: '1' }, state: 0 },
          { id: 'c', metadata: { name: 'etcd-n1', namespace: 'kube-system', uid: '2' }, state: 1 },
          { id: 'a' },
        ],
      }),
    });
    expect(await runtime().sandboxes()).toEqual([
      { id: 'a', name: '', namespace: '', ready: true },
      { id: 'b', name: 'etcd-n1', namespace: 'kube-system', ready: true },
      { id: 'c', name: 'etcd-n1', namespace: 'kube-system', ready: false },
    ]);
  });
});

describe('removeSandbox', () => {
  const removal = (fails: (call: 'stop' | 'remove', nth: number) => Refusal | undefined) => {
    const calls: string[] = [];
    const answer = (call: 'stop' | 'remove') => (request: { readonly podSandboxId: string }) => {
      calls.push(`${call} ${request.podSandboxId}`);
      const refusal = fails(call, calls.length);
      if (refusal !== undefined) throw refusal;
      return {};
    };
    return { calls, answers: { stopPodSandbox: answer('stop'), removePodSandbox: answer('remove') } };
  };

  it('stops, then removes', async () => {
    const { calls, answers } = removal(() => undefined);
    await serve(answers);
    await runtime().removeSandbox('a');
    expect(calls).toEqual(['stop a', 'remove a']);
  });

  it('begins again where it failed', async () => {
    const { calls, answers } = removal((_, nth) => (nth <= 2 ? new Refusal('UNKNOWN', 'no network') : undefined));
    await serve(answers);
    await runtime().removeSandbox('a');
    expect(calls).toEqual(['stop a', 'stop a', 'stop a', 'remove a']);
  });

  it('gives up after five attempts with the reason', async () => {
    const { calls, answers } = removal((call) =>
      call === 'remove' ? new Refusal('UNKNOWN', 'still busy') : undefined,
    );
    await serve(answers);
    await expect(runtime().removeSandbox('a')).rejects.toMatchObject({
      code: 'RUNTIME_FAILED',
      message: expect.stringMatching(/^Cannot remove the pod sandbox a as .*still busy$/),
    });
    expect(calls.length).toBe(10);
  });

  it.each(['stop', 'remove'] as const)('is content if it is gone when it comes to %s', async (gone) => {
    const { answers } = removal((call) => (call === gone ? new Refusal('NOT_FOUND', 'no such sandbox') : undefined));
    await serve(answers);
    await expect(runtime().removeSandbox('a')).resolves.toBeUndefined();
  });

  it('does not try again what the runtime does not have', async () => {
    const { calls, answers } = removal(() => new Refusal('UNIMPLEMENTED', 'unknown service'));
    await serve(answers);
    await expect(runtime().removeSandbox('a')).rejects.toMatchObject({ code: 'RUNTIME_UNSUPPORTED' });
    expect(calls.length).toBe(1);
  });
});
