import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBootstrap } from '../packages/bootstrap/dist/index.js';
import { installedPlugins } from '../packages/cli/dist/plugins/installed-plugins.js';
import { signerOfPlugin } from '../packages/cli/dist/plugins/signer-of-plugin.js';
import { documentErrors } from '../packages/cli/test/output-validator.ts';
import { openRootDirectory } from '../packages/host/dist/index.js';
import { linuxPorts } from '../packages/linux/dist/index.js';
import { parseYaml } from '../packages/manifest/dist/index.js';
import { packPackage, packPlugin } from './plugin-tarball.ts';
import { type StepAuthority, startStepAuthority } from './step-authority.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const program = join(repository, 'packages/cli/dist/bin/groundplane.js');
const stepProgram = join(process.env.GROUNDPLANE_COMPONENTS ?? '', 'step-ca');

const configuration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
nodeRegistration: {name: node-a, criSocket: 'unix:///run/containerd/containerd.sock'}
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-plugins-'));
  for (const name of ['signer-step', 'example-phase']) packPlugin(name, tarball(name));
  writeFileSync(join(folder, 'init.yaml'), configuration);
  // What a machine has at least: no npm, and no Node.js.
  mkdirSync(join(folder, 'bin'));
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of ['tar', 'gzip', 'sh']) {
    const found = folders.map((one) => join(one, name)).find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(folder, 'bin', name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tarball = (name: string) => join(folder, `groundplane-plugin-${name}-0.1.0.tgz`);

/** Calls groundplane on a machine without npm, with plugins of its own. */
function machine(name: string) {
  const state = join(folder, name);
  const root = join(folder, `${name}-root`);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'init.yaml'), configuration);
  const environment = { PATH: join(folder, 'bin'), HOME: folder, GROUNDPLANE_STATE_DIR: state };
  const call = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env: environment,
      cwd: folder,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const onRoot = (...args: readonly string[]) => call(...args, '--rootfs', root);
  const plugin = (pluginName: string, source: string, pjson: object = {}) => {
    const place = join(folder, `${name}-${pluginName}`);
    mkdirSync(place, { recursive: true });
    const own = {
      name: pluginName,
      version: '1.0.0',
      type: 'module',
      oclif: {},
      groundplane: { plugin: './plugin.js' },
    };
    writeFileSync(join(place, 'package.json'), JSON.stringify({ ...own, ...pjson }));
    writeFileSync(join(place, 'plugin.js'), source);
    return place;
  };
  return { state, root, call, onRoot, plugin };
}

