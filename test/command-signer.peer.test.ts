import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseYaml } from '../packages/manifest/dist/index.js';
import { ofAuthority, opensslPair } from './openssl-pair.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const program = join(repository, 'packages/cli/dist/bin/groundplane.js');
const signerProgram = join(repository, 'test/openssl-signer.ts');

const authorities = ['ca', 'front-proxy-ca', 'etcd-ca'] as const;
const placeOf = (name: string) => (name === 'etcd-ca' ? 'etcd/ca' : name);
const commonNames = { ca: 'kubernetes', 'front-proxy-ca': 'front-proxy-ca', 'etcd-ca': 'etcd-ca' } as const;

/** Files that hold what a CA signed, by their place below /etc/kubernetes without `.crt`, and by which CA. */
const leaves: Readonly<Record<string, (typeof authorities)[number]>> = {
  'pki/apiserver': 'ca',
  'pki/apiserver-kubelet-client': 'ca',
  'pki/front-proxy-client': 'front-proxy-ca',
  'pki/etcd/server': 'etcd-ca',
  'pki/etcd/peer': 'etcd-ca',
  'pki/etcd/healthcheck-client': 'etcd-ca',
  'pki/apiserver-etcd-client': 'etcd-ca',
};
const kubeconfigs = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-command-signer-'));
  const keys = join(folder, 'keys');
  mkdirSync(keys);
  const put = (name: string, { certificate, key }: { readonly certificate: string; readonly key: string }) => {
    writeFileSync(join(keys, `${name}.crt`), certificate);
    writeFileSync(join(keys, `${name}.key`), key, { mode: 0o600 });
  };
  for (const name of authorities) put(name, opensslPair({ commonName: commonNames[name], extensions: ofAuthority }));
  put('unknown-ca', opensslPair({ commonName: 'kubernetes', extensions: ofAuthority }));
  const [certificate, key] = ['crt', 'key'].map((ending) => readFileSync(join(keys, `ca.${ending}`), 'utf8'));
  const issuer = { certificate: certificate ?? '', key: key ?? '' };
  put('intermediate', opensslPair({ commonName: 'intermediate', extensions: ofAuthority, issuer }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Signing {
  /** What to do wrong, and about which artifact. */
  readonly artifact?: string;
  readonly fault?: string;
  readonly timeout?: string;
}

/** A node that has the certificates of the CAs, whose keys are in a folder beside it. */
function node(name: string) {
  const root = join(folder, name);
  const keys = join(folder, `${name}-keys`);
  cpSync(join(folder, 'keys'), keys, { recursive: true });
  mkdirSync(join(root, 'etc/kubernetes/pki/etcd'), { recursive: true });
  for (const one of authorities)
    cpSync(join(keys, `${one}.crt`), join(root, 'etc/kubernetes/pki', `${placeOf(one)}.crt`));
  const command = ({ artifact, fault }: Signing) => [
    ...[process.execPath, signerProgram, keys],
    ...(artifact === undefined || fault === undefined ? [] : [artifact, fault]),
  ];
  const configuration = (signing?: Signing) => `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: 'unix:///run/containerd/containerd.sock'}
---
apiVersion: groundplane.dev/v1alpha1
kind: GroundplaneConfiguration
${signing === undefined ? '' : `signer: ${JSON.stringify({ command: command(signing), timeout: signing.timeout ?? '30s' })}`}
`;
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GROUNDPLANE_STATE_DIR: join(folder, `${name}-state`),
    VAULT_TOKEN: 'a-secret-of-the-caller',
  };
  const run = (words: readonly string[], prefix: readonly string[] = []) => {
    const [first = '', ...rest] = [...prefix, process.execPath, program, ...words];
    const { status, stdout, stderr } = spawnSync(first, rest, { env: environment, cwd: folder, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const call = (words: readonly string[], signing?: Signing, prefix: readonly string[] = []) => {
    writeFileSync(join(root, 'init.yaml'), configuration(signing));
    return run([...words, '--config', '/init.yaml', '--rootfs', root], prefix);
  };
  const files = () =>
    readdirSync(join(root, 'etc/kubernetes'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(join(root, 'etc/kubernetes/').length))
      .sort();
  const read = (path: string) => readFileSync(join(root, 'etc/kubernetes', path), 'utf8');
  const asked = () =>
    existsSync(join(keys, 'asked.jsonl'))
      ? readFileSync(join(keys, 'asked.jsonl'), 'utf8')
          .trim()
          .split('\n')
          .map(
            (line) =>
              JSON.parse(line) as {
                readonly csr: string;
                readonly profile: { readonly artifact: string; readonly issuer: string };
              },
          )
      : [];
  const start = (words: readonly string[], signing: Signing) => {
    writeFileSync(join(root, 'init.yaml'), configuration(signing));
    const args = [program, ...words, '--config', '/init.yaml', '--rootfs', root];
    const child = spawn(process.execPath, args, { env: environment, cwd: folder, stdio: 'ignore' });
    return { child, ended: once(child, 'exit') };
  };
  return { root, keys, run, call, start, files, read, asked, command, configuration };
}

type Node = ReturnType<typeof node>;

/** Each certificate by its CA and with its key, as openssl and Node.js see it. */
function expectSound({ root, keys, read }: Node, places: readonly string[]): void {
  for (const place of places) {
    const certificate = join(root, 'etc/kubernetes', `${place}.crt`);
    const issuer = leaves[place] ?? '';
    const args = ['verify', '-CAfile', join(keys, `${issuer}.crt`), '-untrusted', certificate, certificate];
    expect(execFileSync('openssl', args, { encoding: 'utf8' })).toContain(': OK');
    const key = createPrivateKey(read(`${place}.key`));
    expect(new X509Certificate(read(`${place}.crt`)).checkPrivateKey(key), place).toBe(true);
  }
}

describe('a command that signs, with the keys of the CAs elsewhere', () => {
  test('makes a whole PKI and all kubeconfigs: no key of a CA is on the node, opened there, or told', () => {
    const made = node('whole');
    const { root, keys, run, call, files, read, asked } = made;
    const trace = join(folder, 'trace');
    const strace = ['strace', '-f', '-y', '-s', '65536', '-e', 'trace=%file,write,execve', '-o', trace];
    const certificates = call(['init', 'phase', 'certs', 'all'], {}, strace);
    expect(certificates).toMatchObject({ code: 0 });
    const signed = asked().map(({ profile }) => `${profile.artifact} ${profile.issuer}`);
    expect(signed.sort()).toEqual(
      Object.entries(leaves)
        .map(([place, issuer]) => `${place.replace('pki/', '').replace('etcd/', 'etcd-')} ${issuer}`)
        .sort(),
    );
    const text = readFileSync(trace, 'utf8');
    // What the kernel gave a descriptor for, in whole lines as in resumed ones.
    const opened = [...text.matchAll(/\bopen\w*(?:\(| resumed).* = \d+<([^>]*)>/g)].map(([, path = '']) => path);
    const ofAuthorities = opened.filter((path) => /\/(?:ca|front-proxy-ca|etcd-ca)\.key$/.test(path));
    expect(opened.some((path) => path === join(root, 'etc/kubernetes/pki/ca.crt'))).toBe(true);
    expect(ofAuthorities.filter((path) => path.startsWith(`${root}/`))).toEqual([]);
    // They are opened where they are, by openssl.
    expect(new Set(ofAuthorities)).toEqual(new Set(authorities.map((name) => join(keys, `${name}.key`))));

    expect(call(['init', 'phase', 'kubeconfig', 'all'], {})).toMatchObject({ code: 0 });
    expect(files()).toEqual(
      [
        ...authorities.map((name) => `pki/${placeOf(name)}.crt`),
        ...Object.keys(leaves).flatMap((place) => [`${place}.crt`, `${place}.key`]),
        ...['pki/sa.key', 'pki/sa.pub'],
        ...kubeconfigs.map((name) => `${name}.conf`),
      ].sort(),
    );
    expectSound(made, Object.keys(leaves));
    for (const name of kubeconfigs) {
      const { users } = parseYaml(read(`${name}.conf`)) as {
        readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string } }];
      };
      const certificate = Buffer.from(users[0].user['client-certificate-data'], 'base64').toString();
      expect(new X509Certificate(certificate).issuer).toBe('CN=kubernetes');
    }
    expect(JSON.stringify(asked())).not.toMatch(/PRIVATE KEY/);
    // What programs were started with: no key, and no secret of the caller.
    const started = text.split('\n').filter((line) => line.includes('execve(') && line.includes(signerProgram));
    expect(started.length).toBeGreaterThanOrEqual(Object.keys(leaves).length);
    expect(
      text
        .split('\n')
        .filter((line) => line.includes('execve('))
        .join(''),
    ).not.toMatch(/PRIVATE KEY/);

    // The journal has who certified what, and keys are nobody's but the node's.
    const told = run(['journal', '-o', 'jsonl', '--rootfs', root]);
    const journal = told.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly location: string; readonly signer?: string });
    const by = journal.filter(({ signer }) => signer !== undefined).map(({ location }) => location);
    expect(by.sort()).toEqual(
      [...Object.keys(leaves).map((place) => `${place}.crt`), ...kubeconfigs.map((name) => `${name}.conf`)]
        .map((place) => `/etc/kubernetes/${place}`)
        .sort(),
    );
    expect(new Set(journal.flatMap(({ signer = [] }) => signer))).toEqual(new Set([process.execPath]));

    // All is kept by another run, and passes verify, which needs no signer.
    const before = files().map(read);
    expect(call(['init', 'phase', 'certs', 'all'], { artifact: 'apiserver', fault: 'fails' })).toMatchObject({
      code: 0,
    });
    expect(files().map(read)).toEqual(before);
    for (const phase of ['certs', 'kubeconfig']) expect(call(['verify', phase])).toMatchObject({ code: 0 });
  });

  test('is named by the plan, and asked by none', () => {
    const { call, asked, files } = node('plan');
    const before = files();
    for (const words of [
      ['plan', 'init'],
      ['init', 'phase', 'certs', 'all', '--dry-run'],
      ['init', 'phase', 'kubeconfig', 'all', '--dry-run'],
    ]) {
      const { code, stdout } = call(words, {});
      expect({ words, code }).toEqual({ words, code: 0 });
      expect(stdout).toContain(`ask the signer '${process.execPath}'`);
    }
    const { stdout } = call(['plan', 'init', '-o', 'json'], {});
    const { phases } = JSON.parse(stdout) as {
      readonly phases: readonly { readonly phase: string; readonly signer?: string }[];
    };
    const asking = phases.filter(({ signer }) => signer === process.execPath).map(({ phase }) => phase);
    expect(asking).toHaveLength(Object.keys(leaves).length + kubeconfigs.length);
    expect(asked()).toEqual([]);
    expect(files()).toEqual(before);
  });

  test('is not asked for the files of a dry run', () => {
    const { root, run, call, asked, command } = node('dry-run');
    // Writes the configuration.
    expect(call(['init', 'phase', 'certs', 'all', '--dry-run'], {})).toMatchObject({ code: 0 });
    const written = join(folder, 'dry-run-files');
    const words = ['init', 'phase', 'certs', 'all', '--dry-run', '--config', '/init.yaml', '--rootfs', root];
    const told = run(words, ['env', `KUBEADM_INIT_DRYRUN_DIR=${written}`]);
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(`ask the signer '${command({})[0]}'`) });
    const names = [written, join(root, written)].flatMap((place) =>
      existsSync(place) ? readdirSync(place, { recursive: true }).map(String) : [],
    );
    expect(names.filter((name) => name.endsWith('sa.key'))).toHaveLength(1);
    expect(names.filter((name) => name.includes('apiserver'))).toEqual([]);
    expect(asked()).toEqual([]);
  });

  test('may be named by a flag, which comes before the file', () => {
    const made = node('flag');
    const flag = made
      .command({})
      .map((word) => `'${word}'`)
      .join(' ');
    const words = ['init', 'phase', 'certs', 'apiserver', '--signer-command', flag];
    expect(made.call(words, { artifact: 'apiserver', fault: 'fails' })).toMatchObject({ code: 0 });
    expectSound(made, ['pki/apiserver']);
  });

  test('signs kubeconfigs of users', () => {
    const made = node('user');
    const { code, stdout } = made.call(['kubeconfig', 'user', '--client-name', 'jane', '--org', 'staff'], {});
    expect(code).toBe(0);
    const { users } = parseYaml(stdout) as {
      readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string } }];
    };
    const certificate = new X509Certificate(Buffer.from(users[0].user['client-certificate-data'], 'base64'));
    expect([certificate.issuer, certificate.subject]).toEqual(['CN=kubernetes', 'O=staff\nCN=jane']);
  });

  test('may sign by an intermediate', () => {
    const made = node('intermediate');
    const signing = { artifact: 'apiserver', fault: 'with an intermediate' };
    expect(made.call(['init', 'phase', 'certs', 'apiserver'], signing)).toMatchObject({ code: 0 });
    expectSound(made, ['pki/apiserver']);
    expect(made.read('pki/apiserver.crt').match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    // It is kept as it passes what init demands.
    expect(made.call(['init', 'phase', 'certs', 'apiserver'], { artifact: 'apiserver', fault: 'fails' })).toMatchObject(
      { code: 0 },
    );
  });

  test.each([
    ['sign | tee', /no shell reads it/],
    ["sign 'x", /a quote is not closed/],
    ['', /its first word must name a program/],
    ['./sign', /its program must be an absolute path/],
  ])('is refused as a flag: %s', (flag, reason) => {
    const { code, stderr } = node(`refused-${flag.length}`).call([
      'init',
      'phase',
      'certs',
      'apiserver',
      '--signer-command',
      flag,
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(reason);
  });

  test('makes no CA: its certificate has to be there', () => {
    const { root, call, files } = node('no-ca');
    rmSync(join(root, 'etc/kubernetes/pki/front-proxy-ca.crt'));
    const before = files();
    const { code, stderr } = call(['init', 'phase', 'certs', 'all'], {});
    expect(code).not.toBe(0);
    expect(stderr).toContain(`front-proxy-ca is missing and the signer '${process.execPath}' makes no CA`);
    expect(stderr).toContain(
      'Put the certificate of the CA that it signs with at /etc/kubernetes/pki/front-proxy-ca.crt; the key stays where it is',
    );
    expect(files()).toEqual(before);
  });
});

describe('a run that is told to stop while the signer works', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the command, and nothing is half-written', async (signal) => {
    const made = node(`stop-${signal}`);
    const { child, ended } = made.start(['init', 'phase', 'certs', 'apiserver'], {
      artifact: 'apiserver',
      fault: 'slow',
    });
    while (made.asked().length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const running = () => spawnSync('pgrep', ['-f', made.keys], { encoding: 'utf8' }).stdout.trim();
    expect(running()).not.toBe('');
    child.kill(signal);
    await ended;
    expect(child.signalCode ?? child.exitCode).not.toBe(0);
    expect(running()).toBe('');
    expect(made.files().filter((file) => file.includes('apiserver'))).toEqual([]);
    expect(made.call(['init', 'phase', 'certs', 'apiserver'], {})).toMatchObject({ code: 0 });
    expectSound(made, ['pki/apiserver']);
  });
});

