import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programIn } from './program-call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-program-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const call = programIn(() => folder);

const version = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

describe('version', () => {
  it.each<readonly ['groundplane' | 'kubeadm', readonly string[], RegExp]>([
    ['kubeadm', ['version', '-o', 'short'], /^v1\.37\.2\n$/],
    [
      'kubeadm',
      ['version'],
      /^kubeadm version: &version\.Info\{Major:"1", Minor:"37", .*GitVersion:"v1\.37\.2", .*\}\n$/,
    ],
    ['kubeadm', ['version', '-o', 'yaml'], /^clientVersion:\n( {2}\w+: .*\n)+\n$/],
    ['groundplane', ['version'], /^groundplane \S+ \(Kubernetes v1\.37\.2, Node\.js v\d+.*\)\n$/],
    ['groundplane', ['--version'], /^groundplane \S+ \(Kubernetes/],
  ])('%s %j', (program, words, text) => {
    expect(call(program, words)).toEqual({ status: 0, stdout: expect.stringMatching(text), stderr: '' });
  });

  it('is data for programs', () => {
    const kubeadm = JSON.parse(call('kubeadm', ['version', '-o=json']).stdout);
    expect(kubeadm.clientVersion).toMatchObject({
      major: '1',
      minor: '37',
      gitVersion: 'v1.37.2',
      platform: 'linux/amd64',
    });
    const own = JSON.parse(call('groundplane', ['version', '-ojson']).stdout);
    expect(own).toMatchObject({ version, kubernetesVersion: 'v1.37.2' });
    expect(JSON.parse(call('groundplane', ['version', '-o', 'jsonl']).stdout)).toMatchObject({
      type: 'version',
      version,
    });
    expect(call('groundplane', ['version', '-o', 'short']).stdout).toBe(`${version}\n`);
  });

  it.each<readonly [readonly string[], RegExp]>([
    [['version'], /bootstrap|client-node|grpc|x509|asn1|undici|yaml|@oclif/],
    [['--help'], /bootstrap|client-node|grpc|x509|asn1|undici|yaml|@oclif/],
    [['init', '--help'], /bootstrap|client-node|grpc|x509|asn1|undici|yaml|@oclif/],
    [['init', 'phase'], /bootstrap|client-node|grpc|x509|asn1|undici|yaml|@oclif/],
    [['join', '--help'], /bootstrap|client-node|grpc|x509|asn1|undici|yaml|@oclif/],
    [['token', 'generate'], /packages\/bootstrap|client-node|grpc|undici|@oclif/],
    [['token', 'list', '--kubeconfig=/nonexistent'], /client-node|grpc|undici|@oclif/],
    [
      ['config', 'validate', '--config=/nonexistent'],
      /bootstrap|client-node|grpc|x509|asn1|undici|@oclif|packages\/pki/,
    ],
    [
      ['config', 'images', 'list', '--config=/nonexistent'],
      /bootstrap|client-node|grpc|x509|asn1|undici|@oclif|json-path/,
    ],
    [['init', 'phase', 'control-plane', 'all', '--print-manifest'], /client-node|grpc|x509\/|asn1|undici|@oclif/],
  ])('loads nothing that it does not need: %j', (words, needless) => {
    const preload = `import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';
      registerHooks({ load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); } });`;
    const loaded = call('groundplane', words, { preload }).stderr.split('\n');
    expect(loaded.some((url) => url.endsWith('/main.js'))).toBe(true);
    expect(loaded.filter((url) => needless.test(url))).toEqual([]);
  });
});

describe('help', () => {
  it.each([
    [['--help'], 'groundplane [command]'],
    [['init', '-h'], 'groundplane init [flags]'],
    [['help', 'init', 'phase', 'certs'], 'groundplane init phase certs [command]'],
    [['init', 'phase', 'certs', 'ca', '--help'], 'groundplane init phase certs ca [flags]'],
  ])('%j', (words, usage) => {
    const { status, stdout, stderr } = call('groundplane', words);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`Usage:\n  ${usage}\n`);
  });

  it('lists the phases of init in their order', () => {
    const { stdout } = call('kubeadm', ['init', '--help']);
    const names = [
      'preflight',
      '/ca ',
      '/apiserver',
      '/admin',
      '/local',
      'kubelet-start',
      'wait-control-plane',
      'mark-control-plane',
    ];
    const positions = names.map((name) => stdout.indexOf(name));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(stdout).not.toContain('apiserver-extra-args');
  });
});

