import { X509Certificate } from 'node:crypto';
import { type MemoryPorts, memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test, vi } from 'vitest';
import { foreignTable } from '../test/foreign-certificates.ts';
import { initWorld } from '../test/init-world.ts';
import { answeringServer, endpoint, joinWorld, kubeletCertificate, paths, token } from '../test/join-world.ts';
import { type OpensslPair, openssl, opensslCertificate, opensslKey } from '../test/openssl.ts';
import {
  type BootstrapPorts,
  createBootstrap,
  type Event,
  GroundplaneError,
  isBlocked,
  type Runtime,
  type Signer,
  type SigningRequest,
} from './index.ts';

const pki = '/etc/kubernetes/pki';
const cluster = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'ClusterConfiguration',
  kubernetesVersion: 'v1.37.2',
  encryptionAlgorithm: 'ECDSA-P256',
} as const;
const node = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'InitConfiguration',
  localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
  nodeRegistration: { name: 'node-a', criSocket: 'unix:///run/other.sock' },
};
const configuration = [cluster, node];

const changesOf = ({ memory }: MemoryPorts) => memory.writes.map(({ action, location }) => `${action} ${location}`);
const errorOf = async (action: Promise<unknown>): Promise<GroundplaneError> => {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GroundplaneError);
  return error as GroundplaneError;
};

describe('a node of which not all can be looked at', () => {
  /** Ports of a user to whom paths are closed. */
  function closedTo(ports: MemoryPorts, isClosed: (path: string) => boolean, uid = 1000): MemoryPorts {
    const { files, facts } = ports.host;
    const unless =
      <A extends readonly unknown[], R>(call: (path: string, ...rest: A) => Promise<R>) =>
      async (path: string, ...rest: A): Promise<R> => {
        if (!isClosed(path)) return call(path, ...rest);
        const cause = Object.assign(new Error('EACCES'), { code: 'EACCES' });
        throw new GroundplaneError('HOST_FILE_UNREADABLE', `Cannot read ${path}`, { kind: 'unavailable', cause });
      };
    const closed = { status: unless(files.status), read: unless(files.read), list: unless(files.list) };
    return { ...ports, host: { ...ports.host, files: { ...files, ...closed }, facts: { ...facts, uid: () => uid } } };
  }

  test('is unknown to the plan of init, and ends its run before anything is written', async () => {
    const ports = closedTo(initWorld(), (path) => path.startsWith(pki));
    const init = await createBootstrap({ ports }).init({ configuration });
    const { phases } = await init.plan({ selection: { only: ['certs/ca'] } });
    expect(phases).toMatchObject([{ phase: 'certs/ca', decision: 'unknown', reason: `Cannot read ${pki}/ca.key` }]);
    expect(await init.verify({ selection: { only: ['certs/ca'] } })).toMatchObject([{ verdict: 'unknown' }]);
    expect((await errorOf(init.run())).code).toBe('HOST_FILE_UNREADABLE');
    expect(changesOf(ports)).toEqual([]);
  });

  test('is unknown to the plan of reset, whose run leaves it', async () => {
    const manifest = '/etc/kubernetes/manifests/etcd.yaml';
    const ports = closedTo(memoryPorts({ files: { [manifest]: '{}' } }), (path) => path === manifest, 0);
    const reset = await createBootstrap({ ports }).reset({ confirmed: true });
    const selection = { only: ['remove-etcd-member'] };
    expect((await reset.plan({ selection })).phases).toMatchObject([
      { decision: 'unknown', reason: `Cannot read ${manifest}` },
    ]);
    const { phases } = await reset.run({ selection });
    expect(phases).toMatchObject([{ decision: 'inapplicable' }]);
  });

  test('is planned by join for others than root, who cannot run it', async () => {
    const world = joinWorld({ certificate: await kubeletCertificate() });
    const ports = { ...closedTo(world, () => false), fetch: answeringServer };
    const configuration = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      discovery: { bootstrapToken: { token, apiServerEndpoint: endpoint, unsafeSkipCAVerification: true } },
    };
    const join = await createBootstrap({ ports }).join({ configuration });
    expect((await join.plan()).phases.length).toBeGreaterThan(0);
    expect((await errorOf(join.run())).code).toBe('BOOTSTRAP_PREFLIGHT_FAILED');
    expect(changesOf(ports)).toEqual([]);
  });
});

