import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Runtime } from '@groundplane/phases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { criServer } from '../test/cri-server.ts';
import { pauseImage } from '../test/pause-image.ts';
import { criRuntime } from './cri-runtime.ts';

const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
/** Image of the sandboxes, which the test makes. */
const pause = 'example.invalid/pause:1';
const program = (name: string): string => join(components, name);

describe('the real containerd', () => {
  let directory: string;
  let socket: string;
  let containerd: ChildProcess;
  let runtime: Runtime;

  /** What crictl tells about the same thing. */
  const crictlText = (...args: readonly string[]): string =>
    execFileSync(program('crictl'), ['-r', `unix://${socket}`, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const crictl = (...args: readonly string[]) => JSON.parse(crictlText(...args));

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'groundplane-containerd-'));
    socket = join(directory, 'containerd.sock');
    const config = join(directory, 'config.toml');
    writeFileSync(
      config,
      [
        'version = 3',
        `root = "${directory}/root"`,
        `state = "${directory}/state"`,
        `[grpc]\naddress = "${socket}"`,
        `[plugins.'io.containerd.cri.v1.images'.pinned_images]\nsandbox = "${pause}"`,
        // A host that may not lower OOM scores would refuse every sandbox.
        "[plugins.'io.containerd.cri.v1.runtime']\nrestrict_oom_score_adj = true",
        `[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dirs = ["${directory}/bin"]\nconf_dir = "${directory}/net.d"`,
      ].join('\n'),
    );
    const log = openSync(join(directory, 'log'), 'a');
    containerd = spawn(program('containerd'), ['--config', config], {
      stdio: ['ignore', log, log],
      // The shim is beside it.
      env: { ...process.env, PATH: `${components}:${process.env.PATH}` },
    });
    for (let tries = 0; tries < 100 && !existsSync(socket); tries += 1) await delay(100);
    if (!existsSync(socket)) throw new Error(readFileSync(join(directory, 'log'), 'utf8'));
    runtime = criRuntime({ socket: `unix://${socket}`, readTail: async () => undefined });
  });

  afterAll(async () => {
    const ended = new Promise((resolve) => containerd.once('exit', resolve));
    containerd.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });

  it('tells its version as to crictl', async () => {
    const text = crictlText('version');
    const field = (name: string): string | undefined => new RegExp(`^${name}:\\s+(\\S+)$`, 'm').exec(text)?.[1];
    expect(await runtime.version()).toEqual({
      name: field('RuntimeName'),
      version: field('RuntimeVersion'),
      apiVersion: field('RuntimeApiVersion'),
    });
  });

  it('tells its conditions and its cgroup driver as to crictl', async () => {
    const conditions = await runtime.status();
    expect(conditions).toEqual(crictl('info').status.conditions);
    expect(conditions.map(({ type, status }) => [type, status])).toEqual(
      expect.arrayContaining([
        ['RuntimeReady', true],
        ['NetworkReady', false],
      ]),
    );
    expect(crictlText('runtime-config').toLowerCase()).toMatch(
      new RegExp(`^cgroup driver: +${await runtime.cgroupDriver()}$`, 'm'),
    );
  });

  it('lists pod sandboxes as crictl does, and removes them', async () => {
    const archive = pauseImage(program('pause'), pause, directory);
    execFileSync(program('ctr'), ['-a', socket, '-n', 'k8s.io', 'images', 'import', archive], { stdio: 'ignore' });
    const run = (name: string, namespace: string) => {
      const file = join(directory, `${name}.json`);
      const options = { namespace_options: { network: 2, pid: 1, ipc: 2 } };
      const metadata = { name, namespace, uid: name, attempt: 0 };
      writeFileSync(file, JSON.stringify({ metadata, log_directory: directory, linux: { security_context: options } }));
      return crictlText('runp', file).trim();
    };
    const ids = [run('other', 'default'), run('etcd-n1', 'kube-system')];
    crictlText('stopp', ids[0] ?? '');
    const described = (
      items: readonly { id: string; metadata: { name: string; namespace: string }; state: string }[],
    ) =>
      items.map(({ id, metadata: { name, namespace }, state }) => ({
        id,
        name,
        namespace,
        ready: state === 'SANDBOX_READY',
      }));
    const listed = await runtime.sandboxes();
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect([...listed].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      described(crictl('pods', '-o', 'json').items).sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const id of ids) await runtime.removeSandbox(id);
    expect(crictl('pods', '-o', 'json').items).toEqual([]);
    await runtime.removeSandbox(ids[0] ?? '');
  });

  it('has no image and no container', async () => {
    expect(await runtime.imageExists('registry.k8s.io/pause:3.10')).toBe(false);
    expect(await runtime.containers('kube-system')).toEqual([]);
  });

  it('says why an image cannot be pulled', async () => {
    await expect(runtime.pullImage('127.0.0.1:1/pause:3.10')).rejects.toMatchObject({
      code: 'RUNTIME_PULL_FAILED',
      message: expect.stringContaining('connection refused'),
    });
  });
});