describe('what makes no sense', () => {
  it.each([
    ['an unknown command', ['bogus'], 2, 'error: unknown command "bogus" for "groundplane"'],
    ['an unknown flag', ['version', '--bogus'], 2, 'error: unknown flag: --bogus'],
    ['a format that does not exist', ['version', '-o', 'xml'], 2, 'error: invalid output format: xml'],
    [
      'a format that init does not have',
      ['init', '-o', 'xml', '--dry-run'],
      2,
      'error: invalid argument "xml" for "-o, --output" flag:',
    ],
    ['a parent alone', ['init', 'phase'], 2, 'error: subcommand is required'],
    ['a configuration that is not there', ['init', 'phase', 'certs', 'ca', '--config=/nonexistent'], 2, 'error: '],
    [
      'flags beside a configuration',
      ['init', '--config=/dev/null', '--cert-dir=/a', '--dry-run'],
      2,
      "error: can not mix '--config' with arguments [cert-dir]",
    ],
  ])('%s', (_, words, code, text) => {
    const own = call('groundplane', words);
    expect(own.status).toBe(code);
    expect(own.stderr.startsWith(text), own.stderr).toBe(true);
    const kubeadm = call('kubeadm', words);
    expect(kubeadm.status).toBe(1);
    expect(kubeadm.stderr).toContain('To see the stack trace of this error execute with --v=5 or higher');
  });

  it.each([
    ['an unknown flag', ['init', '-o', 'json', '--frob'], 'CLI_UNKNOWN_FLAG'],
    ['an unknown command', ['frob', '-o', 'json'], 'CLI_UNKNOWN_COMMAND'],
    ['a parent', ['init', 'phase', '--output=json'], 'CLI_SUBCOMMAND_REQUIRED'],
    ['a parent with an unknown flag', ['init', 'phase', '-ojson', '--frob'], 'CLI_UNKNOWN_FLAG'],
  ])('is a document and nothing else for %s', (_, words, code) => {
    for (const program of ['groundplane', 'kubeadm'] as const) {
      const document = JSON.parse(call(program, words).stdout);
      expect(Object.keys(document)).toEqual(['error']);
      expect(document.error).toMatchObject({ code, kind: 'usage' });
    }
  });

  it('names the flags beside a configuration before it looks for the file', () => {
    const { stderr } = call('kubeadm', ['init', 'phase', 'certs', 'ca', '--config=/nonexistent', '--cert-dir=/a']);
    expect(stderr).toMatch(/^error: can not mix '--config' with arguments \[cert-dir\]\n/);
  });

  it('is help on stderr for a topic that does not exist', () => {
    const { status, stdout, stderr } = call('kubeadm', ['help', 'frob']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^Unknown help topic \[`frob`\]\n[\s\S]*Usage:\n {2}kubeadm \[command\]\n/);
  });

  it('reads a configuration to wait for the control plane', () => {
    const { stderr } = call('groundplane', ['init', 'phase', 'wait-control-plane', '--config=/nonexistent']);
    expect(stderr).toMatch(/^error: unable to read config from \/nonexistent/);
  });

  it('is a document when one was asked for', () => {
    const { status, stdout } = call('groundplane', [
      'init',
      'phase',
      'certs',
      'ca',
      '--config=/nonexistent',
      '-o',
      'json',
    ]);
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      workflow: 'init',
      durationMs: expect.any(Number),
      error: { code: 'CLI_FILE_UNREADABLE', kind: 'usage' },
    });
  });
});

