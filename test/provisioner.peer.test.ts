/** The provisioner of examples/provisioner, before it changes anything; its machine is a folder of this host. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClusterSpecification,
  controlPlaneCertificates,
  folderStore,
  initBundle,
  planNode,
  runTasks,
  setUpNode,
  type Task,
} from '../examples/provisioner/src/index.ts';
import type { BootstrapPorts } from '../packages/bootstrap/dist/index.js';
import { openRootDirectory } from '../packages/host/dist/index.js';
import { linuxPorts } from '../packages/linux/dist/index.js';
import { mustRun } from './run-program.ts';

const example = new URL('../examples/provisioner/cluster.json', import.meta.url);
const cluster: ClusterSpecification = {
  ...(JSON.parse(readFileSync(fileURLToPath(example), 'utf8')) as ClusterSpecification),
  // What this host is like is no matter here.
  ignorePreflightErrors: ['all'],
};

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'groundplane-provisioner-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Case {
  readonly store: string;
  readonly node: string;
  readonly ports: BootstrapPorts;
}

async function newCase(): Promise<Case> {
  const [store, node] = ['store-', 'node-'].map((prefix) => mkdtempSync(join(scratch, prefix))) as [string, string];
  return { store, node, ports: linuxPorts({ root: await openRootDirectory(node) }) };
}

/** Signs the key of a certificate in the store again, as a person with openssl would. */
async function signAgain(store: string, name: string, issuer: string, extensions: readonly string[]): Promise<void> {
  const file = (path: string) => join(store, 'pki', path);
  writeFileSync(join(store, 'openssl.cnf'), '[req]\ndistinguished_name=dn\n[dn]\n');
  await mustRun(
    'openssl',
    [
      ...['req', '-x509', '-new', '-key', file(`${name}.key`), '-subj', `/CN=${name}`, '-days', '30'],
      ...['-config', 'openssl.cnf'],
      ...['-CA', file(`${issuer}.crt`), '-CAkey', file(`${issuer}.key`), '-out', file(`${name}.crt`)],
      ...['basicConstraints=critical,CA:FALSE', ...extensions].flatMap((extension) => ['-addext', extension]),
    ],
    { cwd: store },
  );
}

const names = 'subjectAltName=DNS:cp1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc';
const faults: readonly (readonly [
  what: string,
  path: string,
  code: string,
  spoil: (store: string) => Promise<void> | void,
])[] = [
  [
    'a server certificate without the address of the service',
    '/etc/kubernetes/pki/apiserver.crt',
    'PKI_SAN_MISSING',
    (store) => signAgain(store, 'apiserver', 'ca', ['extendedKeyUsage=serverAuth', `${names},IP:192.0.2.10`]),
  ],
  [
    'a client certificate for servers',
    '/etc/kubernetes/pki/front-proxy-client.crt',
    'PKI_USAGE_MISSING',
    (store) => signAgain(store, 'front-proxy-client', 'front-proxy-ca', ['extendedKeyUsage=serverAuth']),
  ],
  [
    'a certificate of another CA',
    '/etc/kubernetes/pki/apiserver-etcd-client.crt',
    'PKI_CERTIFICATE_UNTRUSTED',
    (store) => signAgain(store, 'apiserver-etcd-client', 'ca', ['extendedKeyUsage=clientAuth']),
  ],
  [
    'the key of another certificate',
    '/etc/kubernetes/pki/etcd/peer.crt',
    'PKI_KEY_MISMATCH',
    (store) => writeFileSync(join(store, 'pki/etcd/peer.key'), readFileSync(join(store, 'pki/etcd/server.key'))),
  ],
];

