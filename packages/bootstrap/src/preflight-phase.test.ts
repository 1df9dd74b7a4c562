import { type Event, type ProbeResult, verifyWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld, kernelFiles } from '../test/init-world.ts';
import { type InitContext, initWorkflow } from './index.ts';

const selection = { only: ['preflight'] };
const manifests = '/etc/kubernetes/manifests';

/** Names of the checks that stop the run. */
async function failures(ports: MemoryPorts, config: InitContext): Promise<readonly string[]> {
  const { error } = await run(ports, config, selection);
  return error?.findings.map(({ artifact }) => artifact) ?? [];
}

function warnings(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'finding' && event.finding.severity === 'warning' ? [event.finding.artifact] : [],
  );
}

describe('the machine', () => {
  test('that can be a node passes, and gets the images', async () => {
    const { error, changes, events } = await run(initWorld(), await initContext(), selection);
    expect(error).toBeUndefined();
    expect(changes).toHaveLength(7);
    expect(changes).toContain('pull registry.k8s.io/kube-apiserver:v1.37.2');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'progress', message: 'Pulled registry.k8s.io/kube-apiserver:v1.37.2' }),
    );
  });

  test('that lacks several things is told all of them, and nothing is pulled', async () => {
    const ports = initWorld({
      facts: {
        cpus: async () => 1,
        memoryMiB: async () => 512,
        kernelFile: async (path) => (path === '/proc/sys/net/ipv4/ip_forward' ? '0\n' : kernelFiles[path]),
        program: async (name) => (name === 'losetup' ? undefined : `/bin/${name}`),
      },
    });
    const { error, changes } = await run(ports, await initContext(), selection);
    expect(error).toMatchObject({ code: 'BOOTSTRAP_PREFLIGHT_FAILED', kind: 'conflict' });
    expect(error?.findings.map(({ artifact }) => artifact)).toEqual([
      'NumCPU',
      'Mem',
      'FileExisting-losetup',
      'FileContent--proc-sys-net-ipv4-ip_forward',
    ]);
    expect(error?.hint).toContain('--ignore-preflight-errors=');
    expect(changes).toEqual([]);
  });

  test('is taken as it is where its faults are ignored', async () => {
    const ports = initWorld({ facts: { cpus: async () => 1 } });
    const config = await initContext({ init: '  ignorePreflightErrors: [NumCPU]\n' });
    const { error, events } = await run(ports, config, selection);
    expect(error).toBeUndefined();
    expect(warnings(events)).toEqual(['NumCPU']);
  });

  test('whose user is not root is told only that', async () => {
    const ports = initWorld({ facts: { uid: () => 1000, cpus: async () => 1 } });
    expect(await failures(ports, await initContext())).toEqual(['IsPrivilegedUser']);
  });

  test.each([
    ['root', { uid: 0, cpus: 2 }, 'valid', [], []],
    ['root, of a small machine', { uid: 0, cpus: 1 }, 'invalid', ['NumCPU'], []],
    ['others', { uid: 1000, cpus: 2 }, 'unknown', [], ['IsPrivilegedUser', 'CRI', 'ContainerRuntimeVersion']],
    [
      'others, of a small machine',
      { uid: 1000, cpus: 1 },
      'invalid',
      ['NumCPU'],
      ['IsPrivilegedUser', 'CRI', 'ContainerRuntimeVersion'],
    ],
  ])('is judged for %s', async (_, { uid, cpus }, verdict, errors, unseen) => {
    const denied = async () => Promise.reject(new Error('connect EACCES /run/containerd/containerd.sock'));
    const ports = initWorld({
      facts: { uid: () => uid, cpus: async () => cpus },
      runtime: uid === 0 ? { imageExists: async () => true } : { version: denied, imageExists: denied },
    });
    const config = await initContext();
    const [judged] = await verifyWorkflow({ workflow: initWorkflow, config, ports, selection });
    expect(judged?.verdict).toBe(verdict);
    expect(judged?.findings.filter(({ severity }) => severity === 'error').map(({ artifact }) => artifact)).toEqual(
      errors,
    );
    expect(judged?.unseen.map(({ location }) => location)).toEqual(unseen);
    expect(ports.memory.writes).toEqual([]);
  });

  test('without a runtime is told so', async () => {
    const version = async () => Promise.reject(new Error('connect ENOENT'));
    const ports = initWorld({ runtime: { version } });
    expect(await failures(ports, await initContext())).toEqual(['CRI', 'ContainerRuntimeVersion']);
  });

  test('without a runtime, and ignored so, is told that images could not be pulled', async () => {
    const broken = async () => Promise.reject(new Error('connect ENOENT'));
    const runtime = { version: broken, imageExists: broken, pullImage: broken };
    const config = await initContext({ init: '  ignorePreflightErrors: [all]\n' });
    const { error, events } = await run(initWorld({ runtime }), config, selection);
    expect(error).toBeUndefined();
    expect(new Set(warnings(events))).toEqual(new Set(['CRI', 'ContainerRuntimeVersion', 'ImagePull']));
  });

  test('is told that a name to ignore is none', async () => {
    const config = await initContext({ init: '  ignorePreflightErrors: [NumCPUs, swap, Port-1]\n' });
    const { events } = await run(initWorld(), config, selection);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'finding',
        finding: expect.objectContaining({
          code: 'PREFLIGHT_NAME_UNKNOWN',
          message: expect.stringContaining('"numcpus"'),
        }),
      }),
    );
    expect(warnings(events)).toEqual(['ignore-preflight-errors']);
  });
});

