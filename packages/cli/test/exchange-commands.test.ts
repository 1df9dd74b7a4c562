import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { documentErrors } from './output-validator.ts';
import { programIn } from './program-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundplane-exchange-'));
afterAll(() => rmSync(folder, { recursive: true }));
const state = join(folder, 'state');
const call = programIn(() => state);

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: 192.0.2.10 }
nodeRegistration: { name: node-a }
`;

/** Another root, with a certificate of a CA that is for its clients' proxy. */
function rootNamed(name: string) {
  const root = join(folder, name);
  mkdirSync(root);
  writeFileSync(join(root, 'config.yaml'), configuration);
  const authority = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(folder, `${name}.key`), '-out', join(root, 'front-proxy-ca.crt')];
  const usage = ['-addext', 'keyUsage=critical,keyCertSign', '-days', '3650', '-subj', '/CN=front-proxy-ca'];
  execFileSync('openssl', [...authority, ...files, ...usage], { stdio: 'ignore' });
  const on = (...words: readonly string[]) =>
    call('groundplane', [...words, '--rootfs', root, '--config', '/config.yaml']);
  return { root, on };
}

interface Entry {
  readonly workflow: string;
  readonly phase: string;
  readonly artifact: string;
  readonly location: string;
  readonly action: string;
  readonly digest: string;
  readonly actor: string;
  readonly user: { readonly uid: number };
  readonly time: string;
}

describe('a machine that is to be a worker', () => {
  const joining = `apiVersion: kubeadm.k8s.io/v1beta4