describe('init phase', () => {
  const flags = ['--kubernetes-version=v1.37.2'];

  it('makes what it says, keeps it the second time, and plans without writing', () => {
    const pki = join(folder, 'pki');
    const planned = call('groundplane', ['init', 'phase', 'certs', 'ca', `--cert-dir=${pki}`, ...flags, '--dry-run']);
    expect(planned).toMatchObject({ status: 0, stdout: expect.stringMatching(/certs\/ca\s+create/) });
    expect(() => statSync(pki)).toThrow('ENOENT');

    const first = call('groundplane', ['init', 'phase', 'certs', 'ca', `--cert-dir=${pki}`, ...flags]);
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/certs\/ca\s+created/) });
    expect(readdirSync(pki).toSorted()).toEqual(['ca.crt', 'ca.key']);
    const subject = execFileSync('openssl', ['x509', '-in', join(pki, 'ca.crt'), '-noout', '-subject'], {
      encoding: 'utf8',
    });
    expect(subject).toMatch(/CN ?= ?kubernetes/);

    const second = call('groundplane', ['init', 'phase', 'certs', 'ca', `--cert-dir=${pki}`, ...flags]);
    expect(second).toMatchObject({ status: 0, stdout: expect.stringMatching(/certs\/ca\s+kept/) });
    const under = call('kubeadm', ['init', 'phase', 'certs', 'ca', `--cert-dir=${pki}`, ...flags]);
    expect(under.stdout).toBe('[certs] Using existing ca certificate authority\n');
  });

  it('speaks JSON and nothing else on stdout', () => {
    const pki = join(folder, 'pki-json');
    const words = ['init', 'phase', 'certs', 'front-proxy-ca', `--cert-dir=${pki}`, ...flags];
    const lines = call('groundplane', [...words, '-o', 'jsonl'])
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run', 'phase-started', 'artifact', 'phase-finished']),
    );
    const document = JSON.parse(call('groundplane', [...words, '--output=json']).stdout);
    expect(document).toMatchObject({ workflow: 'init', phases: [{ phase: 'certs/front-proxy-ca', decision: 'keep' }] });
  });

  it('stops before the first write with code 3 when something is missing', () => {
    const pki = join(folder, 'pki-none');
    const { status, stderr } = call('groundplane', [
      'init',
      'phase',
      'certs',
      'apiserver',
      `--cert-dir=${pki}`,
      ...flags,
    ]);
    expect(status).toBe(3);
    expect(stderr).toContain(`${pki}/ca.crt`);
    expect(() => statSync(pki)).toThrow('ENOENT');
  });
});

