import { execFileSync } from 'node:child_process';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createToken,
  deleteToken,
  initWorkflow,
  listTokens,
  type ResolvedInit,
  resolveInit,
} from '../packages/bootstrap/dist/index.js';
import { type ApiServer, prepareApiServer } from '../packages/cluster/test/api-server.ts';
import { clusters, connectTo } from '../packages/cluster/test/test-cluster.ts';
import { type Product, runWorkflow, type SuppliedPorts } from '../packages/phases/dist/index.js';
import { memoryPorts } from '../packages/phases/dist/testing/index.js';

// What upload-certs, bootstrap-token and show-join-command make of a real API server, beside what the real kubeadm makes of it.

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
const certificateKey = randomBytes(32).toString('hex');
const token = 'abcdef.0123456789abcdef';
const pkiFiles = ['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.pub', 'sa.key'];
const etcdFiles = ['etcd/ca.crt', 'etcd/ca.key'];

type StoredObject = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown };
  readonly data?: Readonly<Record<string, string>>;
};

let api: ApiServer;
let pki: string;
let configText: string;

beforeAll(async () => {
  api = await prepareApiServer(components);
  pki = join(api.directory, 'pki');
  mkdirSync(join(pki, 'etcd'), { recursive: true });
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: pki, stdio: 'pipe' });
  const ca = (name: string) =>
    openssl(...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'],
      ...['-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name.replace("/", "-")}`]); // biome-ignore format: words
  for (const name of ['front-proxy-ca', 'etcd/ca']) ca(name);
  for (const name of ['ca.crt', 'ca.key']) writeFileSync(join(pki, name), readFileSync(join(api.directory, name)));
  openssl('genrsa', '-traditional', '-out', 'sa.key', '2048');
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  configText = configuration();
  writeFileSync(join(api.directory, 'config.yaml'), configText);
  writeFileSync(join(api.directory, 'admin.conf'), api.kubeconfig('superAdmin'));
  api.start();
  await api.ready();
});
afterAll(() => api?.stop());

function configuration(): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const cluster = {
    kubernetesVersion: 'v1.37.2',
    certificatesDir: pki,
    controlPlaneEndpoint: new URL(api.server).host,
    networking: { serviceSubnet: '10.96.0.0/16' },
  };
  const init = {
    localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
    nodeRegistration: { name: 'node-a', criSocket: 'unix:///var/run/containerd/containerd.sock' },
    certificateKey,
    bootstrapTokens: [
      { token, description: 'the first', ttl: '5h0m0s' },
      {
        token: 'fedcba.fedcba9876543210',
        ttl: '0s',
        usages: ['authentication'],
        groups: ['system:bootstrappers:b', 'system:bootstrappers:a'],
      },
    ],
  };
  return [
    { apiVersion, kind: 'InitConfiguration', ...init },
    { apiVersion, kind: 'ClusterConfiguration', ...cluster },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}

/** A machine in memory with the PKI, whose cluster is the real API server. */
function machine(): SuppliedPorts {
  const files = {
    '/etc/kubernetes/admin.conf': { content: api.kubeconfig('superAdmin'), mode: 0o600 },
    ...Object.fromEntries(
      [...pkiFiles, ...etcdFiles].map((name) => [
        join(pki, name),
        { content: readFileSync(join(pki, name), 'utf8'), mode: name.endsWith('.key') ? 0o600 : 0o644 },
      ]),
    ),
  };
  return {
    ...memoryPorts({ files, startMs: Date.now(), seed: Date.now() % 1000 }),
    // The address of the node is that of no machine here.
    clusters: { connect: ({ server, ...options }) => clusters.connect(options) },
  };
}

interface Ours {
  /** Places of what was changed. */
  readonly changed: readonly string[];
  readonly products: readonly Product[];
  readonly resolved: ResolvedInit;
}

