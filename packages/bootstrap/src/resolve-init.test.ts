import { type Facts, selectPhases } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initWorkflow } from './init-workflow.ts';
import { resolveInit } from './resolve-init.ts';

const document = (kind: string, ...lines: string[]) =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ${kind}\n${lines.map((line) => `${line}\n`).join('')}`;
const cluster = document('ClusterConfiguration', 'kubernetesVersion: v1.37.2');

/** Resolves on a machine with these facts. */
async function resolve(request: Partial<Parameters<typeof resolveInit>[0]> = {}, facts: Partial<Facts> = {}) {
  const ports = memoryPorts({ facts });
  return resolveInit({ configText: cluster, ports, ...request });
}

describe('without a word in the configuration', () => {
  test('the node has the name of the host, in lower case', async () => {
    const { context } = await resolve({}, { hostName: async () => ' Node-A.Example.com\n' });
    expect(context.init.nodeRegistration.name).toBe('node-a.example.com');
    expect(context.machine.hostName).toBe('node-a.example.com');
  });

  test('the API server advertises the address of the default route', async () => {
    const { context } = await resolve(
      {},
      { addresses: async () => ({ ipv4: ['198.51.100.7'], ipv6: ['2001:db8::7'], loopback: [] }) },
    );
    expect(context.init.localAPIEndpoint).toEqual({ advertiseAddress: '198.51.100.7', bindPort: 6443 });
  });

  test('the socket that answers is taken', async () => {
    const socket = 'unix:///var/run/crio/crio.sock';
    const { context } = await resolve({}, { sockets: async () => [socket] });
    expect(context.init.nodeRegistration.criSocket).toBe(socket);
  });

  test('two sockets that answer are a question to the user', async () => {
    const sockets = async (candidates: readonly string[]) => candidates.slice(0, 2);
    await expect(resolve({}, { sockets })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      findings: [{ message: expect.stringContaining('more than one container runtime answers') }],
    });
  });

  test('the newest known version is taken for the label stable-1, with a warning', async () => {
    const { context, warnings } = await resolve({ configText: undefined });
    expect(context.cluster.kubernetesVersion).toMatch(/^v1\.37\.\d+$/);
    expect(warnings.map(({ code }) => code)).toEqual(['CONFIG_VERSION_ASSUMED']);
  });
});

test('a feature gate that changes nothing yet is said to', async () => {
  const gates = (value: boolean) => ({ configText: `${cluster}featureGates: {RootlessControlPlane: ${value}}\n` });
  const codes = async (value: boolean) => (await resolve(gates(value))).warnings.map(({ code }) => code);
  expect(await codes(true)).toEqual(['BOOTSTRAP_FEATURE_MISSING']);
  expect(await codes(false)).toEqual([]);
});

describe('the bootstrap token', () => {
  test('is made from entropy: other bytes, another token', async () => {
    const tokenOf = async (seed: number) => {
      const { context } = await resolveInit({ configText: cluster, ports: memoryPorts({ seed }) });
      return context.init.bootstrapTokens.map(({ token }) => token);
    };
    const [first, again, second] = [await tokenOf(1), await tokenOf(1), await tokenOf(2)];
    expect(first).toEqual([expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/)]);
    expect(again).toEqual(first);
    expect(second).not.toEqual(first);
  });

  test('is the one that is given', async () => {
    const { context } = await resolve({ flags: { token: 'abcdef.0123456789abcdef' }, configText: undefined });
    expect(context.init.bootstrapTokens).toMatchObject([{ token: 'abcdef.0123456789abcdef' }]);
    expect(context.tokenIsGenerated).toEqual([false]);
  });

  test('says for each whether it was made up', async () => {
    const tokens = document('InitConfiguration', 'bootstrapTokens:', '- token: abcdef.0123456789abcdef', '- ttl: 1h');
    const { context } = await resolve({ configText: `${cluster}---\n${tokens}` });
    expect(context.tokenIsGenerated).toEqual([false, true]);
  });

  test.each([
    ['-1h', ['BOOTSTRAP_TOKEN_FOREVER']],
    ['0s', []],
    ['1h', []],
  ])('with a ttl of %s is remarked on: %j', async (ttl, codes) => {
    const { warnings } = await resolve({
      configText: undefined,
      flags: { 'token-ttl': ttl, 'kubernetes-version': 'v1.37.2' },
    });
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });
});

describe('sharing certificates', () => {
  const flags = (more: Record<string, string | boolean> = {}) => ({ 'kubernetes-version': 'v1.37.2', ...more });
  const resolved = async (more: Record<string, string | boolean>, seed = 1) =>
    (await resolveInit({ flags: flags(more), ports: memoryPorts({ seed }) })).context;

  test('is made ready for where it is asked for: a key and a token that owns the Secret, from entropy', async () => {
    const context = await resolved({ 'upload-certs': true });
    expect(context).toMatchObject({
      uploadCerts: true,
      certificatesOwner: expect.stringMatching(/^[a-z0-9]{6}\.[a-z0-9]{16}$/),
      init: { certificateKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(context.certificatesOwner).not.toBe(context.init.bootstrapTokens[0]?.token);
    const other = await resolved({ 'upload-certs': true }, 2);
    expect(other.init.certificateKey).not.toBe(context.init.certificateKey);
  });

  test('takes the key that is given', async () => {
    const key = 'ab'.repeat(32);
    expect((await resolved({ 'upload-certs': true, 'certificate-key': key })).init.certificateKey).toBe(key);
  });

  test('is not done unasked', async () => {
    const context = await resolved({});
    expect(context.init.certificateKey).toBe('');
    expect(context).not.toHaveProperty('uploadCerts');
    expect(context).not.toHaveProperty('certificatesOwner');
  });

  test.each([['skip-token-print'], ['skip-certificate-key-print']] as const)(
    '%s is told to the phases',
    async (name) => {
      const field = name === 'skip-token-print' ? 'skipTokenPrint' : 'skipCertificateKeyPrint';
      expect([(await resolved({}))[field], (await resolved({ [name]: true }))[field]]).toEqual([false, true]);
    },
  );
});

describe('flags', () => {
  test('say what a file would say', async () => {
    const { context, skipPhases, dryRun } = await resolve({
      configText: undefined,
      flags: {
        'kubernetes-version': 'v1.37.1',
        'apiserver-advertise-address': '192.0.2.20',
        'apiserver-cert-extra-sans': ['lb.example.com'],
        'pod-network-cidr': '10.244.0.0/16',
        'skip-phases': ['certs', 'kubeconfig'],
        'ignore-preflight-errors': ['Swap'],
        'dry-run': true,
      },
    });
    expect(context.cluster).toMatchObject({
      kubernetesVersion: 'v1.37.1',
      apiServer: { certSANs: ['lb.example.com'] },
      networking: { podSubnet: '10.244.0.0/16' },
    });
    expect(context.init.localAPIEndpoint.advertiseAddress).toBe('192.0.2.20');
    expect(context.ignorePreflightErrors).toEqual(['swap']);
    expect({ skipPhases, dryRun }).toEqual({ skipPhases: ['certs', 'kubeconfig'], dryRun: true });
  });

  test('that contradict a file are refused', async () => {
    await expect(resolve({ flags: { 'pod-network-cidr': '10.244.0.0/16' } })).rejects.toMatchObject({ kind: 'usage' });
  });
});

test('all problems are told at once', async () => {
  const broken = document(
    'ClusterConfiguration',
    'kubernetesVersion: v1.37.2',
    'networking: {dnsDomain: "a..b", serviceSubnet: nonsense}',
  );
  const error = await resolve({ configText: broken }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', kind: 'usage' });
  expect((error as { findings: readonly unknown[] }).findings.length).toBeGreaterThanOrEqual(2);
});

describe('the machine is asked only what the command needs', () => {
  test.each([
    { command: 'init', resolver: true, runtime: true },
    { command: 'init phase kubelet-start', resolver: true, runtime: true },
    { command: 'init phase certs ca', resolver: false, runtime: false },
    { command: 'init phase kubeconfig all', resolver: false, runtime: false },
  ])('$command', async ({ command, resolver, runtime }) => {
    const asked: string[] = [];
    const ports = memoryPorts({
      units: { 'systemd-resolved': { active: true } },
      facts: {
        sockets: async (candidates) => {
          asked.push('runtime');
          return candidates.slice(0, 1);
        },
      },
    });
    const { status } = ports.host.services;
    const services = {
      ...ports.host.services,
      status: async (unit: string) => {
        asked.push('resolver');
        return status(unit);
      },
    };
    const { context } = await resolveInit({
      configText: cluster,
      ports: { ...ports, host: { ...ports.host, services } },
      command,
    });
    expect(asked.toSorted()).toEqual([...(resolver ? ['resolver'] : []), ...(runtime ? ['runtime'] : [])]);
    expect(context.machine.resolvConf).toBe(resolver ? '/run/systemd/resolve/resolv.conf' : undefined);
  });
});

describe('patches are read from the folder that is given', () => {
  const inFile = `${cluster}---\n${document('InitConfiguration', 'patches: {directory: /etc/patches}')}`;
  test.each([
    { name: 'by the flag', request: { flags: { patches: '/etc/patches' }, configText: undefined } },
    { name: 'by the file', request: { configText: inFile } },
  ])('$name', async ({ request }) => {
    const files = { '/etc/patches/etcd.yaml': 'spec: {hostname: a}\n', '/etc/patches/README.md': 'x' };
    const { context, warnings } = await resolveInit({ ...request, ports: memoryPorts({ files }) });
    expect(context.patches).toMatchObject([{ path: 'etcd.yaml', target: 'etcd', type: 'strategic' }]);
    expect(warnings.map(({ code }) => code)).toContain('BOOTSTRAP_PATCH_IGNORED');
  });
});

test('names of skipped phases stay as they are: what nobody knows is refused later', async () => {
  const skip = ['addon/kube-proxy', 'upload-certs', 'certs/sa', 'Kubeconfig', 'no-such-phase'];
  const { skipPhases, context } = await resolve({ flags: { 'skip-phases': skip } });
  expect(skipPhases).toEqual(skip);
  expect(context.cluster.proxy.disabled).toBe(true);
});

test('phases that run one by one make all that init makes: hidden ones come along', () => {
  const alone = initWorkflow.phases
    .filter((phase) => !phase.hidden)
    .flatMap(({ name }) => selectPhases(initWorkflow, { only: [name] }));
  // What these do comes about without them, only later.
  const timeSavers = ['controller-accounts', 'addon/service-rules'];
  const all = initWorkflow.phases.map(({ name }) => name).filter((name) => !timeSavers.includes(name));
  expect(new Set(alone.map(({ name }) => name))).toEqual(new Set(all));
});