describe('a cluster whose certificates all come from step-ca', () => {
  const names = ['ca', 'front-proxy-ca', 'etcd-ca'] as const;
  const authorities = new Map<string, StepAuthority>();
  const placeOf = (name: string) => (name === 'etcd-ca' ? 'etcd/ca' : name);

  beforeAll(async () => {
    for (const name of names)
      authorities.set(
        name,
        await startStepAuthority({ program: stepProgram, folder: join(folder, 'step', name), name }),
      );
  });
  afterAll(async () => {
    for (const authority of authorities.values()) await authority.stop();
  });

  const authority = (name: string): StepAuthority => {
    const found = authorities.get(name);
    if (found === undefined) throw new Error(`there is no authority ${name}`);
    return found;
  };

  const parametersOf = ({ url, fingerprint, provisioner, passwordFile }: StepAuthority) => ({
    url,
    fingerprint,
    provisioner,
    passwordFile,
  });
  const all = () => ({ authorities: names.map((name) => parametersOf(authority(name))) });

  /** A node that has the certificates of the CAs and no key, and the plugin from its tarball. */
  function nodeWithPlugin(name: string) {
    const node = machine(name);
    const pki = join(node.root, 'etc/kubernetes/pki');
    mkdirSync(join(pki, 'etcd'), { recursive: true });
    for (const one of names) copyFileSync(authority(one).rootFile, join(pki, `${placeOf(one)}.crt`));
    expect(node.call('plugins', 'install', tarball('signer-step'))).toMatchObject({
      code: 0,
      stdout: '@groundplane/plugin-signer-step 0.1.0\n  signer step\n',
    });
    const { plugins } = installedPlugins(join(node.state, 'plugins'));
    const run = async (parameters: Record<string, unknown>, only: string) => {
      const signer = await signerOfPlugin('step', parameters, plugins);
      const ports = { ...linuxPorts({ root: await openRootDirectory(node.root) }), signer };
      return (await createBootstrap({ ports }).init({ configuration, selection: { only: [only] } })).run();
    };
    const files = () =>
      readdirSync(join(node.root, 'etc/kubernetes'), { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
    return { ...node, pki, run, files };
  }

  test('init makes them all through the plugin, and there is no key of a CA', async () => {
    const { root, pki, run, files, onRoot } = nodeWithPlugin('whole');
    await run(all(), 'certs');
    await run(all(), 'kubeconfig');

    const leaves = files().filter(({ name }) => name.endsWith('.key'));
    expect(leaves.map(({ name }) => name).sort()).toEqual([
      'apiserver-etcd-client.key',
      'apiserver-kubelet-client.key',
      'apiserver.key',
      'front-proxy-client.key',
      'healthcheck-client.key',
      'peer.key',
      'sa.key',
      'server.key',
    ]);
    for (const { name, parentPath } of leaves.filter((leaf) => leaf.name !== 'sa.key')) {
      const certificate = join(parentPath, name.replace('.key', '.crt'));
      const issuer =
        parentPath.endsWith('etcd') || name.includes('etcd')
          ? 'etcd-ca'
          : name.startsWith('front-proxy')
            ? 'front-proxy-ca'
            : 'ca';
      const verified = execFileSync(
        'openssl',
        ['verify', '-CAfile', authority(issuer).rootFile, '-untrusted', certificate, certificate],
        { encoding: 'utf8' },
      );
      expect(verified).toContain(': OK');
      const read = new X509Certificate(readFileSync(certificate));
      expect(read.issuer).toBe(`CN=Intermediate of ${issuer}`);
      expect(
        read.checkPrivateKey((await import('node:crypto')).createPrivateKey(readFileSync(join(parentPath, name)))),
      ).toBe(true);
    }
    const apiserver = new X509Certificate(readFileSync(join(pki, 'apiserver.crt')));
    expect(apiserver.subjectAltName).toBe(
      'DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, DNS:node-a, IP Address:10.96.0.1, IP Address:192.0.2.10',
    );

    const subjects = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map((name) => {
      const { users } = parseYaml(readFileSync(join(root, `etc/kubernetes/${name}.conf`), 'utf8')) as {
        readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string } }];
      };
      const text = Buffer.from(users[0].user['client-certificate-data'], 'base64').toString();
      expect(new X509Certificate(text).issuer).toBe('CN=Intermediate of ca');
      return new X509Certificate(text).subject.replaceAll('\n', ',');
    });
    expect(subjects).toEqual([
      'O=kubeadm:cluster-admins,CN=kubernetes-admin',
      'O=system:masters,CN=kubernetes-super-admin',
      'O=system:nodes,CN=system:node:node-a',
      'CN=system:kube-controller-manager',
      'CN=system:kube-scheduler',
    ]);

    // Another run keeps all, whoever the signer is, and the node passes its own verify.
    const before = files().map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'));
    await run(all(), 'certs');
    expect(files().map(({ name, parentPath }) => readFileSync(join(parentPath, name), 'utf8'))).toEqual(before);
    for (const phase of ['certs', 'kubeconfig'])
      expect(onRoot('verify', phase, '--config', '/init.yaml')).toMatchObject({ code: 0 });
  });

  test('no password and no key of the provisioner is in what is written or said', async () => {
    const { run, root, state } = nodeWithPlugin('secrets');
    await run(all(), 'certs');
    const secrets = names.map((name) => authority(name).password);
    for (const place of [root, state])
      for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
        const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
        for (const secret of secrets) expect(text.includes(secret)).toBe(false);
      }
    for (const name of names) expect(authority(name).log().includes(authority(name).password)).toBe(false);
  });

  describe('a signer that does not do it is named, nothing of it is written, and the next run completes', () => {
    const wrongPassword = () => {
      const path = join(folder, 'wrong-password');
      writeFileSync(path, 'another one\n');
      return path;
    };
    test.each<[string, (own: Record<string, unknown>) => Record<string, unknown>, RegExp]>([
      [
        'another password',
        (own) => ({ ...own, passwordFile: wrongPassword() }),
        /the password does not open the key of the provisioner$/,
      ],
      [
        'no password file',
        (own) => ({ ...own, passwordFile: '/nowhere' }),
        /the file of 'passwordFile' cannot be read: ENOENT \/nowhere$/,
      ],
      ['a provisioner that there is not', (own) => ({ ...own, provisioner: 'nobody' }), /has no provisioner 'nobody'$/],
      [
        'a provisioner of another type',
        (own) => ({ ...own, provisioner: 'other' }),
        /the provisioner 'other' is not of type JWK: ACME$/,
      ],
      [
        'nobody who answers',
        (own) => ({ ...own, url: 'https://127.0.0.1:1' }),
        /https:\/\/127\.0\.0\.1:1 does not answer: /,
      ],
      [
        'the root of another',
        (own) => ({ ...own, fingerprint: 'a'.repeat(64) }),
        /the root of no authority that is configured/,
      ],
      [
        'another server than the one of the root',
        (own) => ({ ...own, url: authority('etcd-ca').url }),
        /refuses with 404|has another fingerprint|does not answer/,
      ],
    ])('%s', async (name, change, reason) => {
      const { run, files, pki } = nodeWithPlugin(`fails-${name.replaceAll(' ', '-')}`);
      const before = files().map((entry) => entry.name);
      const wrong = {
        authorities: names.map((one) =>
          one === 'ca' ? change(parametersOf(authority(one))) : parametersOf(authority(one)),
        ),
      };
      await expect(run(wrong, 'certs/apiserver')).rejects.toMatchObject({
        code: 'BOOTSTRAP_SIGNER_FAILED',
        message: expect.stringMatching(/^Cannot get the certificate 'apiserver' from the signer 'step': /),
      });
      await expect(run(wrong, 'certs/apiserver')).rejects.toThrow(reason);
      expect(files().map((entry) => entry.name)).toEqual(before);
      await run(all(), 'certs/apiserver');
      expect(existsSync(join(pki, 'apiserver.crt'))).toBe(true);
    });

    test.each<[string, { readonly template?: string; readonly maximum?: string }, RegExp]>([
      [
        'a template that adds names and usages',
        {
          template:
            '{"subject": {{ toJson .Subject }}, "sans": {{ toJson .SANs }}, "keyUsage": ["digitalSignature"], "extKeyUsage": ["serverAuth", "clientAuth"]}',
        },
        /Cannot use the answer of the signer 'step' to 'apiserver-kubelet-client' as it has the DNS names kube-apiserver-kubelet-client where none was asked for/,
      ],
      ['a shorter longest validity than is asked for', { maximum: '24h' }, /refuses with 403/],
    ])('%s', async (name, options, reason) => {
      const { run, pki, files } = nodeWithPlugin(`strict-${name.length}`);
      const strict = await startStepAuthority({
        program: stepProgram,
        folder: join(folder, 'strict', String(name.length)),
        name: 'strict',
        ...options,
      });
      try {
        copyFileSync(strict.rootFile, join(pki, 'ca.crt'));
        const before = files().map((entry) => entry.name);
        await expect(run(parametersOf(strict), 'certs/apiserver-kubelet-client')).rejects.toThrow(reason);
        expect(files().map((entry) => entry.name)).toEqual(before);
      } finally {
        await strict.stop();
      }
    });
  });
});