describe('phases of init in-process', () => {
  test('one phase', async () => {
    const ports = initWorld();
    const init = await createBootstrap({ ports }).init({ configuration, selection: { only: ['certs/ca'] } });
    const result = await init.run();
    expect(result.phases.map(({ phase, decision }) => `${phase} ${decision}`)).toEqual(['certs/ca create']);
    expect(changesOf(ports)).toEqual([`write ${pki}/ca.key`, `write ${pki}/ca.crt`]);
    expect(new X509Certificate(ports.memory.text(`${pki}/ca.crt`) ?? '').subject).toBe('CN=kubernetes');
  });

  test('a selection is planned, run, verified and planned again', async () => {
    const ports = initWorld();
    const selection = { only: ['certs', 'kubeconfig'], skip: ['kubeconfig/super-admin'] };
    const init = await createBootstrap({ ports }).init({ configuration, selection });
    const before = await init.plan();
    expect(isBlocked(before)).toBe(false);
    expect(changesOf(ports)).toEqual([]);
    const result = await init.run();
    expect(result.phases.map(({ phase }) => phase)).toEqual(before.phases.map(({ phase }) => phase));
    expect(ports.memory.paths()).toContain('/etc/kubernetes/admin.conf');
    expect(ports.memory.paths()).not.toContain('/etc/kubernetes/super-admin.conf');
    const verdicts = await init.verify();
    expect(verdicts).toHaveLength(result.phases.length);
    expect(verdicts.flatMap(({ findings }) => findings)).toEqual([]);
    expect((await init.plan()).phases.every(({ decision }) => decision === 'keep')).toBe(true);
    ports.memory.put(`${pki}/ca.crt`, 'hello\n');
    const after = await init.verify({ selection: { only: ['certs/ca'] } });
    expect(after.flatMap(({ findings }) => findings.map(({ code }) => code))).toContain('PHASES_ARTIFACT_MALFORMED');
  });

  test('the whole workflow, with events by a callback and products as values', async () => {
    const print = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const ports = initWorld();
    const events: Event[] = [];
    const init = await createBootstrap({ ports, actor: 'test 1', journal: '/var/lib/test/journal' }).init({
      configuration,
    });
    const result = await init.run({ report: (event) => void events.push(event) });
    expect(print.flatMap(({ mock }) => mock.calls)).toEqual([]);
    for (const spy of print) spy.mockRestore();
    expect(events.at(0)?.type).toBe('workflow-started');
    expect(events.at(-1)?.type).toBe('workflow-finished');
    const finished = events.flatMap((event) => (event.type === 'phase-finished' ? [event.phase] : []));
    expect(finished).toEqual(result.phases.map(({ phase }) => phase));
    expect(result.results.map(({ name }) => name)).toContain('joinCommand');
    expect(ports.memory.text('/var/lib/test/journal')).toContain('"test 1"');
  });

  test('the whole workflow is predicted: what phases would leave for each other is there, nothing is written or signed', async () => {
    const ports = initWorld();
    const init = await createBootstrap({ ports }).init({ configuration });
    expect((await init.plan()).phases.find(({ phase }) => phase === 'kubeconfig/admin')?.decision).toBe('deferred');
    const { phases } = await init.predict();
    expect(phases.find(({ phase }) => phase === 'kubeconfig/admin')?.decision).toBe('create');
    expect(changesOf(ports)).toEqual([]);
    expect(ports.memory.signed).toEqual([]);
  });

  test.each([
    ['names another place', { path: '/var/log/own.jsonl' }, '/var/log/own.jsonl'],
    ['wants none', { disabled: true }, undefined],
  ])('a GroundplaneConfiguration %s for the journal', async (_, journal, place) => {
    const ports = initWorld();
    const settings = { apiVersion: 'groundplane.dev/v1alpha1', kind: 'GroundplaneConfiguration', journal };
    const selection = { only: ['certs/ca'] };
    const bootstrap = createBootstrap({ ports, journal: '/var/lib/test/journal' });
    await (await bootstrap.init({ configuration: [...configuration, settings], selection })).run();
    const paths = ports.memory.paths().filter((path) => path.startsWith('/var/l'));
    expect(paths).toEqual(place === undefined ? [] : [place]);
  });

  test('the runtime is opened once, at the socket of the configuration', async () => {
    const { runtime, ...others } = initWorld();
    const opened: string[] = [];
    const ports: BootstrapPorts = {
      ...others,
      runtime: async (criSocket): Promise<Runtime> => {
        opened.push(criSocket);
        return runtime;
      },
    };
    const init = await createBootstrap({ ports }).init({ configuration });
    expect(opened).toEqual([]);
    await init.run();
    expect(opened).toEqual(['unix:///run/other.sock']);
  });

  test('certificates are made by WebCrypto unless a signer is given', async () => {
    const { signer: _, ...ports } = initWorld();
    const init = await createBootstrap({ ports }).init({
      configuration,
      selection: { only: ['certs/front-proxy-ca'] },
    });
    await init.run();
    const { subject } = new X509Certificate((await ports.host.files.read(`${pki}/front-proxy-ca.crt`))?.bytes ?? '');
    expect(subject).toBe('CN=front-proxy-ca');
  });

  test('phases that the configuration skips are skipped, unless they are asked for', async () => {
    const ports = initWorld();
    const skipping = [cluster, { ...node, skipPhases: ['addon', 'preflight'] }];
    const init = await createBootstrap({ ports }).init({ configuration: skipping });
    const names = (await init.plan({ selection: { skip: ['certs'] } })).phases.map(({ phase }) => phase);
    expect(names.filter((name) => /^(certs|addon|preflight)/.test(name))).toEqual([]);
    const { phases } = await init.plan({ selection: { only: ['addon/coredns'] } });
    expect(phases.map(({ phase }) => phase)).toContain('addon/coredns');
  });

  test('two machines at the same time share nothing', async () => {
    const worlds = [initWorld({ seed: 1 }), initWorld({ seed: 2 })];
    await Promise.all(worlds.map(async (ports) => (await createBootstrap({ ports }).init({ configuration })).run()));
    const [one, other] = worlds.map(({ memory }) => memory.text(`${pki}/ca.crt`));
    expect(one).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(one).not.toBe(other);
  });
});

