import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { initWorld } from '../test/init-world.ts';
import { joinRequest, joinWorld, kubeletCertificate, paths } from '../test/join-world.ts';
import { initWorkflow, joinWorkflow, nodeStatus, nodeVerdicts, resolveInit, resolveJoin } from './index.ts';

const configFile = '/root/node.yaml';
const configText = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
certificatesDir: /srv/pki
clusterName: acme
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a}
`;
const pki = '/srv/pki';

async function finished(): Promise<MemoryPorts> {
  const ports = initWorld();
  const { context } = await resolveInit({ configText, ports });
  await runWorkflow({ workflow: initWorkflow, config: context, ports, actor: 'test' });
  ports.memory.put('/var/lib/etcd/member/snap/db', { content: 'data' });
  return ports;
}

const statusOf = (ports: MemoryPorts) => nodeStatus({ ports, configText, configFile });

type Backup = ReadonlyMap<string, string>;

function take(ports: MemoryPorts, ...places: readonly string[]): Backup {
  const backup = new Map(places.map((place) => [place, ports.memory.text(place) ?? '']));
  for (const place of places) ports.memory.remove(place);
  return backup;
}

function restore({ memory }: MemoryPorts, backup: Backup): void {
  for (const [place, content] of backup) memory.put(place, { content, mode: place.endsWith('.key') ? 0o600 : 0o644 });
}

/** Runs each command of init that an advice names, as the command line would. */
async function runNamed(ports: MemoryPorts, advice: string): Promise<void> {
  const commands = [...advice.matchAll(/init phase ([a-z-]+) ([a-z-]+) --config \/root\/node\.yaml/g)];
  expect(commands.length, advice).toBeGreaterThan(0);
  for (const [, group, name] of commands) {
    const { context } = await resolveInit({ configText, ports, command: `init phase ${group} ${name}` });
    const selection = { only: [`${group}/${name}`] };
    await runWorkflow({ workflow: initWorkflow, config: context, ports, selection, actor: 'test' });
  }
}

/** Runs the line of the shell that takes a certificate out of a kubeconfig. */
function runExtraction({ memory }: MemoryPorts, advice: string): void {
  const [, script, source = '', target = ''] = /(sed -n '[^']+' (\S+) \| base64 -d > (\S+\.crt))/.exec(advice) ?? [];
  expect(script, advice).toBeDefined();
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-advice-'));
  try {
    writeFileSync(join(folder, 'in'), memory.text(source) ?? '');
    const here = (script ?? '').replace(source, join(folder, 'in')).replace(target, join(folder, 'out'));
    execFileSync('sh', ['-c', here]);
    memory.put(target, { content: readFileSync(join(folder, 'out'), 'utf8'), mode: 0o644 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Row {
  readonly state: string;
  readonly lost: readonly string[];
  /** Phases whose advice is followed. */
  readonly phase: string;
  readonly says: RegExp;
  readonly neverSays?: RegExp;
  readonly follow: (ports: MemoryPorts, advice: string, backup: Backup) => Promise<void> | void;
  /** Whether the whole workflow is advised too. */
  readonly isNext?: boolean;
}

const noCommand = /init phase certs (ca|etcd-ca|front-proxy-ca)/;

const rows: readonly Row[] = [
  {
    state: 'a manifest is gone',
    lost: ['/etc/kubernetes/manifests/kube-scheduler.yaml'],
    phase: 'control-plane/scheduler',
    says: /^init phase control-plane scheduler --config/,
    follow: runNamed,
    isNext: true,
  },
  {
    state: 'a certificate and its key are gone',
    lost: [`${pki}/apiserver.crt`, `${pki}/apiserver.key`],
    phase: 'certs/apiserver',
    says: /^init phase certs apiserver --config/,
    follow: runNamed,
    isNext: true,
  },
  {
    state: 'a certificate is gone, and its key is there',
    lost: [`${pki}/apiserver.crt`],
    phase: 'certs/apiserver',
    says: /^init phase certs apiserver --config/,
    follow: runNamed,
    isNext: true,
  },
  {
    state: 'a key is gone, and its certificate is there',
    lost: [`${pki}/apiserver.key`],
    phase: 'certs/apiserver',
    says: /^put \S+apiserver\.key back, or move \S+apiserver\.crt away and have both made anew: groundplane init phase certs/,
    async follow(ports, advice) {
      ports.memory.remove(`${pki}/apiserver.crt`);
      await runNamed(ports, advice);
    },
  },
  {
    state: 'a kubeconfig is gone',
    lost: ['/etc/kubernetes/scheduler.conf'],
    phase: 'kubeconfig/scheduler',
    says: /^init phase kubeconfig scheduler --config/,
    follow: runNamed,
    isNext: true,
  },
  {
    state: 'the CA is gone',
    lost: [`${pki}/ca.crt`, `${pki}/ca.key`],
    phase: 'certs/ca',
    says: /^put \S+ca\.crt and \S+ca\.key back from a backup; the certificate, though not the key/,
    neverSays: noCommand,
    follow: (ports, _, backup) => restore(ports, backup),
  },
  {
    state: 'the certificate of the CA is gone',
    lost: [`${pki}/ca.crt`],
    phase: 'certs/ca',
    says: /certificate-authority-data: sed /,
    neverSays: noCommand,
    follow: runExtraction,
  },
  ...['certs/apiserver', 'kubeconfig/admin', 'kubelet-finalize/enable-client-cert-rotation'].map(
    (phase): Row => ({
      state: `the certificate of the CA is gone, as ${phase} says`,
      lost: [`${pki}/ca.crt`],
      phase,
      says: /put \S+ca\.crt back from a backup/,
      neverSays: /its phase makes it|init phase/,
      follow: runExtraction,
    }),
  ),
  {
    state: 'the CA is no certificate',
    lost: [`${pki}/ca.crt`],
    phase: 'certs/ca',
    says: /^put \S+ca\.crt back from a backup/,
    neverSays: /so that it is made anew/,
    follow: runExtraction,
  },
  ...(['front-proxy-ca', 'etcd/ca'] as const).map(
    (name): Row => ({
      state: `${name} is gone`,
      lost: [`${pki}/${name}.crt`, `${pki}/${name}.key`],
      phase: `certs/${name === 'etcd/ca' ? 'etcd-ca' : name}`,
      says: /^put \S+ and \S+ back from a backup; or else move .* away/,
      neverSays: noCommand,
      async follow(ports, advice) {
        const [, moved = ''] = /or else move (.*) away/.exec(advice) ?? [];
        for (const place of moved.split(', ')) ports.memory.remove(place);
        const { next } = await statusOf(ports);
        expect(next).toBe('init');
        const { context } = await resolveInit({ configText, ports });
        await runWorkflow({ workflow: initWorkflow, config: context, ports, actor: 'test' });
      },
    }),
  ),
  {
    state: 'sa.key is gone',
    lost: [`${pki}/sa.key`],
    phase: 'certs/sa',
    says: /^put \S+sa\.key back from a backup; only without one move \S+sa\.pub away .*replaces the key of the cluster/,
    async follow(ports, advice) {
      ports.memory.remove(`${pki}/sa.pub`);
      await runNamed(ports, advice);
    },
  },
  {
    state: 'both keys of service accounts are gone',
    lost: [`${pki}/sa.key`, `${pki}/sa.pub`],
    phase: 'certs/sa',
    says: /back from a backup; only without one .*replaces the key of the cluster/,
    follow: runNamed,
  },
  {
    state: 'sa.pub is gone',
    lost: [`${pki}/sa.pub`],
    phase: 'certs/sa',
    says: /^init phase certs sa --config/,
    follow: runNamed,
    isNext: true,
  },
  ...(
    [
      ['certs/apiserver', ['apiserver.crt', 'apiserver.key']],
      ['kubeconfig/admin', ['/etc/kubernetes/admin.conf']],
    ] as const
  ).map(
    ([phase, gone]): Row => ({
      state: `what an external CA has signed is gone: ${phase}`,
      lost: [`${pki}/ca.key`, ...gone.map((name) => (name.startsWith('/') ? name : `${pki}/${name}`))],
      phase,
      says: /^have your CA sign it.*groundplane certs requests; then groundplane certs import FILE. Or put the key of the CA at \/srv\/pki\/ca\.key$/,
      neverSays: /init phase/,
      async follow(ports, _, backup) {
        restore(ports, new Map([...backup].filter(([place]) => place.endsWith('ca.key'))));
        const { phases } = await statusOf(ports);
        await runNamed(ports, phases.find((one) => one.phase === phase)?.command ?? '');
      },
    }),
  ),
];

describe('a control-plane node is complete after what its status advises', () => {
  test.each(rows.map((row) => [row.state, row] as const))('where %s', async (state, row) => {
    const { lost, phase, says, neverSays, follow, isNext = false } = row;
    const ports = await finished();
    expect((await statusOf(ports)).state).toBe('complete');
    const backup = take(ports, ...lost);
    if (state === 'the CA is no certificate') ports.memory.put(`${pki}/ca.crt`, { content: 'x' });
    const status = await statusOf(ports);
    const found = status.phases.find((one) => one.phase === phase);
    const advice = found?.command ?? found?.advice ?? '';
    expect(advice).toMatch(says);
    if (neverSays !== undefined) expect(JSON.stringify(found)).not.toMatch(neverSays);
    expect(status.state).toBe('incomplete');
    expect(status.next).toBe(isNext ? 'init' : undefined);
    await follow(ports, advice, backup);
    const after = await statusOf(ports);
    const left = after.phases.filter(({ state }) => state !== 'done' && state !== 'inapplicable');
    expect(left.map(({ phase, state, reason }) => [phase, state, reason])).toEqual([]);
    expect(after.state).toBe('complete');
  });

  test('where a signer is configured what an external CA has signed is made by its phase', async () => {
    const ports = await finished();
    take(ports, `${pki}/ca.key`, `${pki}/apiserver.crt`, `${pki}/apiserver.key`);
    const signer = 'apiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\nsigner: {command: [ask]}\n';
    const { phases } = await nodeStatus({ ports, configText: `${configText}---\n${signer}`, configFile });
    const found = phases.find(({ phase }) => phase === 'certs/apiserver');
    expect(found?.command ?? found?.advice).toMatch(
      /^init phase certs apiserver --config|groundplane init phase certs apiserver/,
    );
    expect(JSON.stringify(phases)).not.toContain('certs requests');
  });

  test('and verify says the same', async () => {
    const ports = await finished();
    take(ports, `${pki}/ca.crt`, `${pki}/ca.key`);
    const verdicts = await nodeVerdicts({ ports, workflow: 'init' });
    const hints = verdicts?.phases.flatMap(({ findings }) =>
      findings.filter(({ artifact }) => artifact === `${pki}/ca.crt`).map(({ hint }) => hint),
    );
    expect(hints?.length).toBeGreaterThan(3);
    for (const hint of hints ?? []) expect(hint).toMatch(/^Put \S+ and \S+ back from a backup/);
  });
});

test('a worker whose CA is gone from another place gets it from its kubelet.conf', async () => {
  const ports = joinWorld({ certificate: await kubeletCertificate() });
  const { context } = await resolveJoin(await joinRequest(ports));
  await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
  const file = '/var/lib/kubelet/config.yaml';
  const text = (ports.memory.text(file) ?? '').replaceAll(paths.authority, '/srv/pki/ca.crt');
  ports.memory.put(file, { content: text });
  ports.memory.remove(paths.authority);
  const status = await nodeStatus({ ports });
  const found = status.phases.find(({ phase }) => phase === 'kubelet-start');
  expect(found).toMatchObject({ state: 'partly', reason: expect.stringContaining('/srv/pki/ca.crt is missing') });
  expect(found).not.toHaveProperty('command');
  expect(found?.advice).not.toContain('its phase');
  runExtraction(ports, found?.advice ?? '');
  expect(found?.advice).toMatch(/systemctl restart kubelet$/);
  await ports.host.services.restart('kubelet');
  const after = await nodeStatus({ ports });
  expect(after.phases.filter(({ state }) => state !== 'done')).toEqual([]);
});