describe('a plugin with a phase and a command of its own', () => {
  test('is installed from its tarball without npm, takes part in everything, and leaves the node manageable when it is taken out', () => {
    const { onRoot, call, root, state } = machine('example');
    const config = ['--config', '/init.yaml'];
    expect(call('plugins', 'install', tarball('example-phase')).stdout).toBe(
      '@groundplane/plugin-example-phase 0.1.0\n  phase inventory of init, after certs/sa\n',
    );
    const phases = call('phases', 'list')
      .stdout.split('\n')
      .map((line) => line.split(' ')[0]);
    expect(phases.slice(phases.indexOf('certs/sa'), phases.indexOf('kubeconfig/admin') + 1)).toEqual([
      'certs/sa',
      'inventory',
      'kubeconfig/admin',
    ]);
    expect(call('init', 'phase', '--help').stdout).toMatch(/^ {2}inventory +Write a record of the cluster/m);
    expect(call('phases', 'describe', 'inventory').stdout).toContain(
      'must: authority is the SHA-256 of the certificate of the CA',
    );
    expect(onRoot('init', 'phase', 'certs', 'all', ...config).code).toBe(0);
    expect(onRoot('plan', 'init', ...config).stdout).toMatch(/^ {2}inventory +create$/m);
    expect(onRoot('init', 'phase', 'inventory', ...config).code).toBe(0);

    const path = join(root, 'etc/kubernetes/inventory.yaml');
    const { fingerprint256 } = new X509Certificate(readFileSync(join(root, 'etc/kubernetes/pki/ca.crt')));
    const record = `authority: ${fingerprint256.replaceAll(':', '').toLowerCase()}\ncontrolPlane: https://192.0.2.10:6443\n`;
    expect(readFileSync(path, 'utf8')).toBe(record);
    expect(call('inventory', 'show', join(root, 'etc/kubernetes')).stdout).toBe(record);
    expect(call('inventory', 'show', '/nowhere')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^error: Cannot go on with 'inventory show': ENOENT[^\n]*\n$/),
    });
    expect(onRoot('verify', 'inventory', ...config).code).toBe(0);
    writeFileSync(path, record.replace('192.0.2.10', '192.0.2.11'));
    expect(onRoot('verify', 'inventory', ...config).stderr).toContain('EXAMPLE_INVENTORY_STALE');
    expect(onRoot('init', 'phase', 'inventory', ...config).stdout).toContain('replaced');
    expect(readFileSync(path, 'utf8')).toBe(record);

    expect(call('plugins', 'uninstall', '@groundplane/plugin-example-phase').code).toBe(0);
    expect(readdirSync(join(state, 'plugins/unpacked'))).toEqual([]);
    expect(call('phases', 'list').stdout).not.toContain('inventory');
    expect(call('inventory', 'show').code).not.toBe(0);
    expect(onRoot('verify', 'certs', ...config).code).toBe(0);
    expect(onRoot('plan', 'init', ...config).code).toBe(0);
    expect(onRoot('init', 'phase', 'kubeconfig', 'all', ...config).code).toBe(0);
    // The journal is where the root has its own.
    const status = onRoot('status', ...config);
    expect(status.code).toBe(0);
    expect(status.stderr).toMatch(
      /CLI_PHASE_GONE: \/etc\/kubernetes\/inventory\.yaml: It was made by the phase 'inventory' of init/,
    );
    expect(readFileSync(path, 'utf8')).toBe(record);
    expect(onRoot('init', 'phase', 'certs', 'all', ...config).code).toBe(0);
    expect(onRoot('verify', 'kubeconfig', ...config).code).toBe(0);
    // What nobody knows any more stays, as what is others' does.
    expect(onRoot('reset', '--force')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('inventory') });
    expect(readdirSync(join(root, 'etc/kubernetes'))).toEqual(['inventory.yaml', 'pki']);
    expect(readdirSync(join(root, 'etc/kubernetes/pki'))).toEqual([]);
    expect(onRoot('init', 'phase', 'certs', 'all', ...config).code).toBe(0);
  });
});