kind: JoinConfiguration
discovery: { bootstrapToken: { apiServerEndpoint: "192.0.2.10:6443", token: abcdef.0123456789abcdef, unsafeSkipCAVerification: true } }
nodeRegistration: { name: worker-1 }
`;
  const root = join(folder, 'worker');
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: root, stdio: 'pipe' });
  const on = (command: string, ...words: readonly string[]) =>
    call('groundplane', ['certs', command, '--workflow', 'join', '--rootfs', root, ...words]);
  const conf = join(root, 'etc/kubernetes/kubelet.conf');

  test('asks for its kubelet.conf alone, and gets it', () => {
    mkdirSync(root);
    writeFileSync(join(root, 'join.yaml'), joining);
    const config = ['--config', '/join.yaml', '-o', 'json'];
    const asked = on('requests', ...config, '--output-dir', '/out');
    expect(documentErrors(['certs-requests'], asked.stdout)).toEqual([]);
    expect(JSON.parse(asked.stdout).needed).toMatchObject([
      { name: 'ca', state: 'missing', place: '/etc/kubernetes/pki/ca.crt', usedBy: ['kubelet'] },
      {
        name: 'kubelet.conf',
        state: 'missing',
        place: '/etc/kubernetes/kubelet.conf',
        certificate: { subject: { CN: 'system:node:worker-1', O: ['system:nodes'] } },
        request: { place: '/out/kubelet.conf.csr' },
      },
    ]);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      '../worker-ca.key',
      '-out',
      'ca.crt',
      '-days',
      '3650',
      '-subj',
      '/CN=ca',
    );
    const signing = ['-CA', 'ca.crt', '-CAkey', '../worker-ca.key', '-days', '365', '-out', 'worker.crt'];
    openssl('x509', '-req', '-in', 'out/kubelet.conf.csr', '-copy_extensions', 'copyall', ...signing);
    const taken = on('import', ...config, '/ca.crt', '/worker.crt');
    expect(documentErrors(['certs-import'], taken.stdout)).toEqual([]);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      imported: [{ name: 'ca' }, { name: 'kubelet.conf', place: '/etc/kubernetes/kubelet.conf' }],
      refused: [],
      needed: [],
    });
    const text = readFileSync(conf, 'utf8');
    expect(text).toContain('server: https://192.0.2.10:6443');
    const embedded = (field: string) =>
      Buffer.from(new RegExp(`${field}: (\\S+)`).exec(text)?.[1] ?? '', 'base64').toString();
    expect(embedded('certificate-authority-data')).toBe(readFileSync(join(root, 'ca.crt'), 'utf8'));
    const certificate = new X509Certificate(embedded('client-certificate-data'));
    expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:worker-1');
    expect(certificate.checkPrivateKey(createPrivateKey(embedded('client-key-data')))).toBe(true);
    expect(readdirSync(join(root, 'etc/kubernetes/pki'))).toEqual(['ca.crt']);
  });

  test('has to be told where its cluster is', () => {
    const empty = join(folder, 'worker-without');
    mkdirSync(empty);
    const { status, stderr } = call('groundplane', ['certs', 'requests', '--workflow', 'join', '--rootfs', empty]);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/nothing says where the API server.*\n.*apiServerEndpoint/);
    expect(existsSync(join(empty, 'etc'))).toBe(false);
  });
});

describe('the commands that change files in another root', () => {
  const commands: readonly (readonly [string, readonly string[], number])[] = [
    ['generate-csr', ['certs', 'generate-csr'], 24],
    ['requests', ['certs', 'requests'], 26],
    ['import', ['certs', 'import', '/front-proxy-ca.crt'], 1],
  ];

  test.each(commands)('certs %s has the lock and the journal there', (name, words, written) => {
    const { root, on } = rootNamed(name);
    const { status, stderr } = on(...words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(existsSync(state)).toBe(false);
    expect(existsSync(join(root, state, 'lock'))).toBe(false);
    const entries = (JSON.parse(on('journal', '-o', 'json').stdout) as { readonly entries: readonly Entry[] }).entries;
    expect(entries).toHaveLength(written);
    for (const { location, digest, ...entry } of entries) {
      const hash = createHash('sha256')
        .update(readFileSync(join(root, location)))
        .digest('hex');
      expect({ location, digest }).toEqual({ location, digest: `sha256:${hash}` });
      expect(entry).toMatchObject({ workflow: 'certs', phase: name, action: 'created' });
      expect(entry.actor).toMatch(/^groundplane /);
      expect(entry.user.uid).toBe(process.getuid?.());
      expect(Number.isNaN(Date.parse(entry.time))).toBe(false);
    }
  });

  test('who is told to call another command is told the flags that it was called with', () => {
    const { root, on } = rootNamed('flags');
    const flags = `--config /config.yaml --kubeconfig-dir '/srv/kube configs' --rootfs ${root}`;
    const where = ['--kubeconfig-dir', '/srv/kube configs'];
    expect(on('certs', 'requests', '--dry-run', ...where).stdout).toContain(`: groundplane certs requests ${flags}\n`);
    expect(on('certs', 'requests', ...where).stdout).toContain(`, then: groundplane certs import ${flags} FILE…\n`);
    expect(on('certs', 'import', '/front-proxy-ca.crt', ...where).stdout).toContain(
      `; see: groundplane certs requests ${flags}\n`,
    );
  });

  test('nothing is written down of what is only tried, and a kept file is written once', () => {
    const { on } = rootNamed('tried');
    const entries = () => JSON.parse(on('journal', '-o', 'json').stdout).entries as readonly Entry[];
    on('certs', 'import', '/front-proxy-ca.crt', '--dry-run');
    expect(entries()).toEqual([]);
    for (const _ of [1, 2]) expect(on('certs', 'import', '/front-proxy-ca.crt').status).toBe(0);
    expect(entries()).toMatchObject([{ phase: 'import', location: '/etc/kubernetes/pki/front-proxy-ca.crt' }]);
  });

  test('status knows where such a file is from, and when somebody changes it', () => {
    const { root, on } = rootNamed('origin');
    on('certs', 'requests');
    expect(on('certs', 'import', '/front-proxy-ca.crt').status).toBe(0);
    const originsOf = () => {
      const { stdout } = on('status', '-o', 'json');
      expect(documentErrors(['status'], stdout)).toEqual([]);
      const { phases } = JSON.parse(stdout) as {
        readonly phases: readonly {
          readonly artifacts: readonly {
            readonly location: string;
            readonly origin?: string;
            readonly entry?: { readonly workflow: string; readonly phase: string };
          }[];
        }[];
      };
      const rows = phases.flatMap(({ artifacts }) => artifacts).filter(({ origin }) => origin !== undefined);
      return new Map(rows.map(({ location, origin, entry }) => [location, [origin, entry?.phase]]));
    };
    const authority = '/etc/kubernetes/pki/front-proxy-ca.crt';
    const before = originsOf();
    expect(before.get(authority)).toEqual(['ours', 'import']);
    expect(before.get('/etc/kubernetes/pki/apiserver.key')).toEqual(['ours', 'requests']);
    expect([...before.values()].filter(([origin]) => origin !== 'ours')).toEqual([]);
    writeFileSync(join(root, authority), `${readFileSync(join(root, authority), 'utf8')}\n`);
    expect(originsOf().get(authority)).toEqual(['changed', 'import']);
  });

  test('a journal that cannot be written is told, and keeps nothing out', () => {
    const { root, on } = rootNamed('full');
    mkdirSync(join(root, state, 'journal.jsonl'), { recursive: true });
    const { status, stdout, stderr } = on('certs', 'import', '/front-proxy-ca.crt', '-o', 'json');
    expect(status).toBe(0);
    expect(stderr).toBe('');
    expect(documentErrors(['certs-import'], stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      imported: [{ name: 'front-proxy-ca', action: 'placed' }],
      warnings: [{ code: 'PHASES_JOURNAL_UNWRITABLE' }],
    });
  });
});

describe('journal', () => {
  test('of a node that nothing was written on has no entries, which is no reason to warn', () => {
    const { on } = rootNamed('fresh');
    const { status, stdout, stderr } = on('journal', '-o', 'json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(documentErrors(['journal'], stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'absent', entries: [], warnings: [] });
    expect(on('journal')).toEqual({
      status: 0,
      stdout: '',
      stderr: `Nothing was written to the journal of this node yet: ${join(state, 'journal.jsonl')}\n`,
    });
  });
});
