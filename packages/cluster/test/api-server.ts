import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A real etcd and kube-apiserver on loopback ports, with certificates made by openssl. */
export interface ApiServer {
  readonly directory: string;
  readonly server: string;
  /** Kubeconfig text of one of the identities of {@link identities}, or with no user at all. */
  kubeconfig(identity: keyof typeof identities | 'nobody'): string;
  /** Output of the real kubectl as the super admin. */
  kubectl(...args: readonly string[]): string;
  /** A CA that has signed nothing here, PEM in base64. */
  otherCa(): string;
  /** Starts kube-apiserver and returns at once: it does not answer yet. */
  start(...flags: readonly string[]): void;
  /** Ends kube-apiserver with SIGKILL; etcd goes on. */
  kill(): Promise<void>;
  /** Returns when /readyz says ok. */
  ready(): Promise<void>;
  /** Makes etcd forget all revisions but the newest. */
  compact(): Promise<void>;
  /** What kube-apiserver has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Subjects of client certificates. Only the first may do anything in a new cluster. */
export const identities = {
  superAdmin: '/O=system:masters/CN=kubernetes-super-admin',
  admin: '/O=kubeadm:cluster-admins/CN=kubernetes-admin',
} as const;

export async function prepareApiServer(components: string): Promise<ApiServer> {
  const directory = mkdtempSync(join(tmpdir(), 'groundplane-api-'));
  makeCertificates(directory);
  const [clientPort, peerPort, apiPort] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${clientPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const server = `https://127.0.0.1:${apiPort}`;
  const etcd = run(directory, 'etcd', join(components, 'etcd'), [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ]);
  let apiserver: ChildProcess | undefined;

  const kubeconfig: ApiServer['kubeconfig'] = (identity) => kubeconfigOf(directory, server, identity);
  const kill = async (): Promise<void> => end(apiserver);
  const self: ApiServer = {
    directory,
    server,
    kubeconfig,
    kubectl: (...args) => {
      const path = join(directory, 'kubectl.conf');
      writeFileSync(path, kubeconfig('superAdmin'));
      return execFileSync(
        join(components, 'kubectl'),
        ['--kubeconfig', path, '--cache-dir', join(directory, 'cache'), ...args],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
    },
    otherCa: () => readFileSync(join(directory, 'other-ca.crt')).toString('base64'),
    start(...flags) {
      apiserver = run(directory, 'kube-apiserver', join(components, 'kube-apiserver'), [
        `--etcd-servers=${etcdUrl}`,
        '--bind-address=127.0.0.1',
        `--secure-port=${apiPort}`,
        `--cert-dir=${join(directory, 'generated')}`,
        `--tls-cert-file=${join(directory, 'server.crt')}`,
        `--tls-private-key-file=${join(directory, 'server.key')}`,
        `--client-ca-file=${join(directory, 'ca.crt')}`,
        '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
        `--service-account-key-file=${join(directory, 'sa.key')}`,
        `--service-account-signing-key-file=${join(directory, 'sa.key')}`,
        '--service-cluster-ip-range=10.96.0.0/16',
        '--authorization-mode=Node,RBAC',
        '--enable-bootstrap-token-auth=true',
        '--endpoint-reconciler-type=none',
        ...flags,
      ]);
    },
    kill,
    async ready() {
      for (let tries = 0; tries < 300; tries += 1) {
        try {
          self.kubectl('get', '--raw', '/readyz');
          return;
        } catch {
          await delay(200);
        }
      }
      throw new Error(`kube-apiserver is not ready: ${self.log().slice(-3000)}`);
    },
    async compact() {
      const post = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
        const response = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
        if (!response.ok) throw new Error(`etcd: ${await response.text()}`);
        return (await response.json()) as { header: { revision: string } };
      };
      const { header } = await post('/v3/kv/range', { key: 'AA==' });
      await post('/v3/kv/compaction', { revision: header.revision, physical: true });
    },
    log: () => readFileSync(join(directory, 'kube-apiserver.log'), 'utf8'),
    async stop() {
      await kill();
      await end(etcd);
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return self;
}

function run(directory: string, name: string, program: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(directory, `${name}.log`), 'a');
  return spawn(program, args, { stdio: ['ignore', log, log], cwd: directory });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function makeCertificates(directory: string): void {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=kubernetes', '-days', '2');
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'other-ca.key',
    '-out',
    'other-ca.crt',
    '-subj',
    '/CN=kubernetes',
    '-days',
    '2',
  );
  const sign = (name: string, subject: string, extensions: readonly string[]): void => {
    const added = extensions.flatMap((extension) => ['-addext', extension]);
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-subj',
      subject,
      '-days',
      '1',
      ...added,
    );
  };
  sign('server', '/CN=kube-apiserver', [
    'basicConstraints=critical,CA:FALSE',
    'subjectAltName=IP:127.0.0.1,DNS:kubernetes',
    'extendedKeyUsage=serverAuth',
  ]);
  for (const [name, subject] of Object.entries(identities)) {
    sign(name, subject, ['basicConstraints=critical,CA:FALSE', 'extendedKeyUsage=clientAuth']);
  }
  openssl('genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', 'sa.key');
}

function kubeconfigOf(directory: string, server: string, identity: string): string {
  const base64 = (name: string): string => readFileSync(join(directory, name)).toString('base64');
  const user =
    identity === 'nobody'
      ? {}
      : { 'client-certificate-data': base64(`${identity}.crt`), 'client-key-data': base64(`${identity}.key`) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64('ca.crt') } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: identity === 'nobody' ? '' : identity } }],
    users: identity === 'nobody' ? [] : [{ name: identity, user }],
  });
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