describe('the build configuration of the kernel', () => {
  const { '/proc/config.gz': shown, ...others } = kernelFiles;

  /** A machine whose kernel shows its configuration only while a module is loaded. */
  function machine(loads: boolean) {
    const calls: string[] = [];
    let loaded = false;
    const ports = initWorld({
      facts: {
        kernelFile: async (path) => (path === '/proc/config.gz' && loaded ? shown : others[path]),
        output: async (program, args) => {
          if (program !== 'modprobe') return { code: 0, stdout: 'Kubernetes v1.37.2\n', stderr: '' };
          calls.push(args.join(' '));
          if (!loads) return { code: 1, stdout: '', stderr: 'modprobe: FATAL: Module configs not found\n' };
          loaded = args[0] !== '-r';
          return { code: 0, stdout: '', stderr: '' };
        },
      },
    });
    return { ports, calls };
  }

  test('is shown for the moment by a module', async () => {
    const { ports, calls } = machine(true);
    expect(await failures(ports, await initContext())).toEqual([]);
    expect(calls.length % 2).toBe(0);
    expect(calls.slice(0, 2)).toEqual(['configs', '-r configs']);
  });

  test('is missing where there is no such module', async () => {
    const { ports, calls } = machine(false);
    const { error } = await run(ports, await initContext(), selection);
    expect(error?.findings).toMatchObject([
      {
        artifact: 'SystemVerification',
        message:
          'failed to parse kernel config: unable to load kernel module: "configs", output: "modprobe: FATAL: Module configs not found"',
      },
    ]);
    expect(calls).not.toContain('-r configs');
  });
});

describe('external etcd', () => {
  const cluster = `etcd:
  external:
    endpoints: ["https://etcd.example.com:2379/"]
    caFile: /etc/etcd/ca.crt
    certFile: /etc/etcd/client.crt
    keyFile: /etc/etcd/client.key
`;
  const files: Readonly<Record<string, string>> = {
    ...kernelFiles,
    '/etc/etcd/ca.crt': 'authority',
    '/etc/etcd/client.crt': 'certificate',
    '/etc/etcd/client.key': 'key',
  };
  const world = (probe: (url: string) => ProbeResult, kernelFile = async (path: string) => files[path]) =>
    initWorld({ externalEtcd: true, probe, facts: { kernelFile } });

  test('of a new version passes', async () => {
    const urls: string[] = [];
    const ports = world((url) => {
      urls.push(url);
      return { status: 200, text: '{"etcdserver":"3.6.8","etcdcluster":"3.6.0"}' };
    });
    expect(await failures(ports, await initContext({ cluster }))).toEqual([]);
    expect(new Set(urls)).toEqual(new Set(['https://etcd.example.com:2379/version']));
  });

  test.each<[string, ProbeResult, string, number]>([
    ['of an old version', { status: 200, text: '{"etcdserver":"3.5.9"}' }, 'Current version of', 0],
    ['that is something else', { status: 404, text: '<html>' }, 'no JSON document', 0],
    ['that cannot answer', { status: 503, text: '' }, 'non-successful status: 503', 15_000],
    ['that does not answer', { text: 'connect ECONNREFUSED' }, 'connect ECONNREFUSED', 15_000],
  ])('%s stops', async (_name, answer, reason, waitedMs) => {
    const ports = world(() => answer);
    const start = ports.clock.monotonicMs();
    const { error } = await run(ports, await initContext({ cluster }), selection);
    expect(error?.findings).toMatchObject([
      { artifact: 'ExternalEtcdVersion', message: expect.stringContaining(reason) },
    ]);
    expect(ports.clock.monotonicMs() - start).toBe(waitedMs);
  });

  test('whose files are missing stops, for each of them', async () => {
    const ports = world(
      () => ({ status: 200, text: '{"etcdserver":"3.6.8"}' }),
      async (path) => kernelFiles[path],
    );
    const { error } = await run(ports, await initContext({ cluster }), selection);
    expect(error?.findings.map(({ artifact }) => artifact)).toEqual([
      'ExternalEtcdVersion',
      ...Array.from({ length: 3 }, () => 'ExternalEtcdClientCertificates'),
    ]);
  });
});

