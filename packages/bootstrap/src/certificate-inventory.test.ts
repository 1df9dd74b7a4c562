import { X509Certificate } from 'node:crypto';
import { runWorkflow } from '@groundplane/phases';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { initContext, initWorld } from '../test/init-world.ts';
import { endpoint, joinRequest, joinWorld, kubeletCertificate, paths, token } from '../test/join-world.ts';
import { certificateExpirations } from './certificate-expiration.ts';
import { type CertificateInventory, certificateInventory, type InventoryRequest } from './certificate-inventory.ts';
import { initWorkflow } from './init-workflow.ts';
import { joinWorkflow } from './join-workflow.ts';
import { resolveJoin } from './resolve-join.ts';

const pki = '/etc/kubernetes/pki';
const configText = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { name: node-a }
`;
const day = 24 * 3600 * 1000;

/** The files of a node that init has made; each test gets a world with a copy of them. */
const made: Record<string, { readonly content: string; readonly mode: number }> = {};
beforeAll(async () => {
  const ports = initWorld();
  const config = await initContext();
  await runWorkflow({
    workflow: initWorkflow,
    config,
    ports,
    actor: 'test',
    selection: { only: ['certs', 'kubeconfig'] },
  });
  for (const path of ports.memory.writes.map(({ location }) => location)) {
    const content = ports.memory.text(path);
    if (content !== undefined) made[path] = { content, mode: 0o600 };
  }
  expect(Object.keys(made)).toContain(`${pki}/etcd/peer.crt`);
});

/** The node with some files of its own; undefined takes one away. */
function nodeWith(changes: Readonly<Record<string, string | undefined>> = {}): MemoryPorts {
  const ports = initWorld();
  for (const [path, file] of Object.entries(made)) {
    if (!(path in changes)) ports.memory.put(path, file);
  }
  for (const [path, content] of Object.entries(changes)) {
    if (content !== undefined) ports.memory.put(path, { content, mode: 0o600 });
  }
  return ports;
}

async function inventoryOf(
  changes: Readonly<Record<string, string | undefined>> = {},
  request: Partial<InventoryRequest> = {},
): Promise<CertificateInventory> {
  const ports = nodeWith(changes);
  const before = ports.memory.writes.length;
  const inventory = await certificateInventory({ ports, configText, now: new Date(start()), ...request });
  expect(ports.memory.writes.length).toBe(before);
  return inventory;
}

/** When init made them, in milliseconds since the epoch. */
const start = () => Date.parse(new X509Certificate(made[`${pki}/apiserver.crt`]?.content ?? '').validTo) - 365 * day;

const entryOf = ({ entries }: CertificateInventory, name: string) => {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`there is no ${name}`);
  return entry;
};
const codesOf = (inventory: CertificateInventory, name: string) =>
  entryOf(inventory, name).findings.map(({ severity, code }) => `${severity} ${code}`);
const text = (path: string) => made[path]?.content ?? '';

describe('certificateInventory', () => {
  test('finds nothing wrong with what init makes', async () => {
    const inventory = await inventoryOf();
    expect(inventory.entries.flatMap(({ findings }) => findings)).toEqual([]);
    const present = inventory.entries.filter(({ state }) => state === 'present');
    expect(present).toHaveLength(15);
    for (const { path, kind, chain } of present.filter((entry) => entry.kind !== 'kubeconfig')) {
      const certificate = new X509Certificate(text(path));
      expect(chain[0]?.notAfter).toEqual(new Date(certificate.validTo));
      expect(chain.length).toBe(kind === 'authority' ? 1 : 2);
    }
    expect(present.filter(({ verified }) => verified === true)).toHaveLength(12);
  });

  test('has nothing secret in it', async () => {
    const shown = JSON.stringify(await inventoryOf());
    const keys = Object.entries(made).filter(([path]) => path.endsWith('.key'));
    expect(keys.length).toBeGreaterThan(9);
    const lines = keys.flatMap(([, { content }]) =>
      content.split('\n').filter((line) => line.length > 20 && !line.startsWith('-')),
    );
    expect(lines.filter((line) => shown.includes(line))).toEqual([]);
    const embedded = /client-key-data: (.*)/.exec(text('/etc/kubernetes/admin.conf'))?.[1] ?? '';
    expect(embedded.length).toBeGreaterThan(50);
    expect(shown).not.toContain(embedded);
  });

  test.each<readonly [string, Readonly<Record<string, string | undefined>>, string, string, readonly string[]]>([
    [
      'a missing certificate',
      { [`${pki}/apiserver.crt`]: undefined },
      'apiserver',
      'missing',
      ['error BOOTSTRAP_CERTIFICATE_MISSING'],
    ],
    [
      'a file that is none',
      { [`${pki}/apiserver.crt`]: 'x' },
      'apiserver',
      'unreadable',
      ['error BOOTSTRAP_CERTIFICATE_UNREADABLE'],
    ],
    [
      'a kubeconfig that is none',
      { '/etc/kubernetes/admin.conf': '[' },
      'admin.conf',
      'unreadable',
      ['error BOOTSTRAP_CERTIFICATE_UNREADABLE'],
    ],
    [
      'super-admin.conf that is not there',
      { '/etc/kubernetes/super-admin.conf': undefined },
      'super-admin.conf',
      'missing',
      [],
    ],
    [
      'a missing key',
      { [`${pki}/apiserver.key`]: undefined },
      'apiserver',
      'present',
      ['error BOOTSTRAP_CERTIFICATE_KEY_MISSING'],
    ],
    ['a CA whose key is elsewhere', { [`${pki}/ca.key`]: undefined }, 'ca', 'present', []],
    [
      'a missing CA',
      { [`${pki}/front-proxy-ca.crt`]: undefined },
      'front-proxy-client',
      'present',
      ['warning BOOTSTRAP_CERTIFICATE_UNVERIFIED'],
    ],
  ])('%s', async (_, changes, name, state, codes) => {
    const inventory = await inventoryOf(changes);
    expect(entryOf(inventory, name).state).toBe(state);
    expect(codesOf(inventory, name)).toEqual(codes);
  });

  test('of another CA, with the key of another certificate', async () => {
    const inventory = await inventoryOf({
      [`${pki}/front-proxy-ca.crt`]: text(`${pki}/ca.crt`),
      [`${pki}/apiserver.key`]: text(`${pki}/etcd/server.key`),
    });
    expect(codesOf(inventory, 'front-proxy-client')).toEqual(['error PKI_CERTIFICATE_UNTRUSTED']);
    expect(entryOf(inventory, 'front-proxy-client')).toMatchObject({ verified: false, chain: [{ role: 'leaf' }] });
    expect(codesOf(inventory, 'apiserver')).toEqual(['error PKI_KEY_MISMATCH']);
    expect(entryOf(inventory, 'apiserver').verified).toBe(true);
  });

  test.each([
    [334, 'apiserver', []],
    [336, 'apiserver', ['warning BOOTSTRAP_CERTIFICATE_EXPIRES_SOON']],
    [336, 'scheduler.conf', ['warning BOOTSTRAP_CERTIFICATE_EXPIRES_SOON']],
    [366, 'apiserver', ['error PKI_CERTIFICATE_EXPIRED']],
    [3650 - 181, 'ca', []],
    [3650 - 179, 'ca', ['warning BOOTSTRAP_CERTIFICATE_EXPIRES_SOON']],
    [3651, 'ca', ['warning PKI_CERTIFICATE_EXPIRED']],
  ] as const)('after %d days: %s', async (days, name, codes) => {
    const inventory = await inventoryOf({}, { now: new Date(start() + days * day) });
    expect(codesOf(inventory, name).filter((code) => !code.includes('ISSUER'))).toEqual(codes);
  });

  test('what is missing is asked of the CA that has its key elsewhere, and of no other', async () => {
    const inventory = await inventoryOf({
      [`${pki}/ca.key`]: undefined,
      [`${pki}/apiserver.crt`]: undefined,
      [`${pki}/etcd/peer.crt`]: undefined,
    });
    const hintsOf = (name: string) => entryOf(inventory, name).findings.map(({ code, hint }) => [code, hint]);
    expect(hintsOf('apiserver')).toEqual([
      [
        'BOOTSTRAP_CERTIFICATE_MISSING',
        'Have your CA sign it: groundplane certs requests; then groundplane certs import FILE',
      ],
    ]);
    expect(hintsOf('etcd-peer')).toEqual([['BOOTSTRAP_CERTIFICATE_MISSING', undefined]]);
  });

  test('names are not compared where nothing tells them', async () => {
    const ports = initWorld();
    for (const name of ['ca', 'apiserver']) {
      for (const end of ['crt', 'key'])
        ports.memory.put(`${pki}/${name}.${end}`, made[`${pki}/${name}.${end}`] ?? { content: '' });
    }
    const inventory = await certificateInventory({ ports, now: new Date(start()), role: 'control-plane' });
    expect(inventory.namesCompared).toBe(false);
    expect(codesOf(inventory, 'apiserver')).toEqual([]);
  });
});

test('of a worker what it has', async () => {
  const ports = joinWorld({ certificate: await kubeletCertificate() });
  const { context } = await resolveJoin(await joinRequest(ports));
  await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
  const inventory = await certificateInventory({ ports, now: new Date(ports.clock.now()) });
  expect(inventory).toMatchObject({ role: 'worker', node: 'node-b' });
  const shown = inventory.entries.filter(({ state }) => state !== 'missing');
  expect(shown.map(({ name, state, verified }) => [name, state, verified])).toEqual([
    ['ca', 'present', undefined],
    ['kubelet.conf', 'present', true],
    ['kubelet-client', 'present', true],
  ]);
  expect(shown.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))).toEqual([]);
  expect(certificateExpirations(inventory).certificates).toEqual([]);
});

test('of a worker what it has where its configuration puts it', async () => {
  const [authority, folder] = ['/srv/cluster/ca.crt', '/srv/kubelet'];
  const ports = joinWorld({ certificate: await kubeletCertificate() });
  const { context } = await resolveJoin(await joinRequest(ports));
  await runWorkflow({ workflow: joinWorkflow, config: context, ports, actor: 'test' });
  const move = (from: string, to: string) => {
    ports.memory.put(to, { content: ports.memory.text(from) ?? '', mode: 0o600 });
    ports.memory.remove(from);
  };
  move(paths.authority, authority);
  move(paths.certificate, `${folder}/kubelet-client-current.pem`);
  const text = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
caCertPath: ${authority}
discovery: { bootstrapToken: { token: ${token}, apiServerEndpoint: ${endpoint}, unsafeSkipCAVerification: true } }
nodeRegistration: { name: node-b, kubeletExtraArgs: [{ name: cert-dir, value: ${folder} }] }
`;
  const looked = { ports, role: 'worker' as const, configText: text, now: new Date(ports.clock.now()) };
  const { entries, certificatesDir } = await certificateInventory(looked);
  expect(certificatesDir).toBe('/srv/cluster');
  const found = new Map(entries.map((entry) => [entry.name, [entry.path, entry.state]]));
  expect(found.get('ca')).toEqual([authority, 'present']);
  expect(found.get('kubelet-client')).toEqual([`${folder}/kubelet-client-current.pem`, 'present']);
  expect(found.get('kubelet-server')?.[0]).toBe(`${folder}/kubelet.crt`);
  const named = await certificateInventory({ ...looked, certificatesDir: '/etc/kubernetes/pki' });
  expect(entryOf(named, 'ca')).toMatchObject({ path: paths.authority, state: 'missing' });
});

describe('certificateExpirations', () => {
  test('are sorted by name, with what is missing', async () => {
    const inventory = await inventoryOf({ [`${pki}/ca.key`]: undefined, [`${pki}/etcd/peer.crt`]: undefined });
    const { certificates, certificateAuthorities } = certificateExpirations(inventory);
    expect(certificates.map(({ name }) => name)).toEqual([
      'admin.conf',
      'apiserver',
      'apiserver-etcd-client',
      'apiserver-kubelet-client',
      'controller-manager.conf',
      'etcd-healthcheck-client',
      'etcd-peer',
      'etcd-server',
      'front-proxy-client',
      'scheduler.conf',
      'super-admin.conf',
    ]);
    expect(certificateAuthorities.map(({ name, externallyManaged }) => [name, externallyManaged])).toEqual([
      ['ca', true],
      ['etcd-ca', false],
      ['front-proxy-ca', false],
    ]);
    expect(certificates[0]).toMatchObject({ caName: 'ca', externallyManaged: true, missing: false });
    expect(certificates[6]).toEqual({
      name: 'etcd-peer',
      expirationDate: null,
      residualTime: 0,
      externallyManaged: false,
      missing: true,
    });
  });
});
