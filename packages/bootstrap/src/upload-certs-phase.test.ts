import { createDecipheriv } from 'node:crypto';
import type { MemoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { decisions, run } from '../test/init-run.ts';
import { initContext, initWorld, objectOf } from '../test/init-world.ts';
import { productsIn, tokensIn } from '../test/token-world.ts';

const only = { only: ['upload-certs'] };
const certificateKey = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const withKey = { init: `certificateKey: ${certificateKey}\n` };
const asked = { flags: { 'upload-certs': true } };
const certs = { apiVersion: 'v1', kind: 'Secret', namespace: 'kube-system', name: 'kubeadm-certs' };
const pki = '/etc/kubernetes/pki';

type Lines = Parameters<typeof initContext>[0];

async function uploaded(lines: Lines = withKey, options: { readonly files?: Readonly<Record<string, string>> } = {}) {
  const ports = initWorld({ externalEtcd: lines?.cluster?.includes('external') ?? false, files: options.files ?? {} });
  const config = await initContext(lines, asked);
  const ran = await run(ports, config, { skip: ['preflight', 'show-join-command', 'addon', 'bootstrap-token'] });
  expect(ran.error).toBeUndefined();
  return { ports, config, ...ran };
}

/** What the Secret holds, decrypted by Node.js' own OpenSSL; empty values stay empty. */
function contentsIn({ memory }: MemoryPorts, key = certificateKey): Readonly<Record<string, string>> {
  const { data } = memory.object(certs) as unknown as { readonly data: Readonly<Record<string, string>> };
  const opened = Object.entries(data).map(([name, value]) => {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 0) return [name, ''];
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return [name, `${decipher.update(bytes.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`];
  });
  return Object.fromEntries(opened);
}

const localNames = ['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.pub', 'sa.key'];

test('without --upload-certs nothing is uploaded, and the reason names the flag', async () => {
  const ports = initWorld();
  const config = await initContext();
  await run(ports, config, { skip: ['addon'] });
  expect(await decisions(ports, config, only)).toMatchObject({ 'upload-certs': 'inapplicable' });
  expect(ports.memory.object(certs)).toBeUndefined();
  expect(config.init.certificateKey).toBe('');
});

describe('the Secret kubeadm-certs', () => {
  test('holds what control planes have in common, each file by itself', async () => {
    const { ports } = await uploaded();
    const files = [
      ...localNames.map((name) => [name, name]),
      ['etcd-ca.crt', 'etcd/ca.crt'],
      ['etcd-ca.key', 'etcd/ca.key'],
    ];
    const wanted = files.map(([name = '', path]) => [name, ports.memory.text(`${pki}/${path}`)]);
    expect(contentsIn(ports)).toEqual(Object.fromEntries(wanted));
    expect(ports.memory.object(certs)).not.toHaveProperty('type');
  });

  test('is owned by a token that lets nobody in and expires in two hours', async () => {
    const { ports, config } = await uploaded();
    const [owner] = tokensIn(ports);
    expect(owner).toMatchObject({
      description: 'Proxy for managing TTL for the kubeadm-certs secret',
      usages: [],
      groups: [],
    });
    expect(`${owner?.id}.${owner?.secret}`).toBe(config.certificatesOwner);
    const life = (owner?.expires?.getTime() ?? 0) - ports.clock.now().getTime();
    expect(life).toBeGreaterThan(7_190_000);
    expect(life).toBeLessThanOrEqual(7_200_000);
    const name = `bootstrap-token-${owner?.id}`;
    const uid = ports.memory.object({ ...certs, name })?.metadata.uid;
    expect(ports.memory.object(certs)?.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Secret', name, uid, controller: true, blockOwnerDeletion: true },
    ]);
  });

  test('may be read by nodes that join', async () => {
    const { ports } = await uploaded();
    expect(objectOf(ports, 'rbac.authorization.k8s.io/v1', 'Role', 'kubeadm:kubeadm-certs')).toMatchObject({
      rules: [{ verbs: ['get'], resources: ['secrets'], resourceNames: ['kubeadm-certs'] }],
    });
    expect(objectOf(ports, 'rbac.authorization.k8s.io/v1', 'RoleBinding', 'kubeadm:kubeadm-certs')).toMatchObject({
      subjects: [{ kind: 'Group', name: 'system:bootstrappers:kubeadm:default-node-token' }],
    });
  });

  test('has an empty value for a file that is not there', async () => {
    const { ports, config } = await uploaded();
    ports.memory.remove(`${pki}/etcd/ca.key`);
    expect((await run(ports, config, only)).error).toBeUndefined();
    expect(contentsIn(ports)).toMatchObject({ 'etcd-ca.key': '', 'etcd-ca.crt': expect.stringContaining('BEGIN') });
  });

  test('holds the files of an external etcd in place of a CA of our own', async () => {
    const pem = (label: string) => `-----BEGIN ${label}-----\nZXhhbXBsZQ==\n-----END ${label}-----\n`;
    const cluster =
      'etcd: {external: {endpoints: ["https://192.0.2.20:2379"], caFile: /etcd/ca.crt, certFile: /etcd/client.crt, keyFile: /etcd/client.key}}\n';
    const files = { '/etcd/ca.crt': pem('CERTIFICATE'), '/etcd/client.key': pem('PRIVATE KEY') };
    const { ports } = await uploaded(
      { ...withKey, cluster },
      { files: { ...files, '/etcd/client.crt': pem('CERTIFICATE') } },
    );
    const contents = contentsIn(ports);
    expect(Object.keys(contents).toSorted()).toEqual(
      [...localNames, 'external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key'].toSorted(),
    );
    expect(contents['external-etcd.key']).toBe(pem('PRIVATE KEY'));
  });
});