describe('the signer of a plugin', () => {
  const signer = (name: string) => `---
apiVersion: groundplane.dev/v1alpha1
kind: GroundplaneConfiguration
signer: {plugin: ${name}, parameters: {word: swordfish}}
`;
  const withSigner = (made: Node, name: string) => {
    const [kubeadm = ''] = made.configuration().split('---\napiVersion: groundplane.dev');
    writeFileSync(join(made.root, 'plugin.yaml'), kubeadm + signer(name));
    return (...words: readonly string[]) => made.run([...words, '--config', '/plugin.yaml', '--rootfs', made.root]);
  };

  test('is the one that the file names, with its parameters', () => {
    const made = node('plugin');
    const place = join(folder, 'plugin-source');
    mkdirSync(place);
    const about = {
      name: 'extra',
      version: '1.0.0',
      type: 'module',
      oclif: {},
      groundplane: { plugin: './plugin.js' },
    };
    writeFileSync(join(place, 'package.json'), JSON.stringify(about));
    const source = `export default { interfaceVersion: 1, name: 'extra', signers: {
      extra: ({ word }) => ({ sign: async ({ name, issuer }) => { throw new Error(\`\${word} \${name} \${issuer}\`); } }) } };`;
    writeFileSync(join(place, 'plugin.js'), source);
    expect(made.run(['plugins', 'link', place])).toMatchObject({ code: 0 });
    const { code, stderr } = withSigner(made, 'extra')('init', 'phase', 'certs', 'apiserver');
    expect(code).not.toBe(0);
    expect(stderr).toContain("Cannot get the certificate 'apiserver' from the signer 'extra': swordfish apiserver ca");
  });

  test('is missed by what signs alone', () => {
    const made = node('no-plugin');
    const call = withSigner(made, 'nowhere');
    const { code, stderr } = call('init', 'phase', 'certs', 'apiserver');
    expect({ code: code !== 0, stderr }).toEqual({
      code: true,
      stderr: expect.stringContaining("Cannot use the signer 'nowhere' as no plugin that is installed has it"),
    });
    expect(call('verify', 'certs/ca').stderr).not.toContain('nowhere');
    expect(made.run(['config', 'validate', '--config', join(made.root, 'plugin.yaml')])).toMatchObject({ code: 0 });
  });
});