describe('what a signer is told', () => {
  const secret = 'hunter2-of-the-provisioner';

  /** The signer of a plugin that writes down what its process was started with, and fails with all that it knows. */
  const leaky = (record: string) => `
    import { readFileSync, writeFileSync } from 'node:fs';
    const known = ({ passwordFile }) => ({ password: readFileSync(passwordFile, 'utf8') });
    const failure = (parameters) => Object.assign(new Error('the authority does not answer'), { parameters, config: { headers: { Authorization: parameters.password } } });
    export default { interfaceVersion: 1, name: 'leaky', signers: {
      refusing: (parameters) => { throw failure(known(parameters)); },
      failing: (parameters) => ({ sign: async () => {
        writeFileSync(${JSON.stringify(record)}, JSON.stringify({ argv: process.argv, exec: process.execArgv, env: process.env }));
        throw failure(known(parameters));
      } }),
    } };`;

  const lines: readonly (readonly string[])[] = [
    ['init', 'phase', 'certs', 'apiserver', '-v', '10'],
    ['init', 'phase', 'certs', 'apiserver', '-o', 'json'],
    ['init', 'phase', 'certs', 'apiserver', '-o', 'jsonl'],
    ['init', '--dry-run', '--ignore-preflight-errors', 'all', '-o', 'json'],
    ['plan', 'init', '-v', '10'],
    ['verify', 'certs', '-o', 'json'],
    ['status', '-o', 'json'],
    ['certs', 'report', '--html', '/report.html'],
    ['journal', '-o', 'json'],
    ['kubeconfig', 'user', '--client-name', 'jane', '-v', '10'],
  ];

  test.each([
    ['fails', { plugin: 'failing', parameters: { passwordFile: '' } }, /the authority does not answer/],
    ['does not take its parameters', { plugin: 'refusing', parameters: { passwordFile: '' } }, /does not answer/],
    [
      'is given a secret',
      { plugin: 'failing', parameters: { account: { password: secret } } },
      /is a secret by its name.*: account\.password/,
    ],
  ])('is in nothing that is printed or written where it %s', (name, chosen, reason) => {
    const isRecorded = name === 'fails';
    const passwordFile = join(folder, `password-${name.length}`);
    writeFileSync(passwordFile, secret, { mode: 0o600 });
    const { parameters } = chosen;
    const signer = 'passwordFile' in parameters ? { ...chosen, parameters: { passwordFile } } : chosen;
    const { state, root, call, onRoot, plugin } = machine(`told-${name.replaceAll(' ', '-')}`);
    const record = join(folder, `${name.replaceAll(' ', '-')}.json`);
    expect(call('plugins', 'link', plugin('leaky', leaky(record))).code).toBe(0);
    expect(onRoot('init', 'phase', 'certs', 'all', '--config', '/init.yaml').code).toBe(0);
    rmSync(join(root, 'etc/kubernetes/pki/ca.key'));
    for (const end of ['crt', 'key']) rmSync(join(root, `etc/kubernetes/pki/apiserver.${end}`));
    const settings = { apiVersion: 'groundplane.dev/v1alpha1', kind: 'GroundplaneConfiguration', signer };
    writeFileSync(join(root, 'signer.yaml'), `${configuration}---\n${JSON.stringify(settings)}\n`);
    const printed = lines.map((line) => {
      const given = line[0] === 'journal' || line[0] === 'status' ? [] : ['--config', '/signer.yaml'];
      const { stdout, stderr } = onRoot(...line, ...given);
      return { line: line.join(' '), text: `${stdout}\n${stderr}` };
    });
    expect(printed[0]?.text).toMatch(reason);
    for (const { line, text } of printed)
      expect({ line, tells: text.includes(secret) }).toEqual({ line, tells: false });
    for (const place of [root, state])
      for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
        if (entry.name === 'signer.yaml') continue;
        const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
        expect({ file: entry.name, tells: text.includes(secret) }).toEqual({ file: entry.name, tells: false });
      }
    expect(existsSync(record)).toBe(isRecorded);
    if (isRecorded) expect(readFileSync(record, 'utf8')).not.toContain(secret);
  });
});