describe('what is there already', () => {
  const manifestCheck = (name: string) => `FileAvailable--etc-kubernetes-manifests-${name}.yaml`;

  test('our own running control plane is no obstacle', async () => {
    const ports = initWorld();
    const config = await initContext();
    expect((await run(ports, config)).error).toBeUndefined();
    ports.memory.put('/var/lib/etcd/member/wal', 'x');
    expect(await failures(ports, config)).toEqual([]);
  });

  test('a manifest of somebody else is one, with the ports and the data of its component', async () => {
    const ports = initWorld();
    const config = await initContext();
    await run(ports, config);
    ports.memory.put('/var/lib/etcd/member/wal', 'x');
    ports.memory.put(`${manifests}/etcd.yaml`, { content: 'kind: Pod\nmetadata: {name: etcd}\n', mode: 0o600 });
    expect(await failures(ports, config)).toEqual([
      manifestCheck('etcd'),
      'Port-2379',
      'Port-2380',
      'DirAvailable--var-lib-etcd',
    ]);
  });

  test.each([
    ['kube-apiserver', 'Port-6443'],
    ['kube-controller-manager', 'Port-10257'],
    ['kube-scheduler', 'Port-10259'],
  ])('the manifest of %s and its port belong together', async (name, port) => {
    const ports = initWorld();
    const config = await initContext();
    await run(ports, config);
    const path = `${manifests}/${name}.yaml`;
    ports.memory.put(path, { content: (ports.memory.text(path) ?? '').replace('v1.37.2', 'v1.37.1'), mode: 0o600 });
    expect(await failures(ports, config)).toEqual(expect.arrayContaining([manifestCheck(name), port]));
    expect(await failures(ports, config)).toHaveLength(2);
  });

  test('a port that a stranger holds is one, although nothing else is there', async () => {
    const ports = initWorld({ facts: { canListen: async (port) => port !== 10250 } });
    expect(await failures(ports, await initContext())).toEqual(['Port-10250']);
    ports.memory.putUnit('kubelet', { active: true });
    expect(await failures(ports, await initContext())).toEqual(['Port-10250']);
  });

  test('the port of this node’s kubelet is none, if one of its files is there', async () => {
    const ports = initWorld({ facts: { canListen: async (port) => port !== 10250 } });
    const config = await initContext();
    await run(ports, config, { only: ['kubelet-start'] });
    expect(await failures(ports, config)).toEqual([]);
    ports.memory.putUnit('kubelet', { active: false });
    expect(await failures(ports, config)).toEqual(['Port-10250']);
  });
});

describe('images', () => {
  const broken = async () => Promise.reject(new Error('no route to registry'));

  test('that cannot be pulled are named', async () => {
    const pullImage = async (image: string) => {
      if (!image.includes('etcd')) return;
      throw new Error('no route to registry');
    };
    const { error } = await run(initWorld({ runtime: { pullImage } }), await initContext(), selection);
    expect(error).toMatchObject({
      code: 'BOOTSTRAP_PREFLIGHT_FAILED',
      findings: [
        {
          artifact: 'ImagePull',
          message: expect.stringMatching(/^failed to pull image registry\.k8s\.io\/etcd:.*: no route to registry$/),
        },
      ],
    });
  });

  test('that cannot be pulled are warnings where that is ignored', async () => {
    const config = await initContext({ init: '  ignorePreflightErrors: [ImagePull]\n' });
    const { error, events } = await run(initWorld({ runtime: { pullImage: broken } }), config, selection);
    expect(error).toBeUndefined();
    expect(new Set(warnings(events))).toEqual(new Set(['ImagePull']));
  });

  test('are pulled although what fails is ignored', async () => {
    const config = await initContext({ init: '  ignorePreflightErrors: [all]\n' });
    const { changes } = await run(initWorld(), config, selection);
    expect(changes).toHaveLength(7);
  });

  test('are left to somebody else by the policy Never', async () => {
    const config = await initContext({ init: '  imagePullPolicy: Never\n' });
    const { error, changes } = await run(initWorld({ runtime: { pullImage: broken } }), config, selection);
    expect(error).toBeUndefined();
    expect(changes).toEqual([]);
  });

  test('are pulled again by the policy Always, and at the same time if so configured', async () => {
    const config = await initContext({ init: '  imagePullPolicy: Always\n  imagePullSerial: false\n' });
    let running = 0;
    let most = 0;
    const pullImage = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const ports = initWorld({ runtime: { pullImage, imageExists: async () => true } });
    expect((await run(ports, config, selection)).error).toBeUndefined();
    expect(most).toBe(7);
  });
});
