import type { PhaseStatus } from '@groundplane/phases';
import { openJournal, readJournal, runWorkflow, type Selection } from '@groundplane/phases';
import { type MemoryPorts, memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { joinRequest, joinWorld, kubeletCertificate, paths } from '../test/join-world.ts';
import { initWorkflow, joinWorkflow, type NodeStatus, nodeStatus, resolveInit, resolveJoin } from './index.ts';

const journal = '/var/lib/groundplane/journal.jsonl';

async function init(ports: MemoryPorts, selection: Selection = {}, lines: Parameters<typeof initContext>[0] = {}) {
  const config = await initContext(lines);
  await runWorkflow({ workflow: initWorkflow, config, ports, selection, actor: 'test', journal });
  if (selection.only === undefined) ports.memory.put('/var/lib/etcd/member/snap/db', { content: 'data' });
  return config;
}

async function statusOf(
  ports: MemoryPorts,
  request: Partial<Parameters<typeof nodeStatus>[0]> = {},
): Promise<NodeStatus> {
  const before = ports.memory.writes.length;
  const read = () => readJournal(ports.host.files, journal);
  const status = await nodeStatus({ ports, readJournal: read, ...request });
  expect(ports.memory.writes.length).toBe(before);
  return status;
}

const states = (phases: readonly PhaseStatus[]) =>
  Object.fromEntries(phases.filter(({ state }) => state !== 'done').map(({ phase, state }) => [phase, state]));
const artifactOf = (status: NodeStatus, location: string) =>
  status.phases.flatMap(({ artifacts }) => artifacts).find((artifact) => artifact.location === location);

describe('a machine on which nothing is', () => {
  test('is no node, and init makes one', async () => {
    expect(await statusOf(memoryPorts())).toMatchObject({
      role: 'none',
      state: 'none',
      next: 'init',
      phases: [],
      leftovers: [],
    });
  });

  test('is no node although something is left on it, which is named', async () => {
    const ports = memoryPorts({
      files: {
        '/etc/kubernetes/pki/corporate.crt': 'x',
        '/etc/kubernetes/pki/etcd/x': 'x',
        '/var/lib/etcd/member/wal': 'x',
      },
    });
    const { role, leftovers } = await statusOf(ports);
    expect([role, leftovers]).toEqual([
      'none',
      ['/etc/kubernetes/pki/corporate.crt', '/etc/kubernetes/pki/etcd/x', '/var/lib/etcd'],
    ]);
  });
});

describe('a control-plane node', () => {
  test('that init has finished is complete, by the configuration of the cluster', async () => {
    const ports = initWorld();
    await init(ports);
    const status = await statusOf(ports);
    expect(states(status.phases)).toEqual({
      'upload-config/groundplane': 'inapplicable',
      'upload-certs': 'inapplicable',
    });
    expect(status).toMatchObject({
      role: 'control-plane',
      state: 'complete',
      configuration: 'cluster',
      node: 'node-a',
      workflow: 'init',
    });
    expect(status).not.toHaveProperty('next');
    expect(status.components.map(({ component, state }) => `${component} ${state}`)).toEqual([
      'kubelet running',
      'etcd running',
      'kube-apiserver running',
      'kube-controller-manager running',
      'kube-scheduler running',
    ]);
  });

  test('whose scheduler is not healthy has the checks that failed for a reason', async () => {
    const ports = initWorld();
    await init(ports);
    const text = '[+]ping ok\n[-]leaderElection failed: reason withheld\nlivez check failed';
    const probe = async (url: string) =>
      url.includes(':10259/') ? { status: 500, text } : ports.host.probe(url, { timeoutMs: 1 });
    const { components } = await statusOf({ ...ports, host: { ...ports.host, probe } });
    expect(components.find(({ component }) => component === 'kube-scheduler')).toEqual({
      component: 'kube-scheduler',
      state: 'unhealthy',
      reason: 'it answers 500: [-]leaderElection failed: reason withheld',
      url: 'https://127.0.0.1:10259/livez',
    });
  });

  test.each<[string, Parameters<typeof initContext>[0]]>([
    [
      'other subnets, names and folders',
      {
        cluster:
          'clusterName: other\ncertificatesDir: /etc/other-pki\ncontrolPlaneEndpoint: cluster.example.com:8443\nnetworking: {serviceSubnet: 10.200.0.0/16, podSubnet: 10.100.0.0/16, dnsDomain: example.org}\n',
      },
    ],
    [
      'settings of ours, and a kubelet of one’s own',
      {
        documents:
          '---\napiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\ncoreDNS: {apiServer: Service}\n---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 42\n---\napiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ipvs\n',
      },
    ],
  ])('is complete with %s, and nobody has to say so', async (_, lines) => {
    const ports = initWorld();
    await init(ports, {}, lines);
    const status = await statusOf(ports);
    expect(status.phases.filter(({ state }) => !['done', 'inapplicable'].includes(state))).toEqual([]);
    expect(status.state).toBe('complete');
    // By the manifests alone, where the API server is down.
    ports.memory.putUnit('kubelet', { active: false });
    const down = await statusOf(ports);
    expect(down.configuration).toBe('node');
    expect(down.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
    for (const phase of ['certs/apiserver', 'kubeconfig/admin', 'etcd/local', 'control-plane/apiserver'])
      expect(down.phases.find((one) => one.phase === phase)?.state).toBe('done');
  });

  test('whose API server is down says so of all that is in the cluster, and what still is there', async () => {
    const ports = initWorld();
    await init(ports);
    ports.memory.putUnit('kubelet', { active: false });
    const { phases, components, state, configuration } = await statusOf(ports);
    expect(configuration).toBe('node');
    const unknown = phases.filter((phase) => phase.state === 'unknown');
    expect(unknown.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(['upload-config/kubeadm', 'addon/coredns']),
    );
    expect(unknown.every(({ reason }) => reason?.includes('ECONNREFUSED'))).toBe(true);
    expect(phases.find(({ phase }) => phase === 'certs/ca')?.state).toBe('done');
    expect(phases.find(({ phase }) => phase === 'kubelet-start')).toMatchObject({ state: 'partly' });
    expect(components.filter((component) => component.state !== 'stopped')).toEqual([]);
    expect(state).toBe('incomplete');
  });

  test('that is half made tells which phase is next', async () => {
    const ports = initWorld();
    await init(ports, { only: ['certs', 'kubeconfig'] });
    const status = await statusOf(ports);
    expect(status).toMatchObject({
      role: 'control-plane',
      state: 'incomplete',
      configuration: 'node',
      next: 'init',
    });
    expect(status).not.toHaveProperty('nextCommand');
    const first = status.phases.find(({ state }) => state !== 'done');
    expect(first).toMatchObject({
      phase: 'etcd/local',
      state: 'missing',
      advice: expect.stringContaining('--config FILE'),
      reason: '/etc/kubernetes/manifests/etcd.yaml is missing',
    });
    expect(first).not.toHaveProperty('command');
    expect(status.phases.find(({ phase }) => phase === 'upload-config/kubeadm')).toMatchObject({
      state: 'missing',
      reason: 'there is no cluster yet: etcd has no data in /var/lib/etcd',
    });
    expect(states(status.phases)['kubelet-finalize/enable-client-cert-rotation']).toBe('missing');
  });

  test('whose names nobody knows is not judged by the defaults, but by what it is told', async () => {
    const ports = initWorld();
    const lines = { cluster: 'networking: {serviceSubnet: 10.200.0.0/16}\n' };
    await init(ports, { only: ['certs'] }, lines);
    const apiserver = ({ phases }: NodeStatus) => phases.find(({ phase }) => phase === 'certs/apiserver');
    expect(apiserver(await statusOf(ports))).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('--config'),
    });
    const configText = `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n${lines.cluster}---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nlocalAPIEndpoint: {advertiseAddress: 192.0.2.10}\n`;
    const told = await statusOf(ports, { configText });
    expect(told.configuration).toBe('file');
    expect(apiserver(told)?.state).toBe('done');
    expect(apiserver(await statusOf(ports, { configText: configText.replace('10.200', '10.201') }))?.state).toBe(
      'wrong',
    );
  });

  test.each<[string, string, (ports: MemoryPorts) => Promise<void> | void, string, RegExp]>([
    [
      'a key is gone',
      'certs/apiserver',
      (ports) => ports.host.files.remove('/etc/kubernetes/pki/apiserver.key'),
      'partly',
      /apiserver\.key is missing/,
    ],
    [
      'a certificate is none',
      'certs/apiserver',
      (ports) => ports.memory.put('/etc/kubernetes/pki/apiserver.crt', { content: 'x' }),
      'wrong',
      /apiserver\.crt is not a PEM certificate/,
    ],
    [
      'the CA is gone',
      'certs/apiserver',
      (ports) => ports.host.files.remove('/etc/kubernetes/pki/ca.crt'),
      'unknown',
      /ca\.crt is needed and does not exist/,
    ],
    [
      'a manifest is gone',
      'control-plane/scheduler',
      (ports) => ports.host.files.remove('/etc/kubernetes/manifests/kube-scheduler.yaml'),
      'missing',
      /kube-scheduler\.yaml is missing/,
    ],
    [
      'the ConfigMap is gone',
      'addon/kube-proxy',
      async (ports) => {
        const cluster = await ports.clusters.connect({
          kubeconfig: ports.memory.text('/etc/kubernetes/super-admin.conf') ?? '',
          timeoutMs: 1,
        });
        await cluster.delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name: 'kube-proxy' });
      },
      'partly',
      /ConfigMap kube-system\/kube-proxy is missing/,
    ],
  ])('where %s', async (_, phase, change, state, reason) => {
    const ports = initWorld();
    await init(ports);
    await change(ports);
    const status = await statusOf(ports);
    const found = status.phases.find((one) => one.phase === phase);
    expect(found?.state).toBe(state);
    expect(found?.reason).toMatch(reason);
    // Without a file a command would go by the defaults, which this cluster has not; and what is broken or lost no phase makes.
    expect(found).not.toHaveProperty('command');
    expect(found?.advice).toMatch(/--config FILE|so that it is made anew|back from a backup/);
    expect(JSON.stringify(found?.findings)).not.toMatch(/'init phase/);
    expect(status.state).toBe('incomplete');
  });

  test('can do without super-admin.conf', async () => {
    const ports = initWorld();
    await init(ports);
    await ports.host.files.remove('/etc/kubernetes/super-admin.conf');
    const status = await statusOf(ports);
    expect(states(status.phases)['kubeconfig/super-admin']).toBe('missing');
    expect(status.state).toBe('complete');
  });

  test('tells who made what by the journal, and is the same without it but for that', async () => {
    const ports = initWorld();
    const place = '/etc/kubernetes/pki/sa.pub';
    const foreign = initWorld();
    await init(foreign, { only: ['certs/sa'] });
    for (const name of ['sa.key', 'sa.pub'])
      ports.memory.put(`/etc/kubernetes/pki/${name}`, {
        content: foreign.memory.text(`/etc/kubernetes/pki/${name}`) ?? '',
        mode: 0o600,
      });
    await init(ports);
    const admin = '/etc/kubernetes/admin.conf';
    ports.memory.put(admin, { content: `${ports.memory.text(admin)}# mine\n`, mode: 0o600 });
    const status = await statusOf(ports);
    expect(artifactOf(status, place)?.origin).toBe('others');
    expect(artifactOf(status, admin)?.origin).toBe('changed');
    expect(artifactOf(status, '/etc/kubernetes/pki/ca.crt')).toMatchObject({
      origin: 'ours',
      entry: { phase: 'certs/ca', actor: 'test' },
    });
    await ports.host.files.remove(journal);
    const without = await statusOf(ports);
    expect(artifactOf(without, place)?.origin).toBe('unknown');
    expect(states(without.phases)).toEqual(states(status.phases));
    expect({ ...without, phases: [] }).toEqual({ ...status, phases: [] });
  });
});