describe('a plugin that is broken', () => {
  const phaseOf = (fields: string) =>
    `export default { interfaceVersion: 1, name: 'broken', phases: ({ contract, artifact, file, formats }) => ({ init: [{ after: 'certs/sa', phase: ${fields} }] }) };`;
  const broken: readonly (readonly [string, string, string])[] = [
    [
      'of an older version',
      "export default { interfaceVersion: 0, name: 'old' };",
      'it is made for an older interface version than 1: 0',
    ],
    ['that cannot be loaded', "import 'not-there';", 'it cannot be loaded: '],
    [
      'with a second creator',
      phaseOf(
        `contract().definePhase({ name: 'second', summary: 's', writes: { key: artifact('pki/ca.key') }, render: ({ outputs }) => outputs({ key: '' }), verify: () => [] })`,
      ),
      "two phases create 'pki/ca.key': certs/ca and second",
    ],
    [
      'whose demands fail',
      phaseOf(
        `contract().definePhase({ name: 'odd', summary: 's', writes: { x: file({ id: 'odd', path: () => '/etc/odd', format: formats.text, description: 'odd', mode: 0o644 }) }, demands: () => { throw new Error('not today'); }, render: ({ outputs }) => outputs({ x: '' }), verify: () => [] })`,
      ),
      'its phases of init cannot be described: not today',
    ],
    [
      'that cannot be looked at',
      "export default { interfaceVersion: 1, get name() { throw new Error('not today'); } };",
      'what it exports cannot be looked at: not today',
    ],
    [
      'with a wrong type',
      phaseOf(
        `contract().definePhase({ name: 'wrong', summary: 's', writes: { x: '/etc/x' }, render: ({ outputs }) => outputs({}), verify: () => [] })`,
      ),
      "'x' in 'writes' of its phase 'wrong' is no artifact",
    ],
  ];

  test.each([
    ['ends the process', 'process.exit(0);', 'something that it runs, such as a plugin, ended the process or never'],
    [
      'never comes',
      'await new Promise(() => {});',
      'something that it runs, such as a plugin, ended the process or never',
    ],
    [
      'fails aside',
      "Promise.reject(new Error('oops')); export default { interfaceVersion: 1, name: 'extra' };",
      'something failed that nobody waits for, such as a part of a plugin: oops',
    ],
  ])('one that %s while it is loaded is not taken, and it is said', (what, source, reason) => {
    const { call, plugin } = machine(`aside-${what.replaceAll(' ', '-')}`);
    const { code, stderr } = call('plugins', 'link', plugin('extra', source));
    expect(code).toBe(4);
    expect(stderr).toContain(`error: Cannot go on as ${reason}`);
    expect(stderr).not.toMatch(/^ {4}at |top-level/m);
    expect(call('plugins', 'list').stderr).toBe('No plugin is installed\n');
  });

  test('one that prints something, and never signs: the document alone is on standard output', () => {
    const { call, onRoot, plugin, root } = machine('noise');
    const signers = '{ noise: () => ({ sign: () => { console.log("noise"); return new Promise(() => {}); } }) }';
    const source = `console.log('noise'); export default { interfaceVersion: 1, name: 'extra', signers: ${signers} };`;
    expect(call('plugins', 'link', plugin('extra', source), '-o', 'json').stdout).toMatch(/^\{/);
    expect(onRoot('init', 'phase', 'certs', 'ca', '--config', '/init.yaml').code).toBe(0);
    rmSync(join(root, 'etc/kubernetes/pki/ca.key'));
    const signer =
      '---\napiVersion: groundplane.dev/v1alpha1\nkind: GroundplaneConfiguration\nsigner: {plugin: noise}\n';
    writeFileSync(join(root, 'noise.yaml'), readFileSync(join(root, 'init.yaml'), 'utf8') + signer);
    const { code, stdout, stderr } = onRoot(
      'init',
      'phase',
      'certs',
      'apiserver',
      '--config',
      '/noise.yaml',
      '-o',
      'json',
    );
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'CLI_ENDED_EARLY' } });
    expect(stderr).toContain('noise');
    expect(existsSync(join(root, 'etc/kubernetes/pki/apiserver.crt'))).toBe(false);
  });

  test.each(broken)('%s is not taken', (what, source, reason) => {
    const { call, plugin } = machine(`broken-${what.replaceAll(' ', '-')}`);
    const message = `Cannot use the plugin 'extra' as `;
    const place = plugin('extra', source);
    for (const verb of ['link', 'install']) {
      if (verb === 'install') packPackage(place, join(folder, 'extra.tgz'), ['package.json', 'plugin.js']);
      const refused = call('plugins', verb, verb === 'link' ? place : join(folder, 'extra.tgz'));
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toContain(message);
      expect(refused.stderr).toContain(reason);
    }
    expect(call('plugins', 'list').stderr).toBe('No plugin is installed\n');
  });

  test('stands in the way of runs alone, once it has become so', () => {
    const { call, onRoot, plugin } = machine('became');
    const message = `Cannot use the plugin 'extra' as it cannot be loaded: `;
    const place = plugin('extra', "export default { interfaceVersion: 1, name: 'sound' };");
    expect(call('plugins', 'link', place).code).toBe(0);
    plugin('extra', "import 'not-there';");
    for (const line of [
      ['init', 'phase', 'certs', 'all', '--config', '/init.yaml'],
      ['plan', 'init', '--config', '/init.yaml'],
    ]) {
      const refused = onRoot(...line);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(message);
      expect(refused.stderr).toContain('groundplane plugins uninstall extra');
      expect(refused.stderr).not.toMatch(/^ {4}at /m);
    }
    expect(onRoot('status', '--config', '/init.yaml')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(message),
    });
    expect(onRoot('verify', 'certs', '--config', '/init.yaml').stderr).toContain('PHASES_ARTIFACT_MISSING');
    expect(call('version').code).toBe(0);
    expect(call('--help').code).toBe(0);
    expect(call('plugins', 'list').stdout).toContain(`  unusable: ${message}`);
    expect(call('plugins', 'uninstall', 'extra').code).toBe(0);
    expect(onRoot('init', 'phase', 'certs', 'all', '--config', '/init.yaml').code).toBe(0);
  });

  test('whose phase writes what it does not declare is stopped at it, by name', () => {
    const { call, onRoot, plugin, root } = machine('undeclared');
    const effect = `contract().defineEffect({ name: 'sly', summary: 's', uses: ['host'], run: ({ ports }) => ports.host.files.write('/etc/sly', new TextEncoder().encode('x'), { mode: 0o644 }), verify: () => [{ code: 'SLY', severity: 'error', artifact: 'x', message: 'not there' }] })`;
    expect(call('plugins', 'link', plugin('sly', phaseOf(effect))).code).toBe(0);
    const refused = onRoot('init', 'phase', 'sly', '--config', '/init.yaml');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("phase 'sly' does not declare it");
    expect(existsSync(join(root, 'etc/sly'))).toBe(false);
  });

  test('by its registry: nothing runs as if there were none', () => {
    const { call, onRoot, state } = machine('registry');
    mkdirSync(join(state, 'plugins'), { recursive: true });
    writeFileSync(join(state, 'plugins/package.json'), '{');
    expect(onRoot('plan', 'init', '--config', '/init.yaml').stderr).toContain(
      'Cannot tell which plugins are installed',
    );
    expect(call('plugins', 'list').code).toBe(4);
    expect(onRoot('status', '--config', '/init.yaml').code).toBe(0);
  });
});

