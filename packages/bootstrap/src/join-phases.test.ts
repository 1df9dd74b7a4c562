import { buildKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import { parseYaml } from '@groundplane/manifest';
import { planWorkflow } from '@groundplane/phases';
import type { MemoryContent } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { joinDecisions, runJoin } from '../test/join-run.ts';
import {
  bootId,
  clusterAuthority,
  clusterObjects,
  endpoint,
  type JoinWorldOptions,
  joinContext,
  joinWorld,
  kubeletCertificate,
  kubeletKubeconfig,
  machineId,
  nodeNamed,
  otherAuthority,
  paths,
  server,
  token,
} from '../test/join-world.ts';
import { kubeletRequestObject } from '../test/kubelet-request-world.ts';
import { joinWorkflow } from './index.ts';

const certificate = await kubeletCertificate();
const world = (options: JoinWorldOptions = {}) => joinWorld({ certificate, ...options });
const byFile = (...lines: readonly string[]) => ({
  configText: [
    'apiVersion: kubeadm.k8s.io/v1beta4',
    'kind: JoinConfiguration',
    `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "${endpoint}", unsafeSkipCAVerification: true}}`,
    ...lines,
    '',
  ].join('\n'),
});
const all = { preflight: 'deferred', 'kubelet-start': 'keep', 'kubelet-wait-bootstrap': 'keep' };

describe('a fresh machine', () => {
  test('gets its files before the kubelet is started, with modes of kubeadm, and keeps no token', async () => {
    const ports = world();
    const config = await joinContext(ports);
    const { error, changes } = await runJoin(ports, config);
    expect(error).toBeUndefined();
    expect(changes).toEqual([
      `write ${paths.bootstrap}`,
      `write ${paths.authority}`,
      `write ${paths.flags}`,
      `write ${paths.instance}`,
      `write ${paths.config}`,
      'restart kubelet',
      `remove ${paths.bootstrap}`,
    ]);
    const modes = [paths.authority, paths.flags, paths.instance, paths.config].map((path) => ports.memory.mode(path));
    expect(modes).toEqual([0o644, 0o644, 0o644, 0o644]);
    expect(ports.memory.text(paths.authority)).toBe(clusterAuthority.certificate);
    expect(ports.memory.text(paths.flags)).toBe('KUBELET_KUBEADM_ARGS=""\n');
    expect(parseYaml(ports.memory.text(paths.config) ?? '')).toMatchObject({
      maxPods: 42,
      containerRuntimeEndpoint: 'unix:///var/run/containerd/containerd.sock',
    });
    expect(ports.memory.text(paths.bootstrap)).toBeUndefined();
    expect(await joinDecisions(ports, config)).toEqual(all);
  });

  test('the kubeconfig that the kubelet asks with is closed to others', async () => {
    const ports = joinWorld();
    await runJoin(ports, await joinContext(ports), { only: ['kubelet-start'] });
    expect(ports.memory.mode(paths.bootstrap)).toBe(0o600);
    expect(ports.memory.text(paths.bootstrap)).toContain(token);
  });

  test('registers with its taints and its name, and patches have their say', async () => {
    const node = 'name: other, taints: [{key: a, value: b, effect: NoSchedule}, {key: c, effect: NoExecute}]';
    const ports = world({ files: { '/p/kubeletconfiguration.yaml': 'maxPods: 9\n' } });
    const lines = [`nodeRegistration: {${node}}`, 'patches: {directory: /p}'];
    await runJoin(ports, await joinContext(ports, byFile(...lines)), { only: ['kubelet-start'] });
    expect(ports.memory.text(paths.flags)).toBe(
      'KUBELET_KUBEADM_ARGS="--hostname-override=other --register-with-taints=a=b:NoSchedule,c:NoExecute"\n',
    );
    expect(parseYaml(ports.memory.text(paths.config) ?? '')).toMatchObject({ maxPods: 9 });
  });
});

describe('a machine that belongs elsewhere is refused before anything is written', async () => {
  const other = otherAuthority.certificate;
  const joined = { [paths.certificate]: certificate };
  const expired = await kubeletCertificate({ notAfter: new Date('2025-12-31T12:00:00Z') });

  test.each<[string, Readonly<Record<string, MemoryContent>>, readonly string[]]>([
    ['its CA is another', { [paths.authority]: other }, [paths.authority, 'another public key']],
    ['its CA is damaged', { [paths.authority]: clusterAuthority.certificate.slice(0, 300) }, [paths.authority]],
    [
      'its kubelet trusts another CA',
      { ...joined, [paths.kubeconfig]: kubeletKubeconfig({ authority: other }) },
      [paths.kubeconfig, 'it trusts another CA'],
    ],
    [
      'its kubelet has another server',
      { ...joined, [paths.kubeconfig]: kubeletKubeconfig({ server: 'https://198.51.100.1:6443' }) },
      [paths.kubeconfig, 'its server is https://198.51.100.1:6443'],
    ],
    [
      'its kubelet is another node',
      { [paths.kubeconfig]: kubeletKubeconfig(), [paths.certificate]: await kubeletCertificate({ name: 'node-x' }) },
      [paths.kubeconfig, 'system:node:node-x', 'system:node:node-b'],
    ],
  ])('%s', async (_, files, parts) => {
    const ports = world({ files });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT', kind: 'conflict' });
    for (const part of parts) expect(error?.message).toContain(part);
    expect(error?.hint).toContain('groundplane reset');
    expect(changes).toEqual([]);
  });

  test('a name that another machine has; one that is gone, or this machine itself, is no obstacle', async () => {
    const run = async (info: Parameters<typeof nodeNamed>[1]) => {
      const ports = world({ objects: [...clusterObjects(), nodeNamed('node-b', info)] });
      return runJoin(ports, await joinContext(ports));
    };
    const { error, changes } = await run({ ready: true, machineID: 'x' });
    expect(error).toMatchObject({ code: 'PHASES_CONFLICT' });
    expect(error?.message).toContain('a Node with name "node-b" and status "Ready" already exists in the cluster');
    expect(changes).toEqual([]);
    expect((await run({ ready: false, machineID: 'x' })).error).toBeUndefined();
    expect((await run({ ready: true, machineID: machineId, bootID: bootId })).error).toBeUndefined();
  });

  test('everything that is wrong is told at once', async () => {
    const files = { [paths.authority]: other, [paths.kubeconfig]: kubeletKubeconfig({ authority: other }) };
    const ports = world({ files });
    const { error } = await runJoin(ports, await joinContext(ports));
    expect(error?.message).toContain(paths.authority);
    expect(error?.message).toContain(paths.kubeconfig);
  });

  test.each<[string, Readonly<Record<string, MemoryContent>>]>([
    ['a CA that was renewed with its key', { [paths.authority]: `${other}${clusterAuthority.certificate}` }],
    ['a kubelet without a certificate yet', { [paths.kubeconfig]: kubeletKubeconfig() }],
    ['a kubelet.conf that was cut short', { [paths.kubeconfig]: '' }],
    ['a certificate that has expired', { [paths.kubeconfig]: kubeletKubeconfig(), [paths.certificate]: expired }],
    [
      'a certificate that is damaged',
      { [paths.kubeconfig]: kubeletKubeconfig(), [paths.certificate]: certificate.slice(0, 700) },
    ],
    ['what it asked with, of a join before', { [paths.bootstrap]: kubeletKubeconfig() }],
  ])('but not with %s: the join goes on', async (_, files) => {
    const ports = world({ files });
    const config = await joinContext(ports);
    const { error } = await runJoin(ports, config);
    expect(error).toBeUndefined();
    expect(ports.memory.text(paths.certificate)).toBe(certificate);
    expect(await joinDecisions(ports, config)).toEqual(all);
  });

  test('a kubelet that somebody else gave its certificate needs no token', async () => {
    const files = { [paths.kubeconfig]: kubeletKubeconfig(), [paths.certificate]: certificate };
    const ports = world({ files });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toBeUndefined();
    expect(changes).not.toContain(`write ${paths.bootstrap}`);
  });
});

describe('preflight', () => {
  test('tells all problems and changes nothing', async () => {
    const files = { [paths.bootstrap]: kubeletKubeconfig({ authority: otherAuthority.certificate }) };
    const ports = world({ files, facts: { canListen: async () => false, program: async () => undefined } });
    const { error, changes } = await runJoin(ports, await joinContext(ports));
    expect(error).toMatchObject({ code: 'BOOTSTRAP_PREFLIGHT_FAILED' });
    expect(error?.findings.map(({ artifact }) => artifact)).toEqual([
      'FileAvailable--etc-kubernetes-bootstrap-kubelet.conf',
      'FileExisting-losetup',
      'FileExisting-mount',
      'FileExisting-cp',
      'Port-10250',
    ]);
    expect(changes).toEqual([]);
  });

  test('warns of names that no check has', async () => {
    const ports = world({ facts: { canListen: async () => false } });
    const flags = { 'ignore-preflight-errors': ['Port-10250', 'Prot-10250'] };
    const { error, events } = await runJoin(ports, await joinContext(ports, { flags }), { only: ['preflight'] });
    expect(error).toBeUndefined();
    const warnings = events.flatMap((event) => (event.type === 'finding' ? [event.finding.artifact] : []));
    expect(warnings).toContain('Port-10250');
  });
});

describe('the wait', () => {
  const timeouts = 'timeouts: {tlsBootstrap: 2s, kubeletHealthCheck: 3s}';

  test('for a certificate that nobody issues says what became of the request, and leaves it', async () => {
    const request = await kubeletRequestObject({ name: 'csr-b', node: 'node-b' });
    const ports = joinWorld({ objects: [...clusterObjects(), request] });
    const made = ports.clock.now().toISOString();
    const host = { ...ports.host, services: { ...ports.host.services, log: async () => ['waiting for approval'] } };
    const patient = 'timeouts: {tlsBootstrap: 6s, kubeletHealthCheck: 3s}';
    const { error, events } = await runJoin({ ...ports, host }, await joinContext(ports, byFile(patient)));
    expect(error).toMatchObject({ code: 'PHASES_WAIT_TIMEOUT', kind: 'timeout' });
    const text = `its request csr-b of ${made} is approved, and nobody has signed it`;
    expect(error?.message).toBe(
      `Cannot go on as the certificate of the kubelet of node-b was not there within 6 s: ${text}`,
    );
    for (const part of [
      text.replace(/^i/, 'I'),
      'groundplane certs sign-kubelet-requests csr-b',
      'waiting for approval',
      '--cluster-signing-key-file',
    ])
      expect(error?.hint).toContain(part);
    const reasons = events.flatMap((event) => (event.type === 'waiting' ? [event.reason] : []));
    expect(reasons[0]).toContain('kubelet-client-current.pem');
    expect(reasons).toContain(text);
    expect(ports.memory.text(paths.bootstrap)).toContain(token);
    // Once somebody signs, the next run ends well without a restart.
    ports.memory.put(paths.certificate, certificate);
    const { error: none, changes } = await runJoin(ports, await joinContext(ports));
    expect(none).toBeUndefined();
    expect(changes).toEqual([`remove ${paths.bootstrap}`]);
  });

  test('for a kubelet that does not come up shows its log', async () => {
    const ports = world({ probe: () => ({ text: 'connect ECONNREFUSED' }) });
    const host = { ...ports.host, services: { ...ports.host.services, log: async () => ['failed to load config'] } };
    const { error } = await runJoin({ ...ports, host }, await joinContext(ports, byFile(timeouts)));
    expect(error?.message).toMatch(/kubelet at http:\/\/127\.0\.0\.1:10248\/healthz.*within 3 s.*ECONNREFUSED/);
    expect(error?.hint).toContain('failed to load config');
  });

  test('goes on if the kubelet ended after it was healthy for a moment', async () => {
    const answers = [true, false, false];
    const ports = world({
      probe: () => ((answers.shift() ?? true) ? { status: 200, text: 'ok' } : { text: 'connect ECONNREFUSED' }),
    });
    const { error, events } = await runJoin(ports, await joinContext(ports, byFile(timeouts)));
    expect(error).toBeUndefined();
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'waiting', subject: expect.stringContaining('/healthz') }),
    );
  });

  test('does not go on for a kubelet of another cluster, be its start skipped', async () => {
    const other = kubeletKubeconfig({ authority: otherAuthority.certificate });
    const document = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
    const files = { [paths.config]: document, [paths.kubeconfig]: other };
    const ports = world({ files, units: { kubelet: { active: true } } });
    const { error, changes } = await runJoin(ports, await joinContext(ports), { only: ['kubelet-wait-bootstrap'] });
    expect(error).toMatchObject({ code: 'BOOTSTRAP_JOIN_CONFLICT', kind: 'conflict' });
    expect(changes).toEqual([]);
  });

  test('asks for no health where the configuration has none', async () => {
    const objects = clusterObjects({ kubelet: 'healthzPort: 0\n' });
    const ports = world({ objects, probe: () => expect.fail('the kubelet was asked') });
    expect((await runJoin(ports, await joinContext(ports))).error).toBeUndefined();
  });

  test('looks for the certificate where the kubelet is told to keep it', async () => {
    const ports = world({
      onRestart: (_, memory) => {
        memory.put('/etc/kubernetes/kubelet.conf', kubeletKubeconfig().replaceAll('/var/lib/kubelet/pki', '/srv/pki'));
        memory.put('/srv/pki/kubelet-client-current.pem', { content: certificate, mode: 0o600 });
      },
    });
    const lines = 'nodeRegistration: {kubeletExtraArgs: [{name: cert-dir, value: /srv/pki/}]}';
    const { error } = await runJoin(ports, await joinContext(ports, byFile(lines)));
    expect(error).toBeUndefined();
  });
});

