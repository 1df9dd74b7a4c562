import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type JoinRequest, resolveJoin } from '../packages/bootstrap/dist/index.js';
import { ownRequestOf, ownRequestText } from '../packages/bootstrap/src/own-kubelet-request.ts';
import { kubernetesClusters } from '../packages/cluster/dist/index.js';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import { isGroundplaneError } from '../packages/errors/dist/index.js';
import { httpsGet, systemClock } from '../packages/host/dist/index.js';
import { parseYaml } from '../packages/manifest/dist/index.js';
import { memoryPorts } from '../packages/phases/dist/testing/index.js';

/** Joining as far as it only asks: a real API server and signer, with what the real kubeadm puts into a cluster. */

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
const token = 'abcdef.0123456789abcdef';
const group = 'system:bootstrappers:kubeadm:default-node-token';

let api: ApiServer;
let signer: ChildProcess;
let endpoint = '';
let pin = '';

beforeAll(async () => {
  api = await prepareApiServer(components);
  api.start();
  await api.ready();
  endpoint = new URL(api.server).host;
  pin = pinOf('ca.crt');
  const admin = write('admin.conf', api.kubeconfig('superAdmin'));
  const log = openSync(join(api.directory, 'signer.log'), 'a');
  signer = spawn(
    join(components, 'kube-controller-manager'),
    [
      `--kubeconfig=${admin}`,
      '--controllers=bootstrap-signer-controller',
      '--leader-elect=false',
      '--secure-port=0',
      '--use-service-account-credentials=false',
    ],
    { stdio: ['ignore', log, log], cwd: api.directory },
  );
  const configuration = write(
    'init.yaml',
    [
      'apiVersion: kubeadm.k8s.io/v1beta4',
      'kind: InitConfiguration',
      `bootstrapTokens: [{token: ${token}}]`,
      'localAPIEndpoint: {advertiseAddress: 192.0.2.10}',
      'nodeRegistration: {name: node-a, criSocket: "unix:///run/none.sock"}',
      '---',
      'apiVersion: kubeadm.k8s.io/v1beta4',
      'kind: ClusterConfiguration',
      'kubernetesVersion: v1.37.2',
      'clusterName: made-by-kubeadm',
      'networking: {dnsDomain: example.local}',
      '---',
      'apiVersion: kubelet.config.k8s.io/v1beta1',
      'kind: KubeletConfiguration',
      'maxPods: 42',
      '',
    ].join('\n'),
  );
  for (const phase of ['upload-config all', 'bootstrap-token'])
    run('init', 'phase', ...phase.split(' '), '--config', configuration, '--kubeconfig', admin);
});
afterAll(async () => {
  signer?.kill('SIGKILL');
  await api?.stop();
});

function write(name: string, text: string): string {
  const path = join(api.directory, name);
  writeFileSync(path, text);
  return path;
}