describe('phases', () => {
  it('lists and draws the workflow', () => {
    const listed = JSON.parse(call('groundplane', ['phases', 'list', '-o', 'json']).stdout);
    expect(listed).toMatchObject({
      workflow: 'init',
      phases: expect.arrayContaining([expect.objectContaining({ phase: 'certs/ca' })]),
    });
    expect(call('groundplane', ['phases', 'list']).stdout).toMatch(/^certs\/ca +\S/m);
    const graph = JSON.parse(call('groundplane', ['phases', 'graph', '-o', 'json']).stdout);
    expect(graph.edges).toContainEqual({
      from: 'certs/ca',
      to: 'certs/apiserver',
      artifact: 'pki/ca.crt',
      optional: false,
    });
    expect(call('groundplane', ['phases', 'graph', '-o', 'dot']).stdout).toMatch(/^digraph "init" \{/);
  });
});

describe('reset', () => {
  const words = ['reset', 'phase', 'preflight', '--ignore-preflight-errors=all'];

  it.each([
    ['y\n', 0],
    ['Yes', 0],
    ['n\n', 1],
    ['', 1],
  ])('asks, and takes %j for an answer', (input, status) => {
    const root = mkdtempSync(join(folder, 'root-'));
    const called = call('kubeadm', [...words, '--rootfs', root], { input });
    expect(called.stdout).toMatch(/^\[reset\] Are you sure you want to proceed\? \[y\/N\]: /);
    expect({ status: called.status, text: called.stderr }).toMatchObject({ status });
    expect(called.stderr.includes("won't proceed")).toBe(status === 1);
  });

  it('does not ask when it is forced', () => {
    const root = mkdtempSync(join(folder, 'root-'));
    const { status, stdout, stderr } = call('kubeadm', [...words, '-f', '--rootfs', root], { input: '' });
    expect({ status, asks: stdout.includes('[y/N]') }, stderr).toEqual({ status: 0, asks: false });
  });
});

describe('token', () => {
  it('finds the kubeconfig inside of the root', () => {
    const root = mkdtempSync(join(folder, 'root-'));
    const { status, stderr } = call('groundplane', ['token', 'list', '--rootfs', root], { env: { HOME: '/nobody' } });
    expect(status).toBe(2);
    expect(stderr).toContain('looked for: /nobody/.kube/config, /etc/kubernetes/admin.conf');
    mkdirSync(join(root, 'etc/kubernetes'), { recursive: true });
    writeFileSync(join(root, 'etc/kubernetes/admin.conf'), 'apiVersion: v1\nkind: Config\ncurrent-context: frob\n');
    expect(call('groundplane', ['token', 'list', '--rootfs', root]).stderr).toContain("'frob'");
  });

  it.each([
    ['groundplane', [], /^[a-z0-9]{6}\.[a-z0-9]{16}\n$/],
    ['kubeadm', ['-o', 'json'], /^\{\n {2}"token": "[a-z0-9]{6}\.[a-z0-9]{16}"\n\}\n$/],
  ] as const)('generate as %s %j', (program, words, text) => {
    const all = Array.from({ length: 2 }, () => call(program, ['token', 'generate', ...words]));
    for (const called of all) expect(called).toEqual({ status: 0, stdout: expect.stringMatching(text), stderr: '' });
    expect(all[0]?.stdout).not.toBe(all[1]?.stdout);
  });
});

it.each(['init', 'join', 'reset'])('phases of %s are listed in their order, and drawn', (workflow) => {
  const of = ['--workflow', workflow];
  const listed = JSON.parse(call('groundplane', ['phases', 'list', ...of, '-o', 'json']).stdout);
  expect(listed.workflow).toBe(workflow);
  const { stdout } = call('groundplane', ['phases', 'graph', ...of, '-o', 'dot']);
  for (const { phase } of listed.phases) expect(stdout).toContain(phase);
});

describe('secrets and control characters in arguments', () => {
  const token = 'abcdef.0123456789abcdef';
  const key = '0123456789abcdef'.repeat(4);
  const unsafe = '--discovery-token-unsafe-skip-ca-verification';
  const everywhere: readonly (readonly string[])[] = [
    ['join', token, unsafe],
    ['join', token, '--token', token, unsafe],
    [token],
    ['token', token],
    ['token', 'list', token],
    ['token', 'create', `${token}0`],
    ['token', 'create', `--ttl=${token}`],
    ['token', 'delete', `${token}x`],
    ['init', token],
    ['init', key],
    ['init', `--${token}`],
    ['init', `-${token}`],
    ['init', `--=${token}`],
    ['init', '--upload-certs', `--apiserver-bind-port=${token}`],
    ['init', `--kubernetes-version=${token}`],
    ['init', `--config=/nonexistent/${token}`],
    ['init', 'phase', 'bootstrap-token', token],
    ['reset', token],
    ['reset', key],
    ['version', token],
  ];

  it.each(everywhere.map((words) => [words]))('are not printed: %j', (words) => {
    for (const called of [call('kubeadm', words), call('groundplane', [...words, '-o', 'json'])]) {
      expect(called.status).toBeGreaterThan(0);
      expect(called.stdout + called.stderr).not.toMatch(/abcdef\.|abcdef0123/i);
    }
  });

  it('a token in the place of the API server is told from one', () => {
    const { stderr } = call('groundplane', ['join', token, unsafe]);
    expect(stderr).toContain('as it must be host:port, with an IPv6 address in brackets: "<token withheld>"');
    expect(stderr).toContain('It looks like a token: give it with --token');
  });

  it.each([
    ['\u001b[31m'],
    ['--\u001b[31m'],
    ['init', '--\u001b[31m'],
    ['init', '---\u001b[31m'],
    ['init', '-\u001b'],
    ['init', '--config=/\u001b[31m'],
    ['init', '--kubernetes-version=\u009b31m'],
    ['join', '\u001b[31m', '--token', token, unsafe],
    ['rbac', 'explain', '\u009b31m\u001b'],
    ['rbac', 'explain', 'token', 'get', '\u001b[31m\u009b31m'],
    ['rbac', 'explain', 'token', '\u001b[31m\u009b31m', 'pods'],
    ['rbac', 'explain', 'token', 'get', 'pods/\u001b[31m', '-n', '\u009b31m'],
  ])('reach no terminal: %j %j', (...words) => {
    for (const more of [[], ['-ojson']]) {
      const { stdout, stderr } = call('groundplane', [...words, ...more]);
      expect(stdout + stderr).toMatch(/(x|u00)(1b|9b)/);
      expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]/u);
    }
  });
});