describe('files of a kubelet that somebody else starts', async () => {
  const bootstrap = buildBootstrap();
  const sound: Readonly<Record<string, MemoryContent>> = {
    [paths.config]: 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
    [paths.flags]: 'KUBELET_KUBEADM_ARGS=""\n',
    [paths.authority]: clusterAuthority.certificate,
    [paths.bootstrap]: { content: bootstrap, mode: 0o600 },
  };
  const errorsWith = async (files: Readonly<Record<string, MemoryContent>>) => {
    const ports = world({ files: { ...sound, ...files } });
    const config = await joinContext(ports);
    const selection = { skip: ['preflight', 'kubelet-start'] };
    const { phases } = await planWorkflow({ workflow: joinWorkflow, config, ports, selection });
    return phases.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
  };

  test('may be in order', async () => {
    expect(await errorsWith({})).toEqual([]);
  });

  test.each<[string, Readonly<Record<string, MemoryContent>>, string, RegExp]>([
    [
      'a configuration that the kubelet cannot read',
      { [paths.config]: 'kind: KubeletConfiguration\n' },
      paths.config,
      /apiVersion/,
    ],
    ['the CA of another cluster', { [paths.authority]: otherAuthority.certificate }, paths.authority, /public key/],
    [
      'a kubeconfig for another cluster',
      { [paths.bootstrap]: bootstrap.replace(/certificate-authority-data: .*/, 'certificate-authority-data: eA==') },
      paths.bootstrap,
      /CA/,
    ],
    [
      'a kubeconfig without a token',
      { [paths.bootstrap]: bootstrap.replace(/token: .*/, '') },
      paths.bootstrap,
      /credentials/,
    ],
  ])('%s is refused', async (_, files, artifact, message) => {
    const found = await errorsWith(files);
    expect(found).toMatchObject([{ artifact, message: expect.stringMatching(message) }]);
    expect(found[0]?.hint).toBeTruthy();
  });
});

function buildBootstrap(): string {
  const kubeconfig = buildKubeconfig({
    clusterName: 'example',
    server,
    certificateAuthority: clusterAuthority.certificate,
    user: 'tls-bootstrap-token-user',
  });
  return stringifyKubeconfig({ ...kubeconfig, users: [{ name: 'tls-bootstrap-token-user', user: { token } }] });
}