describe('what is refused before anything is written', () => {
  const refusals = [
    ['a phase that does not exist', { configuration, selection: { only: ['certs/none'] } }, 'PHASES_UNKNOWN_PHASE'],
    ['a phase to skip that does not exist', { configuration, selection: { skip: ['nun'] } }, 'PHASES_UNKNOWN_PHASE'],
    ['a wrong value', { configuration: { ...cluster, networking: { podSubnet: 'x' } } }, 'CONFIG_INVALID'],
    [
      'a signal that has aborted',
      { configuration, signal: AbortSignal.abort(new Error('enough')) },
      'BOOTSTRAP_ABORTED',
    ],
  ] as const;
  test.each(refusals)('%s', async (_, request, code) => {
    const ports = initWorld();
    expect((await errorOf(createBootstrap({ ports }).init(request))).code).toBe(code);
    expect(changesOf(ports)).toEqual([]);
  });

  test('a run of what asks for a dry run; it can be planned', async () => {
    const ports = initWorld();
    const init = await createBootstrap({ ports }).init({ configuration: [cluster, { ...node, dryRun: true }] });
    expect(init.dryRun).toBe(true);
    expect(isBlocked(await init.plan())).toBe(false);
    expect((await errorOf(init.run())).code).toBe('BOOTSTRAP_DRY_RUN');
    expect(changesOf(ports)).toEqual([]);
  });

  test('a conflict, with its findings', async () => {
    const ports = initWorld({ files: { [`${pki}/ca.crt`]: 'hello\n' } });
    const init = await createBootstrap({ ports }).init({ configuration });
    expect(isBlocked(await init.plan())).toBe(true);
    const error = await errorOf(init.run());
    expect([error.code, error.kind]).toEqual(['PHASES_CONFLICT', 'conflict']);
    expect(error.findings.map(({ artifact }) => artifact)).toContain(`${pki}/ca.crt`);
    expect(changesOf(ports)).toEqual([]);
  });
});

/** A signer whose CA is openssl's: the key of the cluster's CA is never on the node. */
function opensslSigner(authority: OpensslPair): Signer & { readonly asked: SigningRequest[] } {
  const asked: SigningRequest[] = [];
  const issue = ({ certificate, algorithm }: SigningRequest) => {
    expect(algorithm).toBe('ECDSA-P256');
    if (certificate === undefined) return { key: opensslKey() };
    const { commonName, organizations, dnsNames, ipAddresses, usages, isCA, issuer } = certificate;
    const names = [...dnsNames.map((name) => `DNS:${name}`), ...ipAddresses.map((address) => `IP:${address}`)];
    return opensslCertificate({
      subject: [...organizations.map((name) => `/O=${name}`), `/CN=${commonName}`].join(''),
      isCA,
      ...(names.length === 0 ? {} : { names: names.join() }),
      ...(usages.length === 0 ? {} : { usages: usages.join() }),
      ...(issuer === 'self'
        ? {}
        : { issuer: issuer.key === undefined ? authority : { certificate: issuer.certificate, key: issuer.key } }),
    });
  };
  return {
    asked,
    canIssue: () => true,
    issue: (requests) =>
      requests.map(async (request) => {
        asked.push(request);
        return issue(request);
      }),
  };
}