// crictl has the whole definition of the CRI: what it reads in our messages is what our part of it says.
describe('our messages, read by crictl', () => {
  it('mean what we mean', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'groundplane-crictl-'));
    const socket = join(directory, 'cri.sock');
    const filters: unknown[] = [];
    const labels = {
      'io.kubernetes.pod.namespace': 'kube-system',
      'io.kubernetes.pod.name': 'etcd-n1',
      'io.kubernetes.container.name': 'etcd',
    };
    const server = await criServer(socket, {
      version: () => ({ version: '0.1.0', runtimeName: 'test', runtimeVersion: '1', runtimeApiVersion: 'v1' }),
      listPodSandbox: () => ({
        items: [{ id: 'p1', metadata: { name: 'etcd-n1', uid: 'u1', namespace: 'kube-system', attempt: 2 }, state: 1 }],
      }),
      listContainers: ({ filter }) => {
        filters.push({ id: filter?.id, labels: filter?.labelSelector });
        return {
          containers: [
            {
              id: 'c1',
              podSandboxId: 'p1',
              metadata: { name: 'etcd', attempt: 3 },
              state: 2,
              createdAt: 1_700_000_000_000_000_001n,
              labels,
            },
          ],
        };
      },
      containerStatus: ({ containerId }) => ({
        status: {
          id: containerId,
          metadata: { name: 'etcd', attempt: 3 },
          state: 2,
          createdAt: 1_700_000_000_000_000_001n,
          image: { image: 'registry.k8s.io/etcd:1' },
          imageRef: 'sha256:1',
          finishedAt: 1_700_000_000_000_000_002n,
          exitCode: 137,
          reason: 'OOMKilled',
          message: 'out of memory',
          logPath: '/var/log/pods/etcd/3.log',
        },
      }),
      imageStatus: ({ image }) => ({ image: { id: `sha256:${image?.image}`, size: 1n } }),
    });
    const crictl = async (...args: readonly string[]) => {
      const { stdout } = await promisify(execFile)(program('crictl'), [
        '-r',
        `unix://${socket}`,
        '-i',
        `unix://${socket}`,
        ...args,
      ]);
      return JSON.parse(stdout);
    };
    try {
      const listed = await crictl('ps', '-a', '--label', 'io.kubernetes.pod.namespace=kube-system', '-o', 'json');
      expect(listed.containers).toEqual([
        expect.objectContaining({
          id: 'c1',
          podSandboxId: 'p1',
          metadata: expect.objectContaining({ name: 'etcd', attempt: 3 }),
          state: 'CONTAINER_EXITED',
          createdAt: '1700000000000000001',
          labels,
        }),
      ]);
      expect(filters).toContainEqual({ id: '', labels: { 'io.kubernetes.pod.namespace': 'kube-system' } });
      expect((await crictl('pods', '-o', 'json')).items).toEqual([
        expect.objectContaining({
          id: 'p1',
          metadata: { name: 'etcd-n1', uid: 'u1', namespace: 'kube-system', attempt: 2 },
          state: 'SANDBOX_NOTREADY',
        }),
      ]);
      const inspected = await crictl('inspect', '-o', 'json', 'c1');
      expect(inspected.status).toMatchObject({
        id: 'c1',
        state: 'CONTAINER_EXITED',
        exitCode: 137,
        reason: 'OOMKilled',
        message: 'out of memory',
        logPath: '/var/log/pods/etcd/3.log',
      });
      expect(Date.parse(inspected.status.finishedAt)).toBe(1_700_000_000_000);
      const image = await crictl('inspecti', '-o', 'json', 'registry.k8s.io/pause:3.10');
      expect(image.status.id).toBe('sha256:registry.k8s.io/pause:3.10');
    } finally {
      server.stop();
      rmSync(directory, { recursive: true });
    }
  });
});