/** A configuration of which nothing is where the defaults have it. */
const elsewhere = {
  cluster:
    'certificatesDir: /opt/pki\nclusterName: other\ncontrolPlaneEndpoint: cluster.example.com:8443\nnetworking: {serviceSubnet: 10.200.0.0/16, podSubnet: 10.100.0.0/16, dnsDomain: example.org}\netcd: {local: {dataDir: /opt/etcd}}\n',
};
const manifests = '/etc/kubernetes/manifests';
const clusterOf = (ports: MemoryPorts) =>
  ports.clusters.connect({ kubeconfig: ports.memory.text('/etc/kubernetes/super-admin.conf') ?? '', timeoutMs: 1 });
const removeConfigMap = async (ports: MemoryPorts, name: string) =>
  (await clusterOf(ports)).delete({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'kube-system', name });

describe('a control-plane node with a configuration of its own', () => {
  const stopped = async (...removed: readonly string[]) => {
    const ports = initWorld();
    await init(ports, {}, elsewhere);
    await ports.host.files.remove('/var/lib/etcd/member/snap/db');
    ports.memory.put('/opt/etcd/member/snap/db', { content: 'data' });
    ports.memory.putUnit('kubelet', { active: false });
    for (const path of removed) await ports.host.files.remove(path);
    return ports;
  };
  const runnable = ({ phases }: NodeStatus) => phases.filter(({ command }) => command !== undefined);
  const missing = ({ phases }: NodeStatus) =>
    phases.filter(({ state }) => state === 'missing').map(({ phase }) => phase);

  test.each<[string, readonly string[], readonly string[]]>([
    ['the API server', ['kube-apiserver'], ['control-plane/apiserver']],
    [
      'all but etcd',
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
      ['control-plane/apiserver', 'control-plane/controller-manager', 'control-plane/scheduler'],
    ],
    [
      'all but the controller manager',
      ['kube-apiserver', 'etcd', 'kube-scheduler'],
      ['etcd/local', 'control-plane/apiserver', 'control-plane/scheduler'],
    ],
  ])('is judged by what is left, where the manifests are gone: %s', async (_, components, expected) => {
    const ports = await stopped(...components.map((name) => `${manifests}/${name}.yaml`));
    const status = await statusOf(ports);
    expect(status.configuration).toBe('node');
    expect(missing(status)).toEqual(expected);
    expect(status.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
    const certificates = status.phases.filter(({ phase }) => /^certs\/(ca|sa|apiserver|front-proxy-ca)$/.test(phase));
    // Nothing else tells the subnet of services.
    const names = components.includes('kube-controller-manager') ? 'unknown' : 'done';
    expect(certificates.map(({ state }) => state)).toEqual(['done', names, 'done', 'done']);
    expect(runnable(status)).toEqual([]);
  });

  test('is judged by the kubelet’s configuration, where no manifest is left', async () => {
    const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
    const status = await statusOf(await stopped(...names.map((name) => `${manifests}/${name}.yaml`)));
    const stateOf = (name: string) => status.phases.find(({ phase }) => phase === name)?.state;
    expect([stateOf('certs/ca'), stateOf('certs/sa'), stateOf('kubeconfig/admin')]).toEqual(['done', 'done', 'done']);
    // Its etcd may have data in another folder: there may be a cluster.
    expect(stateOf('upload-config/kubeadm')).toBe('unknown');
    expect(runnable(status)).toEqual([]);
  });

  test('of which only kubeconfigs tell has no PKI that is missing', async () => {
    const ports = initWorld();
    await init(ports, { only: ['certs', 'kubeconfig'] }, elsewhere);
    const status = await statusOf(ports);
    expect(status.phases.filter(({ phase, state }) => phase.startsWith('certs/') && state !== 'unknown')).toEqual([]);
    expect(status.phases.find(({ phase }) => phase === 'certs/ca')?.reason).toContain('certificatesDir');
    expect(status.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(runnable(status)).toEqual([]);
  });

  test('has nothing that is missing for who may not read what tells it', async () => {
    const ports = initWorld();
    await init(ports, {}, elsewhere);
    const isHidden = (path: string) =>
      /^\/etc\/kubernetes\/(manifests\/|.*\.conf)|^\/var\/lib\/kubelet\/|^\/opt\/|\.key$/.test(path);
    const denied =
      <A extends readonly unknown[], R>(call: (path: string, ...rest: A) => Promise<R>) =>
      async (path: string, ...rest: A): Promise<R> => {
        if (isHidden(path))
          throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' });
        return call(path, ...rest);
      };
    const { files } = ports.host;
    const status = files.status;
    const limited = {
      ...ports,
      host: {
        ...ports.host,
        files: {
          ...files,
          read: denied(files.read),
          list: denied(files.list),
          // Kubeconfigs are in a folder that everybody may list.
          status: (path: string, ...rest: []) =>
            path.endsWith('.conf') ? status(path, ...rest) : denied(status)(path, ...rest),
        },
      },
    } as MemoryPorts;
    const seen = await statusOf(limited, { readJournal: async () => undefined });
    expect(seen).toMatchObject({ role: 'control-plane', state: 'unknown', configuration: 'defaults' });
    expect(Object.values(states(seen.phases)).filter((state) => !['unknown', 'inapplicable'].includes(state))).toEqual(
      [],
    );
    expect(runnable(seen)).toEqual([]);
  });
});

describe('what a status advises', () => {
  const text = (lines = '') =>
    `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\nencryptionAlgorithm: ECDSA-P256\n${lines}---\napiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\nlocalAPIEndpoint: {advertiseAddress: 192.0.2.10}\nnodeRegistration: {name: node-a}\n`;

  test('names the file by which it was judged, in hints too', async () => {
    const ports = initWorld();
    await init(ports);
    for (const name of ['front-proxy-ca.crt', 'front-proxy-ca.key', 'front-proxy-client.crt', 'front-proxy-client.key'])
      await ports.host.files.remove(`/etc/kubernetes/pki/${name}`);
    const status = await statusOf(ports, { configText: text(), configFile: '/tmp/my config.yaml' });
    const of = (name: string) => status.phases.find(({ phase }) => phase === name);
    const command = "init phase certs front-proxy-ca --config '/tmp/my config.yaml'";
    expect(of('certs/front-proxy-ca')?.command).toBe(command);
    expect(of('certs/front-proxy-client')?.findings[0]?.hint).toContain(`'${command}'`);
    expect(status).toMatchObject({ next: 'init', nextCommand: "init --config '/tmp/my config.yaml'" });
  });

  test('is a command where that finds the same as the cluster keeps', async () => {
    const ports = initWorld();
    const { context } = await resolveInit({ ports, looksOnly: true });
    await runWorkflow({ workflow: initWorkflow, config: context, ports, actor: 'test' });
    ports.memory.put('/var/lib/etcd/member/snap/db', { content: 'data' });
    for (const name of ['apiserver.crt', 'apiserver.key']) await ports.host.files.remove(`/etc/kubernetes/pki/${name}`);
    const status = await statusOf(ports);
    expect(status.configuration).toBe('cluster');
    expect(status.phases.find(({ phase }) => phase === 'certs/apiserver')?.command).toBe('init phase certs apiserver');
  });
});

describe('a cluster that has lost a document', () => {
  const settings =
    '---\napiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\njournal: {path: /var/log/own.jsonl}\n';
  const cluster = 'clusterName: other\nnetworking: {serviceSubnet: 10.200.0.0/16, dnsDomain: example.org}\n';
  const lost = async (name: string) => {
    const ports = initWorld();
    await init(ports, {}, { cluster, documents: settings });
    await removeConfigMap(ports, name);
    const paths: (string | undefined)[] = [];
    const status = await statusOf(ports, {
      onConfiguration: ({ groundplane }) => void paths.push(groundplane?.journal?.path),
    });
    return { status, path: paths[0] };
  };

  test('is still judged by the others', async () => {
    const { status, path } = await lost('kubelet-config');
    expect(status.configuration).toBe('cluster');
    expect(path).toBe('/var/log/own.jsonl');
    expect(states(status.phases)).toMatchObject({ 'upload-config/kubelet': 'partly' });
    expect(status.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(status.phases.find(({ phase }) => phase === 'addon/coredns')?.state).toBe('done');
  });

  test('is not compared with a guess where that is kubeadm-config', async () => {
    const { status, path } = await lost('kubeadm-config');
    expect(status.configuration).toBe('node');
    expect(path).toBe('/var/log/own.jsonl');
    expect(status.phases.filter(({ state }) => state === 'wrong')).toEqual([]);
    expect(status.phases.find(({ phase }) => phase === 'upload-config/kubeadm')?.reason).toContain('kubeadm-config');
    expect(status.phases.find(({ phase }) => phase === 'certs/apiserver')?.state).toBe('done');
  });
});

describe('a worker', () => {
  const joined = async () => {
    const ports = joinWorld({ certificate: await kubeletCertificate() });
    const { context } = await resolveJoin(await joinRequest(ports));
    return { ports, context };
  };

  test('that join has finished is complete', async () => {
    const { ports, context } = await joined();
    await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test', journal });
    const status = await statusOf(ports);
    expect(status).toMatchObject({
      role: 'worker',
      state: 'complete',
      configuration: 'node',
      node: 'node-b',
      workflow: 'join',
    });
    expect(status.phases.map(({ phase, state }) => [phase, state])).toEqual([
      ['kubelet-start', 'done'],
      ['kubelet-wait-bootstrap', 'done'],
    ]);
    expect(artifactOf(status, paths.authority)?.origin).toBe('ours');
    expect(status.components).toMatchObject([{ component: 'kubelet', state: 'running' }]);
  });

  test('whose kubelet has no certificate yet is half made', async () => {
    const { ports, context } = await joined();
    await runWorkflow({
      workflow: joinWorkflow,
      config: context,
      ports,
      selection: { only: ['kubelet-start'] },
      actor: 'test',
    });
    await ports.host.files.remove(paths.certificate);
    const status = await statusOf(ports);
    expect(status).toMatchObject({ role: 'worker', state: 'incomplete', next: 'join' });
    expect(states(status.phases)).toEqual({ 'kubelet-wait-bootstrap': 'partly' });
  });

  test('has its CA where the kubelet has it, and nobody knows where if that does not say so', async () => {
    const { ports, context } = await joined();
    await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
    const elsewhere = '/opt/pki/ca.crt';
    ports.memory.put(elsewhere, { content: ports.memory.text(paths.authority) ?? '' });
    await ports.host.files.remove(paths.authority);
    const file = '/var/lib/kubelet/config.yaml';
    const text = ports.memory.text(file) ?? '';
    const start = ({ phases }: NodeStatus) => phases.find(({ phase }) => phase === 'kubelet-start');
    const x509 = `authentication: {x509: {clientCAFile: ${elsewhere}}}\n`;
    ports.memory.put(file, { content: `${text.replace(/^authentication:\n( .*\n)*/m, '')}${x509}` });
    const told = start(await statusOf(ports));
    expect(told?.artifacts.find(({ location }) => location === elsewhere)?.state).toBe('present');
    expect(told?.reason).not.toContain('missing');
    ports.memory.put(file, { content: text.replace(/^authentication:\n( .*\n)*/m, '') });
    const unsure = start(await statusOf(ports));
    expect(unsure).toMatchObject({ state: 'unknown', reason: expect.stringContaining('caCertPath') });
    expect(unsure).not.toHaveProperty('command');
  });

  test('is not made by a CA that somebody has put there for what is to come', async () => {
    const ports = joinWorld({ files: { [paths.authority]: 'PEM' } });
    expect(await statusOf(ports)).toMatchObject({ role: 'none', state: 'none', leftovers: [paths.authority] });
  });
});

test('an entry of the journal that somebody added by hand is no harm', async () => {
  const ports = initWorld();
  await init(ports);
  await openJournal(ports.host.files, journal).append({
    time: 'x',
    actor: 'x',
    workflow: 'x',
    phase: 'x',
    artifact: 'x',
    location: 'x',
    action: 'created',
  });
  expect((await statusOf(ports)).state).toBe('complete');
});