test('documents of the commands fit their schemas', () => {
  const { call, plugin } = machine('documents');
  const place = plugin('extra', "export default { interfaceVersion: 1, name: 'sound', signers: { one: () => ({}) } };");
  const lines: readonly (readonly string[])[] = [
    ['plugins', 'install', tarball('example-phase')],
    ['plugins', 'link', place],
    ['plugins', 'list'],
    ['plugins', 'uninstall', 'extra'],
  ];
  for (const line of lines) {
    const { code, stdout } = call(...line, '-o', 'json');
    expect(code).toBe(0);
    expect(documentErrors([line.slice(0, 2).join('-')], stdout)).toEqual([]);
  }
  const refused = call('plugins', 'install', 'some-plugin', '-o', 'json');
  expect(documentErrors(['error'], refused.stdout)).toEqual([]);
});

describe('plugins install', () => {
  test('refuses what it cannot get, with a way out', () => {
    const { call, plugin } = machine('refused');
    expect(call('plugins', 'install', 'some-plugin').stderr).toContain('there is no npm on this machine: some-plugin');
    expect(call('plugins', 'install', './none.tgz').stderr).toContain('there is no such file');
    writeFileSync(join(folder, 'garbage.tgz'), 'garbage');
    expect(call('plugins', 'install', 'garbage.tgz').stderr).toMatch(
      /^error: Cannot unpack .*garbage\.tgz as tar says: /,
    );
    const place = plugin('needy', "export default { interfaceVersion: 1, name: 'needy' };", {
      dependencies: { ms: '2.1.3' },
    });
    packPackage(place, join(folder, 'needy.tgz'), ['package.json', 'plugin.js']);
    expect(call('plugins', 'install', 'needy.tgz').stderr).toContain('there is no npm on this machine');
    expect(call('plugins', 'uninstall', 'needy').stderr).toContain(
      "Cannot take the plugin 'needy' out as it is not installed: none",
    );
    expect(call('plugins', 'install').code).toBe(2);
  });
});