describe('the certificate key', () => {
  test('is made up where none is given, and handed back', async () => {
    const { ports, config, events } = await uploaded({});
    expect(config.init.certificateKey).toMatch(/^[0-9a-f]{64}$/);
    expect(productsIn(events)).toEqual([config.init.certificateKey]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'result', name: 'certificateKey', secret: true }));
    expect(contentsIn(ports, config.init.certificateKey)['ca.crt']).toContain('BEGIN CERTIFICATE');
  });

  test('is not handed back with --skip-certificate-key-print', async () => {
    const ports = initWorld();
    const config = await initContext({}, { flags: { ...asked.flags, 'skip-certificate-key-print': true } });
    const { events } = await run(ports, config, { skip: ['show-join-command', 'addon'] });
    expect(productsIn(events, 'certificateKey')).toEqual([]);
    expect(ports.memory.object(certs)).toBeDefined();
  });
});

describe('a second upload', () => {
  const again = (ports: MemoryPorts) => initContext(withKey, { ...asked, ports });

  test('with the same key and files changes nothing', async () => {
    const { ports } = await uploaded();
    const { changes, error } = await run(ports, await again(ports), only);
    expect([error, changes]).toEqual([undefined, []]);
  });

  /** Has the owner of the Secret end so long after the present, or never. */
  const endOwnerIn = (seconds: number | undefined) => (ports: MemoryPorts) => {
    const name = `bootstrap-token-${tokensIn(ports)[0]?.id}`;
    const live = ports.memory.object({ ...certs, name });
    const { expiration: _, ...data } = (live?.data ?? {}) as Record<string, string>;
    const end = new Date(ports.clock.now().getTime() + (seconds ?? 0) * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    const expiration = seconds === undefined ? {} : { expiration: Buffer.from(end).toString('base64') };
    ports.memory.putObject({ ...live, data: { ...data, ...expiration } } as never);
  };

  test.each([
    ['two hours', 7_200],
    ['an hour and a minute', 3_660],
  ])('changes nothing while the owner lives for %s', async (_, seconds) => {
    const { ports } = await uploaded();
    endOwnerIn(seconds)(ports);
    const { changes, error } = await run(ports, await again(ports), only);
    expect([error, changes]).toEqual([undefined, []]);
  });

  test.each([
    ['in a second', 1],
    ['in 59 minutes', 3_540],
    ['never', undefined],
  ])('lasts for two hours again where the owner ends %s', async (_, seconds) => {
    const { ports } = await uploaded();
    endOwnerIn(seconds)(ports);
    const config = await again(ports);
    expect((await run(ports, config, only)).error).toBeUndefined();
    const owners = ports.memory.object(certs)?.metadata.ownerReferences as readonly { readonly name: string }[];
    expect(owners.map(({ name }) => name)).toEqual([`bootstrap-token-${config.certificatesOwner?.slice(0, 6)}`]);
    const owner = tokensIn(ports).find(({ id }) => config.certificatesOwner?.startsWith(id));
    expect((owner?.expires?.getTime() ?? 0) - ports.clock.now().getTime()).toBeGreaterThan(7_190_000);
  });

  const reasons: readonly (readonly [string, (ports: MemoryPorts) => void])[] = [
    [
      'the key is another one',
      ({ memory }) => {
        const live = memory.object(certs);
        memory.putObject({ ...live, data: { ...(live?.data as object), 'ca.crt': 'AAAA' } } as never);
      },
    ],
    [
      'a file changed',
      ({ memory }) => memory.put(`${pki}/sa.pub`, { content: `${memory.text(`${pki}/sa.pub`)}\n`, mode: 0o600 }),
    ],
    [
      'a value is missing',
      ({ memory }) => {
        const live = memory.object(certs);
        const { 'sa.key': _, ...rest } = (live?.data ?? {}) as Record<string, string>;
        memory.putObject({ ...live, data: rest } as never);
      },
    ],
    [
      'the owner is gone',
      (ports) => ports.memory.removeObject({ ...certs, name: `bootstrap-token-${tokensIn(ports)[0]?.id}` }),
    ],
    [
      'it has no owner',
      ({ memory }) =>
        memory.putObject({
          ...memory.object(certs),
          metadata: { name: certs.name, namespace: certs.namespace },
        } as never),
    ],
  ];

  test.each(reasons)('is made where %s', async (_, change) => {
    const { ports } = await uploaded();
    change(ports);
    const { changes, error } = await run(ports, await again(ports), only);
    expect(error).toBeUndefined();
    expect(changes.filter((line) => line.includes('kubeadm-certs'))).not.toEqual([]);
    expect(contentsIn(ports)['sa.key']).toBe(ports.memory.text(`${pki}/sa.key`));
    const owners = ports.memory.object(certs)?.metadata.ownerReferences;
    expect(owners).toHaveLength(1);
  });
});

test.each([['ca.key'], ['front-proxy-ca.key']])(
  'with %s elsewhere it is refused before anything is written',
  async (key) => {
    const { ports } = await uploaded();
    ports.memory.remove(`${pki}/${key}`);
    const before = ports.memory.writes.length;
    await expect(initContext(withKey, { ...asked, ports })).rejects.toMatchObject({
      code: 'BOOTSTRAP_UPLOAD_REFUSED',
      kind: 'usage',
      message: expect.stringContaining(`${pki}/${key}`),
    });
    await expect(initContext(withKey, { ports })).resolves.toBeDefined();
    expect(ports.memory.writes.slice(before)).toEqual([]);
  },
);