async function runOurs(only: readonly string[], text: string | undefined = configText): Promise<Ours> {
  const ports = machine();
  const flags = { 'upload-certs': true };
  const resolved = await resolveInit({ configText: text, flags, ports });
  const { context: config } = resolved;
  const writes = (ports as ReturnType<typeof memoryPorts>).memory.writes.length;
  const result = await runWorkflow({ workflow: initWorkflow, config, ports, selection: { only }, actor: 'test' });
  expect((ports as ReturnType<typeof memoryPorts>).memory.writes.length).toBe(writes);
  return {
    changed: result.phases
      .flatMap(({ artifacts }) => artifacts.filter(({ action }) => action !== 'kept'))
      .map(({ location }) => location),
    products: result.results,
    resolved,
  };
}

/** Runs the real kubeadm where /etc/kubernetes and /var/lib/kubelet are empty folders of its own. */
function runTheirs(...words: readonly string[]): string {
  const mounts = ['/etc/kubernetes', '/var/lib/kubelet'];
  for (const path of mounts) mkdirSync(path, { recursive: true });
  const script = [...mounts.map((path) => `mount -t tmpfs none ${path}`), 'exec "$@"'].join(' && ');
  return execFileSync('unshare', ['--mount', 'sh', '-c', script, 'sh', kubeadm, ...words], {
    env: { PATH: process.env.PATH ?? '' },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function theirPhase(...words: readonly string[]): string {
  const files = ['--config', join(api.directory, 'config.yaml'), '--kubeconfig', join(api.directory, 'admin.conf')];
  return runTheirs('init', 'phase', ...words, ...files);
}

const kinds = ['roles', 'rolebindings', 'configmaps', 'secrets'];

/** What the phases make, by kind and place. */
function stored(): Readonly<Record<string, StoredObject>> {
  const get = (...words: readonly string[]) =>
    (JSON.parse(api.kubectl('get', ...words, '-o', 'json')) as { readonly items: readonly StoredObject[] }).items;
  const inNamespaces = ['kube-system', 'kube-public'].flatMap((namespace) => get(kinds.join(), '-n', namespace));
  const objects = [...inNamespaces, ...get('clusterroles,clusterrolebindings')];
  const ours = objects.filter(({ metadata: { name } }) =>
    /^(kubeadm:|kubeadm-certs$|bootstrap-token-|cluster-info$)/.test(name),
  );
  return Object.fromEntries(
    ours.map((object) => [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]),
  );
}

function removeAll(): void {
  for (const [place, { metadata }] of Object.entries(stored())) {
    const [kind = ''] = place.split(' ');
    const where = metadata.namespace === undefined ? [] : ['-n', metadata.namespace];
    api.kubectl('delete', kind, metadata.name, ...where);
  }
}

/** Without what differs between two runs of one tool: the id and the secret of the owner, and what is encrypted with a random nonce. */
function masked({ status, ...object }: StoredObject) {
  const { uid, resourceVersion, generation, creationTimestamp, managedFields, ...metadata } = object.metadata;
  const isOwner = textOf(object.data?.description ?? '').startsWith('Proxy for');
  // Ours are there at once; kubeadm leaves them to the controller manager, which does not run here.
  const entries = Object.entries(object.data ?? {}).filter(([key]) => !key.startsWith('jws-kubeconfig-'));
  const data = entries.map(([key, value]) => {
    if (key === 'expiration')
      return [key, `in about ${Math.round((Date.parse(textOf(value)) - Date.now()) / 600_000) * 10} minutes`];
    if (object.metadata.name === 'kubeadm-certs') return [key, value === '' ? '' : opened(value)];
    return [key, isOwner && key.startsWith('token-') ? '(random)' : value];
  });
  const owners = (metadata.ownerReferences as readonly object[] | undefined)?.map((owner) => ({
    ...owner,
    uid: '(uid)',
    name: '(random)',
  }));
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(isOwner ? { name: '(random)' } : {}),
      ...(owners === undefined ? {} : { ownerReferences: owners }),
    },
    ...(object.data === undefined ? {} : { data: Object.fromEntries(data) }),
  };
}

const textOf = (base64: string) => Buffer.from(base64, 'base64').toString();

/** Decrypted by Node.js' own OpenSSL. */
function opened(value: string, key = certificateKey): string {
  const bytes = Buffer.from(value, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return `${decipher.update(bytes.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`;
}

const maskAll = (objects: Readonly<Record<string, StoredObject>>) => Object.values(objects).map(masked);
/** The group of the administrators is bound by us before anything else, by kubeadm only with the usual admin.conf. */
const withoutAdmins = (objects: Readonly<Record<string, StoredObject>>) =>
  Object.fromEntries(Object.entries(objects).filter(([place]) => !place.endsWith('kubeadm:cluster-admins')));

describe('beside the real kubeadm', () => {
  let theirs: Readonly<Record<string, StoredObject>>;
  let ours: Readonly<Record<string, StoredObject>>;
  let products: readonly Product[];

  it('makes the same objects', async () => {
    theirPhase('upload-certs', '--upload-certs');
    theirPhase('bootstrap-token');
    theirs = stored();
    removeAll();
    ({ products } = await runOurs(['upload-certs', 'bootstrap-token']));
    ours = stored();
    expect(Object.keys(theirs).length).toBeGreaterThanOrEqual(14);
    const order = (objects: readonly unknown[]) => objects.map((object) => JSON.stringify(object)).toSorted();
    expect(order(maskAll(withoutAdmins(ours)))).toEqual(order(maskAll(theirs)));
  });

  it('keeps the bytes of cluster-info, over which the signatures are', () => {
    const info = (objects: typeof ours) => objects['ConfigMap kube-public/cluster-info']?.data?.kubeconfig;
    expect(info(ours)).toBe(info(theirs));
  });

  it('hands back the certificate key and the tokens', () => {
    expect(products.map(({ name, value, secret }) => [name, value, secret])).toEqual([
      ['certificateKey', certificateKey, true],
      ['bootstrapToken', token, true],
      ['bootstrapToken', 'fedcba.fedcba9876543210', true],
    ]);
  });

  it('a second run changes nothing', async () => {
    const before = stored();
    const { changed } = await runOurs(['upload-certs', 'bootstrap-token']);
    expect(changed).toEqual([]);
    expect(stored()).toEqual(before);
  });

  it('nor does it change what the real kubeadm made', async () => {
    removeAll();
    theirPhase('upload-certs', '--upload-certs');
    theirPhase('bootstrap-token');
    const before = stored();
    const { changed } = await runOurs(['upload-certs', 'bootstrap-token']);
    expect(changed).toEqual([]);
    expect(withoutAdmins(stored())).toEqual(before);
  });

  it('sets right what kubeadm made for another configuration', async () => {
    const other = configText
      .replace(
        '"ttl":"0s","usages":["authentication"]',
        '"ttl":"1h0m0s","usages":["signing","authentication"],"description":"other"',
      )
      .replace(certificateKey, 'ab'.repeat(32));
    expect(other).not.toBe(configText);
    removeAll();
    writeFileSync(join(api.directory, 'config.yaml'), other);
    theirPhase('upload-certs', '--upload-certs');
    theirPhase('bootstrap-token');
    writeFileSync(join(api.directory, 'config.yaml'), configText);
    await runOurs(['upload-certs', 'bootstrap-token']);
    const now = withoutAdmins(stored());
    const strip = (objects: typeof now) =>
      // The owner of what was there before is left to expire.
      maskAll(objects).filter(({ metadata }) => metadata.name !== '(random)');
    const order = (objects: readonly unknown[]) => objects.map((object) => JSON.stringify(object)).toSorted();
    expect(order(strip(now))).toEqual(order(strip(theirs)));
  });

  it('leaves the signatures of the controller manager alone', async () => {
    const signature = JSON.stringify({ data: { 'jws-kubeconfig-others': 'signature' } });
    api.kubectl('patch', 'configmap', 'cluster-info', '-n', 'kube-public', '--type=merge', '-p', signature);
    const changed = JSON.stringify({ data: { kubeconfig: 'nothing' } });
    api.kubectl('patch', 'configmap', 'cluster-info', '-n', 'kube-public', '--type=merge', '-p', changed);
    await runOurs(['bootstrap-token']);
    const info = stored()['ConfigMap kube-public/cluster-info'];
    expect(info?.data?.['jws-kubeconfig-others']).toBe('signature');
    expect(info?.data?.kubeconfig).toBe(theirs['ConfigMap kube-public/cluster-info']?.data?.kubeconfig);
  });
});

describe('the real kubeadm', () => {
  it('lists our tokens', () => {
    const listed = runTheirs('token', 'list', '--kubeconfig', join(api.directory, 'admin.conf'));
    expect(listed).toMatch(/^abcdef\.0123456789abcdef +4h +\S+Z +authentication,signing +the first/m);
    expect(listed).toMatch(/^fedcba\.fedcba9876543210 +<forever> +<never> +authentication +<none>/m);
  });

  it('reads our certificates: a joining control plane gets each file', async () => {
    await runOurs(['upload-config', 'upload-certs']);
    const given = Object.fromEntries(
      [...pkiFiles, ...etcdFiles].map((name) => [name, readFileSync(join(pki, name), 'utf8')]),
    );
    const joining = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      discovery: { file: { kubeConfigPath: join(api.directory, 'admin.conf') } },
      nodeRegistration: { name: 'node-b', criSocket: 'unix:///var/run/containerd/containerd.sock' },
      controlPlane: { localAPIEndpoint: { advertiseAddress: '192.0.2.11' }, certificateKey },
    };
    writeFileSync(join(api.directory, 'join.json'), JSON.stringify(joining));
    rmSync(pki, { recursive: true });
    try {
      runTheirs(
        'join',
        'phase',
        'control-plane-prepare',
        'download-certs',
        '--config',
        join(api.directory, 'join.json'),
      );
      const got = readdirSync(pki, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(crt|key|pub)$/.test(name),
      );
      expect(Object.fromEntries(got.map((name) => [name, readFileSync(join(pki, name), 'utf8')]))).toEqual(given);
    } finally {
      mkdirSync(join(pki, 'etcd'), { recursive: true });
      for (const [name, text] of Object.entries(given)) writeFileSync(join(pki, name), text);
    }
  });

  it('and we read what it makes: tokens, and a join command for those', async () => {
    const made = runTheirs(
      'token',
      'create',
      '--kubeconfig',
      join(api.directory, 'admin.conf'),
      '--description',
      'theirs',
    ).trim();
    const cluster = await connectTo(api);
    const { tokens, findings } = await listTokens(cluster);
    expect(findings).toEqual([]);
    expect(tokens.find(({ description }) => description === 'theirs')).toMatchObject({
      id: made.slice(0, 6),
      secret: made.slice(7),
      usages: ['authentication', 'signing'],
      groups: ['system:bootstrappers:kubeadm:default-node-token'],
    });
    const printed = runTheirs(
      'token',
      'create',
      token.replace('abc', 'xyz'),
      '--print-join-command',
      '--kubeconfig',
      join(api.directory, 'admin.conf'),
    );
    const [, server, hash] = /join (\S+) --token \S+ --discovery-token-ca-cert-hash (\S+)/.exec(printed) ?? [];
    const { products } = await runOurs(['show-join-command']);
    expect(products.map(({ value }) => value)).toMatchObject([
      { server, caCertHashes: [hash], token, controlPlane: true, certificateKey },
      { server, caCertHashes: [hash], token: 'fedcba.fedcba9876543210' },
    ]);
  });

  it('refuses the id that it took, and misses the token that we deleted', async () => {
    const cluster = await connectTo(api);
    const again = { id: 'xyzdef', secret: '0123456789abcdef', usages: ['signing'], groups: [] };
    await expect(createToken(cluster, again, { now: new Date() })).rejects.toMatchObject({
      code: 'BOOTSTRAP_TOKEN_EXISTS',
    });
    expect(await deleteToken(cluster, 'xyzdef.0123456789abcdef')).toBe('xyzdef');
    expect(runTheirs('token', 'list', '--kubeconfig', join(api.directory, 'admin.conf'))).not.toContain('xyzdef');
    await expect(deleteToken(cluster, 'xyzdef')).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_UNKNOWN' });
  });
});