describe('a signer that has a mind of its own about times', () => {
  const artifact = 'apiserver-kubelet-client';

  test('may begin with the moment in which it signs', () => {
    const made = node('from-now-on');
    expect(made.call(['init', 'phase', 'certs', 'all'], { artifact, fault: 'from now on' })).toMatchObject({ code: 0 });
    expectSound(made, Object.keys(leaves));
  });

  test('may grant a day where a year was asked for, of which is warned', () => {
    const made = node('a-day');
    const { code, stderr } = made.call(['init', 'phase', 'certs', 'all'], { artifact, fault: 'a day' });
    expect(code).toBe(0);
    expect(stderr).toContain(`gives less than was asked for: ${artifact} is valid until`);
    expect(stderr.match(/gives less/g)).toHaveLength(1);
  });
});

describe('a signer that does not do what it is asked', () => {
  const artifact = 'apiserver-kubelet-client';
  const place = `pki/${artifact}`;
  const rows: readonly (readonly [fault: string, message: RegExp])[] = [
    ['slow', /it did not end within 3 s/],
    ['fails', /it ended with exit code 3; it said: the HSM does not answer/],
    ['dies', /it was killed: SIGKILL/],
    ['garbage', /it printed no certificate in PEM: 29 characters/],
    ['nothing', /it printed no certificate in PEM: 0 characters/],
    ['broken PEM', /it cannot be read/],
    ['half of it', /it printed no certificate in PEM/],
    ['a key', /it printed something else than certificates: PRIVATE KEY/],
    ['no end', /it printed more than 262144 bytes/],
    ['another key', /the private key beside it is another one/],
    ['another name', /it has the common name somebody where kube-apiserver-kubelet-client was asked for/],
    ['an extra name', /it has the DNS names evil\.example\.com where none was asked for/],
    ['an extra group', /it has the organizations system:masters where none was asked for/],
    ['an extra usage', /it has the extended key usages clientAuth, serverAuth where clientAuth was asked for/],
    ['no usage', /it has the extended key usages none where clientAuth was asked for/],
    ['an e-mail address', /it has further names email:root@example\.com where none was asked for/],
    ['a signing usage', /it has the signing usages keyCertSign where none was asked for/],
    ['the rights of a CA', /it is a CA, and was to be none/],
    ['another CA', /no CA certificate at hand has the name of its issuer 'CN=front-proxy-ca'/],
    ['an unknown CA', /is not what was asked of it: .*not signed by its CA/],
    ['no intermediate', /no CA certificate at hand has the name of its issuer 'CN=intermediate'/],
    [
      'longer than its CA',
      /it is valid until 2099-12-31T00:00:00\.000Z, longer than its CA: 2049-12-31T00:00:00\.000Z/,
    ],
    [
      'longer than an intermediate',
      /it is valid until 2099-12-31T00:00:00\.000Z, longer than the intermediate CA 'CN=intermediate': /,
    ],
    ['expired', /it has expired: 2021-01-01/],
    ['not valid yet', /it is not valid yet: 2040-01-01/],
  ];

  const usual = [
    'slow',
    'fails',
    'dies',
    'garbage',
    'another key',
    'an extra name',
    'an e-mail address',
    'a signing usage',
    'an unknown CA',
    'longer than its CA',
    'longer than an intermediate',
  ];
  const sample = process.env.GROUNDPLANE_TEST_FULL === '1' ? rows : rows.filter(([fault]) => usual.includes(fault));

  test.each(sample)('%s: it is named, nothing of it is written, and the next run completes', (fault, message) => {
    const made = node(`fault-${fault.replaceAll(' ', '-')}`);
    const failed = made.call(['init', 'phase', 'certs', 'all'], {
      artifact,
      fault,
      timeout: fault === 'slow' ? '3s' : '30s',
    });
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toMatch(message);
    expect(failed.stderr).toContain(artifact);
    expect(failed.stderr).not.toMatch(/^\s+at /m);
    expect(failed.stderr).not.toMatch(/PRIVATE KEY-/);

    // Nothing of the phase is there; of earlier phases whole pairs are; and nothing else.
    const files = made.files();
    expect(files.filter((file) => file.startsWith(place))).toEqual([]);
    const whole = Object.keys(leaves).filter((leaf) => files.includes(`${leaf}.crt`));
    const expected = [
      ...authorities.map((name) => `pki/${placeOf(name)}.crt`),
      ...whole.flatMap((leaf) => [`${leaf}.crt`, `${leaf}.key`]),
    ];
    expect(files).toEqual(expected.sort());
    expectSound(made, whole);

    expect(made.call(['init', 'phase', 'certs', 'all'], {})).toMatchObject({ code: 0 });
    expectSound(made, Object.keys(leaves));
    for (const leaf of whole)
      expect(made.asked().filter(({ profile }) => `pki/${profile.artifact}` === leaf).length).toBeLessThan(3);
  });

  test.each([
    [
      'kubelet.conf',
      'an extra group',
      'it has the organizations system:masters, system:nodes where system:nodes was asked for',
    ],
    ['admin.conf', 'no group', 'it has the organizations none where kubeadm:cluster-admins was asked for'],
    ['scheduler.conf', 'another key', 'key'],
  ])('the same goes for %s with %s', (file, fault, message) => {
    const made = node(`kubeconfig-${file}`);
    const failed = made.call(['init', 'phase', 'kubeconfig', 'all'], { artifact: file, fault });
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain(message);
    expect(failed.stderr).toContain(file);
    expect(made.files()).not.toContain(file);
    expect(made.call(['init', 'phase', 'kubeconfig', 'all'], {})).toMatchObject({ code: 0 });
    expect(made.files().filter((name) => name.endsWith('.conf'))).toHaveLength(kubeconfigs.length);
    expect(made.call(['init', 'phase', 'kubeconfig', 'all'], { artifact: file, fault: 'fails' })).toMatchObject({
      code: 0,
    });
  });

  test.each(['another key', 'an unknown CA', 'longer than its CA', 'an extra group'])(
    'the same goes for kubeconfigs of users: %s',
    (fault) => {
      const made = node(`user-${fault.replaceAll(' ', '-')}`);
      const { code, stdout, stderr } = made.call(['kubeconfig', 'user', '--client-name', 'jane'], {
        artifact: 'jane',
        fault,
      });
      expect({ failed: code !== 0, stdout }).toEqual({ failed: true, stdout: '' });
      expect(stderr).toMatch(/Cannot use the answer of the signer '.*' to 'jane'/);
    },
  );
});