test('a foreign signer answers all requests, and init runs to its end', async () => {
  const authority = opensslCertificate({ subject: '/CN=my own CA' });
  const signer = opensslSigner(authority);
  const serviceAccountKey = opensslKey();
  const ports = initWorld({
    signer,
    startMs: Date.now() + 60_000,
    files: {
      [`${pki}/ca.crt`]: authority.certificate,
      [`${pki}/sa.key`]: { content: serviceAccountKey, mode: 0o600 },
      [`${pki}/sa.pub`]: openssl(['pkey', '-pubout'], serviceAccountKey),
    },
  });
  const init = await createBootstrap({ ports }).init({ configuration });
  await init.plan();
  expect(signer.asked).toEqual([]);
  await init.run();
  expect(ports.memory.paths()).not.toContain(`${pki}/ca.key`);
  const certificates = Object.keys(foreignTable).filter((name) => name !== 'ca');
  const kubeconfigs = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'];
  expect(signer.asked).toHaveLength(certificates.length + kubeconfigs.length);
  const apiserver = new X509Certificate(ports.memory.text(`${pki}/apiserver.crt`) ?? '');
  expect(apiserver.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  expect((await init.plan()).phases.filter(({ decision }) => ['create', 'replace'].includes(decision))).toEqual([]);
});

describe('a signal', () => {
  test.each(['certs/apiserver', 'kubelet-start', 'wait-control-plane', 'addon/coredns'])(
    'stops a run in %s; the next run goes on and makes no key again',
    async (stopped) => {
      const ports = initWorld();
      const controller = new AbortController();
      const init = await createBootstrap({ ports }).init({ configuration });
      const report = (event: Event) => {
        if (event.type === 'phase-started' && event.phase === stopped) controller.abort(new Error('enough'));
      };
      const error = await errorOf(init.run({ report, signal: controller.signal }));
      expect(error.code).toBe('PHASES_ABORTED');
      const keys = () => ports.memory.paths().filter((path) => path.endsWith('.key'));
      const made = Object.fromEntries(keys().map((path) => [path, ports.memory.text(path)]));
      expect(Object.keys(made).length).toBeGreaterThan(0);

      const again = await createBootstrap({ ports }).init({ configuration });
      const result = await again.run();
      expect(result.phases.find(({ phase }) => phase === 'certs/ca')?.decision).toBe('keep');
      for (const [path, text] of Object.entries(made)) expect(ports.memory.text(path), path).toBe(text);
      const verdicts = await again.verify({ selection: { skip: ['preflight'] } });
      expect(verdicts.flatMap(({ findings }) => findings)).toEqual([]);
    },
  );
});

describe('join and reset in-process', () => {
  test('a worker joins with ports of its own, and is reset', async () => {
    const certificate = await kubeletCertificate();
    const world = joinWorld({ certificate });
    const ports = { ...world, fetch: answeringServer };
    const bootstrap = createBootstrap({ ports });
    const configuration = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      discovery: { bootstrapToken: { token, apiServerEndpoint: endpoint, unsafeSkipCAVerification: true } },
    };
    const join = await bootstrap.join({ configuration });
    expect(join.context.join.nodeRegistration.name).toBe('node-b');
    expect(changesOf(world)).toEqual([]);
    await join.run();
    expect(world.memory.text(paths.certificate)).toBe(certificate);

    const refused = await bootstrap.reset();
    expect(refused.context.confirmed).toBe(false);
    const reset = await bootstrap.reset({ confirmed: true });
    await reset.run();
    expect(world.memory.text(paths.kubeconfig)).toBeUndefined();
    expect(world.memory.unit('kubelet')?.active).toBe(false);
  });

  test('who has no fetch cannot join', async () => {
    const error = await errorOf(createBootstrap({ ports: memoryPorts() }).join({ endpoint }));
    expect(error).toMatchObject({ code: 'BOOTSTRAP_FETCH_MISSING', kind: 'usage' });
  });
});
