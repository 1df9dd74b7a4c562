import { runWorkflow, type Selection, verifyWorkflow } from '@groundplane/phases';
import { type MemoryPorts, memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { joinRequest, joinWorld, kubeletCertificate } from '../test/join-world.ts';
import { initWorkflow, joinWorkflow, type NodeVerdicts, nodeVerdicts, resolveJoin } from './index.ts';

const other = {
  cluster:
    'clusterName: other\ncertificatesDir: /etc/other-pki\ncontrolPlaneEndpoint: cluster.example.com:8443\nnetworking: {serviceSubnet: 10.200.0.0/16, podSubnet: 10.100.0.0/16, dnsDomain: example.org}\n',
};

async function made(selection: Selection = {}, lines: Parameters<typeof initContext>[0] = other) {
  const ports = initWorld();
  const config = await initContext(lines);
  await runWorkflow({ workflow: initWorkflow, config, ports, selection, actor: 'test' });
  return ports;
}

async function verdictsOf(ports: MemoryPorts, request: Partial<Parameters<typeof nodeVerdicts>[0]> = {}) {
  const before = ports.memory.writes.length;
  const verdicts = await nodeVerdicts({ ports, workflow: 'init', ...request });
  expect(ports.memory.writes.length).toBe(before);
  return verdicts as NodeVerdicts;
}

const not = (verdict: string, { phases }: NodeVerdicts) =>
  phases.filter((phase) => phase.verdict !== verdict && phase.verdict !== 'inapplicable').map(({ phase }) => phase);
const texts = ({ phases }: NodeVerdicts) =>
  phases.flatMap(({ findings }) => findings.map((finding) => JSON.stringify(finding)));

/** A check that every kubeadm makes fails on it. */
const withoutMemoryGroup = {
  cgroups: async () => ({
    version: 2 as const,
    controllers: ['cpu', 'cpuset', 'devices', 'freezer', 'hugetlb', 'io', 'pids'],
  }),
};

describe('a control-plane node with other subnets, names and folders', () => {
  test('is valid by the configuration that its cluster keeps', async () => {
    const verdicts = await verdictsOf(await made());
    expect(verdicts).toMatchObject({ node: 'node-a', configuration: 'cluster' });
    expect(not('valid', verdicts)).toEqual([]);
    expect(texts(verdicts)).toEqual([]);
  });

  test('is valid by what is on it, and nobody is told to reset it or to write it anew', async () => {
    const ports = await made();
    ports.memory.putUnit('kubelet', { active: false });
    const verdicts = await verdictsOf(ports);
    expect(verdicts.configuration).toBe('node');
    const files = verdicts.phases.filter(({ phase }) =>
      /^(preflight$|certs|kubeconfig|etcd|control-plane)/.test(phase),
    );
    expect(files.map(({ phase, verdict }) => `${phase} ${verdict}`)).toEqual(
      files.map(({ phase }) => `${phase} valid`),
    );
    expect(files).toHaveLength(21);
    expect(verdicts.phases.find(({ phase }) => phase === 'addon/coredns')?.verdict).toBe('unknown');
    expect(texts(verdicts).join('\n')).not.toMatch(/reset/);
  });

  test.each<[string, (ports: MemoryPorts) => void, RegExp]>([
    [
      'its names',
      ({ memory }) => {
        for (const path of memory.paths().filter((path) => /manifests|\.conf$/.test(path))) memory.remove(path);
      },
      /give --config/,
    ],
  ])('is unknown where nothing tells %s', async (_, change, reason) => {
    const ports = await made(
      { only: ['certs', 'kubeconfig'] },
      { cluster: other.cluster.replace(/certificatesDir.*\n/, '') },
    );
    change(ports);
    const verdicts = await verdictsOf(ports, { phase: 'certs/apiserver' });
    expect(verdicts.phases).toMatchObject([
      { verdict: 'unknown', unseen: [{ reason: expect.stringMatching(reason) }] },
    ]);
  });

  test('that is broken is not valid, and the way to mend it goes by its configuration', async () => {
    const ports = await made();
    ports.memory.remove('/etc/other-pki/apiserver.crt');
    const verdicts = await verdictsOf(ports, { phase: 'certs/apiserver' });
    expect(verdicts.phases).toMatchObject([
      {
        verdict: 'invalid',
        findings: [{ hint: expect.stringContaining('with the configuration that it was begun with: --config FILE') }],
      },
    ]);
  });

  test('can do without super-admin.conf, which is to be moved away', async () => {
    const ports = await made();
    ports.memory.remove('/etc/kubernetes/super-admin.conf');
    const verdicts = await verdictsOf(ports);
    expect(not('valid', verdicts)).toEqual([]);
    expect(texts(verdicts)).toEqual([expect.stringContaining('"severity":"warning"')]);
  });

  test('that was made although its machine does not fit is warned of', async () => {
    const ports = initWorld({ facts: withoutMemoryGroup });
    const config = { ...(await initContext(other)), ignorePreflightErrors: ['all'] };
    await runWorkflow({ workflow: initWorkflow, config, ports, actor: 'test' });
    const verdicts = await verdictsOf(ports);
    expect(not('valid', verdicts)).toEqual([]);
    expect(verdicts.phases.find(({ phase }) => phase === 'preflight')?.findings).toMatchObject([
      {
        severity: 'warning',
        artifact: 'SystemVerification',
        message: expect.stringMatching(/ \(the node was made nevertheless\)$/),
      },
    ]);
    // The same by a configuration that somebody gives, and that says nothing of it.
    const phases = await verifyWorkflow({ workflow: initWorkflow, config: await initContext(other), ports });
    expect(not('valid', { ...verdicts, phases })).toEqual([]);
  });

  test('that is yet to be begun is held to the machine', async () => {
    const ports = initWorld({ facts: withoutMemoryGroup });
    const config = await initContext();
    await runWorkflow({ workflow: initWorkflow, config, ports, selection: { only: ['certs'] }, actor: 'test' });
    expect((await verdictsOf(ports, { phase: 'preflight' })).phases).toMatchObject([{ verdict: 'invalid' }]);
  });

  test('is held to what is not skipped', async () => {
    const { phases } = await verdictsOf(await made(), { flags: { 'skip-phases': ['addon', 'preflight'] } });
    expect(phases.map(({ phase }) => phase)).not.toContain('addon/coredns');
    expect(phases.map(({ phase }) => phase)).toContain('certs/ca');
  });
});

test('a server that does not answer is waited for once', async () => {
  const ports = await made();
  const asked: string[] = [];
  const clusters: MemoryPorts['clusters'] = {
    connect: async (options) => ({
      ...(await ports.clusters.connect(options)),
      probe: async (path) => {
        asked.push(path);
        return { text: 'no answer within 2 s' };
      },
      get: () => Promise.reject(new TypeError('asked in vain')),
      list: () => Promise.reject(new TypeError('asked in vain')),
    }),
  };
  await nodeVerdicts({ ports: { ...ports, clusters }, workflow: 'init' });
  // By the endpoint of the cluster, and by the address of this node.
  expect(asked).toEqual(['/version', expect.any(String)]);
});

describe('a worker', () => {
  async function joined() {
    const ports = joinWorld({ certificate: await kubeletCertificate() });
    const { context } = await resolveJoin(await joinRequest(ports));
    await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
    return { ports, context };
  }

  test('is valid, whatever its cluster is like', async () => {
    const { ports } = await joined();
    const verdicts = await verdictsOf(ports, { workflow: 'join' });
    expect(verdicts.configuration).toBe('node');
    expect(not('valid', verdicts)).toEqual([]);
  });

  test('whose machine does not fit is warned of, by any configuration', async () => {
    const { ports, context } = await joined();
    const host = { ...ports.host, facts: { ...ports.host.facts, ...withoutMemoryGroup } };
    const phases = await verifyWorkflow({ workflow: joinWorkflow, config: context, ports: { ...ports, host } });
    expect(phases.find(({ phase }) => phase === 'preflight')).toMatchObject({
      verdict: 'valid',
      findings: [{ severity: 'warning', artifact: 'SystemVerification' }],
    });
  });
});

test('a machine that is no node tells nothing', async () => {
  expect(await nodeVerdicts({ ports: memoryPorts(), workflow: 'init' })).toBeUndefined();
});

describe('where the configuration is assumed', () => {
  const hide = (ports: MemoryPorts, isHidden: (path: string) => boolean): MemoryPorts => {
    const denied =
      <A extends readonly unknown[], R>(call: (path: string, ...rest: A) => Promise<R>) =>
      async (path: string, ...rest: A): Promise<R> => {
        if (isHidden(path))
          throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
        return call(path, ...rest);
      };
    const { files } = ports.host;
    const limited = { ...files, read: denied(files.read), list: denied(files.list) };
    return { ...ports, host: { ...ports.host, files: limited } };
  };
  const errors = ({ phases }: NodeVerdicts) =>
    phases.flatMap(({ phase, findings }) =>
      findings
        .filter(({ severity }) => severity === 'error')
        .map(({ code, artifact }) => `${phase} ${code} ${artifact}`),
    );

  test('nothing is unknown and wrong at once: an ordinary user on a finished node', async () => {
    const finished = await made();
    const facts = { ...finished.host.facts, ...withoutMemoryGroup };
    const ports = hide({ ...finished, host: { ...finished.host, facts } }, (path) =>
      /manifests\/|\.conf$|\.key$|^\/var\/lib\/kubelet\//.test(path),
    );
    const verdicts = await verdictsOf(ports);
    expect(errors(verdicts)).toEqual([]);
    expect(verdicts.phases.filter(({ verdict }) => verdict === 'invalid')).toEqual([]);
    expect(verdicts.phases.find(({ phase }) => phase === 'certs/ca')?.verdict).toBe('unknown');
  });

  test.each([
    ['certs', ['certs', 'kubeconfig']],
    ['etcd', ['certs', 'kubeconfig', 'etcd']],
  ])('nothing of a half-made node is, whose certificates are elsewhere: up to %s', async (_, only) => {
    const verdicts = await verdictsOf(await made({ only }));
    const pki = errors(verdicts).filter((error) => error.includes('/etc/kubernetes/pki/'));
    expect(pki).toEqual([]);
    const unknown = new Set(verdicts.phases.flatMap(({ unseen }) => unseen.map(({ location }) => location)));
    const wrong = verdicts.phases.flatMap(({ findings }) =>
      findings.filter(({ severity }) => severity === 'error').map(({ artifact }) => artifact),
    );
    expect(wrong.filter((artifact) => unknown.has(artifact))).toEqual([]);
  });
});