function run(...args: readonly string[]): string {
  return execFileSync(kubeadm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The pin as node:crypto computes it. */
function pinOf(file: string): string {
  const { publicKey } = new X509Certificate(readFileSync(join(api.directory, file)));
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(der).digest('hex')}`;
}

/** Makes a token as an administrator does. */
function newToken(text: string, ...args: readonly string[]): string {
  run('token', 'create', text, '--kubeconfig', join(api.directory, 'admin.conf'), ...args);
  return text;
}

/** Changes the Secret of a token past kubeadm, which would not. */
function changed(text: string, data: Readonly<Record<string, string | null>>): string {
  const encoded = Object.entries(data).map(([key, value]) => [key, value && Buffer.from(value).toString('base64')]);
  const patch = JSON.stringify({ data: Object.fromEntries(encoded) });
  api.kubectl('-n', 'kube-system', 'patch', 'secret', `bootstrap-token-${text.slice(0, 6)}`, '-p', patch);
  return text;
}

interface Joining {
  readonly token?: string;
  readonly tlsToken?: string;
  readonly pin?: string;
  readonly change?: Partial<JoinRequest>;
}

/** Asks as a machine in memory, with the real clock and the real network, and little patience. */
async function resolve({ token: given = token, tlsToken = given, pin: pinned = pin, change = {} }: Joining = {}) {
  const clock = systemClock();
  const ports = {
    ...memoryPorts({ facts: { hostName: async () => 'node-b' } }),
    clock,
    clusters: kubernetesClusters({ clock, environment: {} }),
  };
  const discovery = {
    bootstrapToken: { token: given, apiServerEndpoint: endpoint, caCertHashes: [pinned] },
    tlsBootstrapToken: tlsToken,
  };
  return resolveJoin({ configText: documentWith({ discovery }), ports, fetch: httpsGet, ...change });
}

const documentWith = (fields: object) =>
  JSON.stringify({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    timeouts: { discovery: '4s', kubernetesAPICall: '1s' },
    ...fields,
  });

async function refusal(joining: Joining): Promise<string> {
  try {
    await resolve(joining);
  } catch (thrown) {
    if (isGroundplaneError(thrown)) return `${thrown.code} ${thrown.message}`;
    throw thrown;
  }
  return expect.fail('it was accepted');
}

describe('a cluster of kubeadm', () => {
  it('tells how its nodes are configured, and lets the kubelet in with the token', async () => {
    const { context, warnings } = await resolve();
    expect(warnings).toEqual([]);
    expect(context).toMatchObject({
      server: api.server,
      cluster: { clusterName: 'made-by-kubeadm', kubernetesVersion: 'v1.37.2' },
      kubelet: { maxPods: 42, clusterDomain: 'example.local' },
    });
    const stored = api.kubectl('-n', 'kube-system', 'get', 'cm', 'kubelet-config', '-o', 'jsonpath={.data.kubelet}');
    expect(context.kubelet).toEqual(parseYaml(stored));
    const path = write('bootstrap-kubelet.conf', context.bootstrapKubeconfig);
    const whoami = execFileSync(
      join(components, 'kubectl'),
      ['--kubeconfig', path, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'],
      { encoding: 'utf8' },
    );
    expect(whoami).toContain('system:bootstrap:abcdef');
    expect(whoami).toContain(group);
    const viewed = JSON.parse(
      execFileSync(join(components, 'kubectl'), ['--kubeconfig', path, 'config', 'view', '-o', 'json'], {
        encoding: 'utf8',
      }),
    ) as { clusters: readonly { name: string }[] };
    expect(viewed.clusters.map(({ name }) => name)).toEqual(['made-by-kubeadm']);
  });

  it('is joined by a file with credentials as well', async () => {
    const file = { kubeConfigPath: '/cluster.conf' };
    const clock = systemClock();
    const ports = {
      ...memoryPorts({ files: { '/cluster.conf': api.kubeconfig('superAdmin') } }),
      clock,
      clusters: kubernetesClusters({ clock, environment: {} }),
    };
    const configText = documentWith({ discovery: { file } });
    const { context } = await resolveJoin({ configText, ports, fetch: httpsGet });
    expect(context.server).toBe(api.server);
    expect(context.bootstrapKubeconfig).toContain('client-key-data');
  });

  it('says whether another machine has the name', async () => {
    api.kubectl(
      'create',
      '-f',
      write('node.json', JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-b' } })),
    );
    const status = { status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { machineID: 'x' } } };
    api.kubectl('patch', 'node', 'node-b', '--subresource=status', '-p', JSON.stringify(status));
    try {
      expect((await resolve()).context.registeredNode).toEqual({ isReady: true, isThisMachine: false });
    } finally {
      api.kubectl('delete', 'node', 'node-b');
    }
    expect((await resolve()).context.registeredNode).toBeUndefined();
  });
});

describe('requests of kubelets', () => {
  const bootstrapper = ['--as=system:bootstrap:abcdef', `--as-group=${group}`, '--as-group=system:authenticated'];
  const request = (name: string, node: string) => {
    const words = ['req', '-new', '-newkey', 'rsa:2048', '-noenc', '-keyout', '/dev/null'];
    const pem = execFileSync('openssl', [...words, '-subj', `/O=system:nodes/CN=system:node:${node}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const spec = {
      request: pem.toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    };
    const object = { kind: 'CertificateSigningRequest', metadata: { name }, spec };
    const text = JSON.stringify({ apiVersion: 'certificates.k8s.io/v1', ...object });
    api.kubectl('create', '-f', write('request.json', text), ...bootstrapper);
  };
  const patch = (name: string, subresource: 'approval' | 'status', status: object) =>
    api.kubectl('patch', 'csr', name, `--subresource=${subresource}`, '--type=merge', '-p', JSON.stringify({ status }));
  const condition = (type: string, more: object = {}) => ({
    conditions: [{ type, status: 'True', reason: 'Test', message: 'for a test', ...more }],
  });
  afterEach(() => {
    api.kubectl('delete', 'csr', '--all');
  });

  /** By the kubeconfig that a kubelet asks with. */
  const told = async (node: string) => {
    const clusters = kubernetesClusters({ clock: systemClock(), environment: {} });
    const { bootstrapKubeconfig: kubeconfig } = (await resolve()).context;
    return ownRequestText(await ownRequestOf(node, { clusters, kubeconfig }));
  };

  it.each<[string, () => unknown, RegExp]>([
    ['made by another node alone', () => request('own', 'node-a'), /has not asked for it yet$/],
    ['pending', () => request('own', 'node-b'), /^its request own of 20\S+Z is pending/],
    [
      'approved',
      () => {
        request('own', 'node-b');
        api.kubectl('certificate', 'approve', 'own');
      },
      /^its request own of \S+ is approved, and nobody has signed it$/,
    ],
    [
      'denied',
      () => {
        request('own', 'node-b');
        api.kubectl('certificate', 'deny', 'own');
      },
      /^its request own of \S+ was denied: KubectlDeny: /,
    ],
    [
      'given up',
      () => {
        request('own', 'node-b');
        patch('own', 'status', condition('Failed'));
      },
      /^its request own of \S+ was given up by the signer: Test: for a test$/,
    ],
    [
      'signed',
      () => {
        request('own', 'node-b');
        api.kubectl('certificate', 'approve', 'own');
        const certificate = readFileSync(join(api.directory, 'ca.crt')).toString('base64');
        patch('own', 'status', { certificate });
      },
      /^its request own of \S+ has its certificate, /,
    ],
  ])('%s: who has a token is told', async (_, make, text) => {
    make();
    expect(await told('node-b')).toMatch(text);
  });

  it('that wait in vain are told of before anything is written', async () => {
    request('waiting', 'node-a');
    api.kubectl('certificate', 'approve', 'waiting');
    expect((await resolve()).warnings).toEqual([]);
    const lastUpdateTime = new Date(Date.now() - 90_000).toISOString().replace(/\.\d+/, '');
    patch('waiting', 'approval', condition('Approved', { lastUpdateTime }));
    expect((await resolve()).warnings).toMatchObject([
      { code: 'BOOTSTRAP_CLUSTER_SIGNER_MISSING', artifact: 'CertificateSigningRequest waiting' },
    ]);
  });
});