describe('the plan of a control-plane node', () => {
  it('has nothing against the certificates of the provisioner, and everything else to do', async () => {
    const { store, node, ports } = await newCase();
    const { problems, decisions } = await planNode(initBundle(cluster, folderStore(store)), ports);
    expect(problems).toEqual([]);
    expect(Object.keys(decisions).filter((phase) => phase.startsWith('certs'))).toEqual([]);
    expect(decisions).toMatchObject({
      'kubeconfig/admin': 'create',
      'etcd/local': 'create',
      'control-plane/apiserver': 'create',
    });
    expect(readdirSync(node)).toEqual([]);
  });

  it.each(faults)('refuses %s before anything is written', async (_, path, code, spoil) => {
    const { store, node, ports } = await newCase();
    controlPlaneCertificates(folderStore(store), cluster.controlPlane);
    await spoil(store);
    const bundle = initBundle(cluster, folderStore(store));
    const { problems } = await planNode(bundle, ports);
    expect(problems.map((finding) => `${finding.artifact} ${finding.code}`)).toContain(`${path} ${code}`);

    const done: string[] = [];
    const report = { task: (name: string) => void done.push(name), event: () => {} };
    await expect(setUpNode(bundle, ports, report)).rejects.toThrow(path);
    expect(done).toEqual([]);
    expect(readdirSync(node)).toEqual([]);
  });

  it('keeps what the store has: no key is made twice', async () => {
    const { store } = await newCase();
    const bundles = [initBundle(cluster, folderStore(store)), initBundle(cluster, folderStore(store))];
    expect(bundles[0]).toEqual(bundles[1]);
    expect(bundles[0]?.certificates.map(({ path }) => path)).not.toContain('/etc/kubernetes/pki/etcd/ca.key');
  });
});

describe('its own tasks and our phases on a machine', () => {
  it('run up to the first that fails, and go on from there', async () => {
    const { store, node, ports } = await newCase();
    mkdirSync(join(node, 'etc'));
    const bundle = initBundle(cluster, folderStore(store));
    const done: string[] = [];
    const report = { task: (name: string) => void done.push(name), event: () => {} };
    // A port of one's own: in a folder there is no init system that could start a kubelet.
    const stopped = { exists: true, enabled: true, active: false, initSystem: 'systemd' } as const;
    const services = {
      ...ports.host.services,
      status: async () => stopped,
      restart: () => Promise.reject(new Error('nothing is started here')),
    };
    const unable = { ...ports, host: { ...ports.host, services } };
    await expect(setUpNode(bundle, unable, report)).rejects.toThrow('nothing is started here');
    const expected = ['files', 'certificates', 'preflight', 'kubeconfigs', 'static-pods'];
    expect(done).toEqual(expected);
    const admin = readFileSync(join(node, 'etc/kubernetes/admin.conf'), 'utf8');
    done.length = 0;
    await expect(setUpNode(bundle, unable, report)).rejects.toThrow('nothing is started here');
    expect(done).toEqual(expected);
    expect(readFileSync(join(node, 'etc/kubernetes/admin.conf'), 'utf8')).toBe(admin);
    const manifest = readFileSync(join(node, 'etc/kubernetes/manifests/kube-apiserver.yaml'), 'utf8');
    expect(manifest).toContain('--audit-policy-file=/etc/kubernetes/audit-policy.yaml');
  });
});

describe('the graph of tasks', () => {
  const task = (name: string, after: readonly string[], log: string[], fails = false): Task => ({
    name,
    after,
    run: async () => {
      if (fails) throw new Error(`${name} failed`);
      log.push(name);
    },
  });

  it('runs each task after those that it needs', async () => {
    const log: string[] = [];
    await runTasks([task('c', ['b'], log), task('b', ['a'], log), task('a', [], log)]);
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('begins nothing that needs what failed', async () => {
    const log: string[] = [];
    const tasks = [task('a', [], log, true), task('b', ['a'], log), task('c', ['b'], log)];
    await expect(runTasks(tasks)).rejects.toThrow('a failed');
    expect(log).toEqual([]);
  });

  it.each([
    ['an unknown task', [task('a', ['x'], [])]],
    ['a circle', [task('a', ['b'], []), task('b', ['a'], [])]],
  ])('refuses %s', async (_, tasks) => {
    await expect(runTasks(tasks)).rejects.toThrow(TypeError);
  });
});