describe('a token is refused', () => {
  it.each<[string, () => Joining, string, readonly string[]]>([
    ['with another secret', () => ({ token: 'abcdef.fedcba9876543210' }), 'DISCOVERY_SIGNATURE_INVALID', ['abcdef']],
    ['that is not known', () => ({ token: 'zzzzzz.0123456789abcdef' }), 'DISCOVERY_UNSIGNED', ['zzzzzz']],
    [
      'that is not for signing',
      () => ({ token: newToken('nosign.0123456789abcdef', '--usages', 'authentication') }),
      'DISCOVERY_UNSIGNED',
      ['nosign'],
    ],
    ['with the pin of another CA', () => ({ pin: pinOf('other-ca.crt') }), 'DISCOVERY_PIN_MISMATCH', []],
    [
      'that is not for authentication',
      () => ({ tlsToken: changed(newToken('noauth.0123456789abcdef'), { 'usage-bootstrap-authentication': null }) }),
      'BOOTSTRAP_IDENTITY_UNKNOWN',
      ['the bootstrap token noauth', '401'],
    ],
    [
      'that has expired meanwhile',
      () => ({ tlsToken: changed(newToken('oldone.0123456789abcdef'), { expiration: '2020-01-01T00:00:00Z' }) }),
      'BOOTSTRAP_IDENTITY_UNKNOWN',
      ['the bootstrap token oldone', 'it has expired', '401'],
    ],
    [
      'without the group of joining nodes',
      () => ({ tlsToken: newToken('nogrup.0123456789abcdef', '--groups', 'system:bootstrappers:others') }),
      'BOOTSTRAP_IDENTITY_FORBIDDEN',
      ['the bootstrap token nogrup', group, '403'],
    ],
  ])('%s', async (_, joining, code, parts) => {
    const said = await refusal(joining());
    expect(said).toMatch(new RegExp(`^${code} `));
    for (const part of parts) expect(said).toContain(part);
    expect(said).not.toContain('0123456789abcdef');
  });
});

describe('what is missing in the cluster is named', () => {
  it.each<[string, readonly string[], string, string]>([
    [
      'kubeadm-config',
      ['cm', 'kubeadm-config'],
      'BOOTSTRAP_STORED_CONFIGURATION_MISSING',
      'kube-system/kubeadm-config',
    ],
    [
      'kubelet-config',
      ['cm', 'kubelet-config'],
      'BOOTSTRAP_STORED_CONFIGURATION_MISSING',
      'kube-system/kubelet-config',
    ],
    [
      'the right to read kubelet-config',
      ['rolebinding', 'kubeadm:kubelet-config'],
      'BOOTSTRAP_IDENTITY_FORBIDDEN',
      'kube-system/kubelet-config',
    ],
    [
      'the right to read Nodes',
      ['clusterrolebinding', 'kubeadm:get-nodes'],
      'BOOTSTRAP_IDENTITY_FORBIDDEN',
      'Node node-b',
    ],
  ])('%s', async (_, [kind = '', name = ''], code, place) => {
    const before = api.kubectl('-n', 'kube-system', 'get', kind, name, '-o', 'json');
    api.kubectl('-n', 'kube-system', 'delete', kind, name);
    try {
      const said = await refusal({});
      expect(said).toMatch(new RegExp(`^${code} `));
      expect(said).toContain(place);
    } finally {
      const { metadata, ...object } = JSON.parse(before) as { metadata: { name: string; namespace?: string } };
      const { name: own, namespace } = metadata;
      api.kubectl(
        'create',
        '-f',
        write('again.json', JSON.stringify({ ...object, metadata: { name: own, namespace } })),
      );
    }
    expect((await resolve()).context.server).toBe(api.server);
  });

  it('an API server that is gone', async () => {
    await api.kill();
    expect(await refusal({})).toMatch(/^DISCOVERY_UNREACHABLE /);
  });
});
