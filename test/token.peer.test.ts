import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RbacCluster, startRbacCluster } from './rbac-cluster.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
const components = process.env.GROUNDPLANE_COMPONENTS ?? '';
const ours = fileURLToPath(new URL('../packages/cli/dist/bin/kubeadm.js', import.meta.url));

let cluster: RbacCluster;
let directory = '';
let admin = '';
beforeAll(async () => {
  cluster = await startRbacCluster(components);
  directory = cluster.api.directory;
  admin = join(directory, 'admin.conf');
  const kubeconfig = cluster.api.kubeconfig('superAdmin');
  writeFileSync(admin, kubeconfig);
  // Paths in a kubeconfig count from where it is.
  const relative = JSON.parse(kubeconfig);
  relative.clusters[0].cluster = { server: cluster.api.server, 'certificate-authority': 'ca.crt' };
  relative.users[0].user = { 'client-certificate': 'superAdmin.crt', 'client-key': './superAdmin.key' };
  writeFileSync(join(directory, 'relative.conf'), JSON.stringify(relative));
});
afterAll(async () => cluster.stop());
beforeEach(removeTokens);

const secretsPath = '/api/v1/namespaces/kube-system/secrets';
const tokenSecrets = `${secretsPath}?fieldSelector=type%3Dbootstrap.kubernetes.io/token`;

async function removeTokens(): Promise<void> {
  const { status } = await cluster.call('DELETE', tokenSecrets);
  expect(status).toBe(200);
}

interface SecretData {
  readonly data: Readonly<Record<string, string>>;
}

/** The token Secrets in plain text, with what is made at random or depends on the time left out. */
async function secrets(): Promise<readonly Readonly<Record<string, string>>[]> {
  const { body } = await cluster.call('GET', tokenSecrets);
  const { items } = JSON.parse(body) as { readonly items: readonly SecretData[] };
  return items.map(({ data }) =>
    Object.fromEntries(
      Object.entries(data).map(([key, text]) => [key, comparable(key, Buffer.from(text, 'base64').toString('utf8'))]),
    ),
  );
}

const given = /^(abcdef|ghijkl|0123456789abcdef)$/;

/** Both programs run within minutes of one another, and make tokens of their own. */
function comparable(key: string, text: string): string {
  if (key === 'expiration') return `in ${Math.round((Date.parse(text) - Date.now()) / 600_000)} times ten minutes`;
  return key.startsWith('token-') && !given.test(text) ? `${text.length} characters` : text;
}

const fixed = 'abcdef.0123456789abcdef';

function masked(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/^(?!abcdef\.)[a-z0-9]{6}\.[a-z0-9]{16}$/gm, 'TOKEN')
    .replaceAll(/--token (?!abcdef\.)\S+/g, '--token TOKEN');
}

type Program = 'peer' | 'ours';

async function run(program: Program, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProgramResult> {
  const [executable, first] = program === 'peer' ? [kubeadm, []] : [process.execPath, [ours]];
  return runProgram(executable, [...first, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory, GROUNDPLANE_STATE_DIR: directory, ...env },
  });
}

/** What each of the lines prints and how it ends, and which Secrets are there in the end. */
async function outcome(program: Program, lines: readonly string[], env?: NodeJS.ProcessEnv) {
  await removeTokens();
  const printed = [];
  for (const line of lines) {
    const { code, stdout } = await run(program, [...line.split(' '), ...(env ? [] : [`--kubeconfig=${admin}`])], env);
    printed.push({ line, code, stdout: masked(stdout) });
  }
  return { printed, secrets: await secrets() };
}

describe('does what the real kubeadm does', () => {
  const create = `token create ${fixed}`;
  const several = [
    create,
    'token create --ttl=0 --description=second',
    'token create --usages=authentication --ttl=90m',
  ];

  it.each<readonly [string, ...string[]]>([
    ['a random token', 'token create'],
    ['a token that is given', create],
    [
      'all flags',
      `${create} --ttl=2h --description=one,two --groups=system:bootstrappers:a,system:bootstrappers:b --usages=authentication`,
    ],
    ['a token that never expires', `${create} --ttl 0`],
    ['one that does not end in the past', `${create} --ttl -5m`],
    ['a token that is there', create, create],
    ['a usage that there is not', `${create} --usages=frob`],
    ['signing alone, to which the default group does not fit', `${create} --usages=signing`],
    ['a group of others', `${create} --groups=system:masters`],
    ['no token', 'token create frob'],
    ['a join command', `${create} --print-join-command`],
    ['a join command of a random token', 'token create --print-join-command'],
    ['a join command for the control plane', `${create} --print-join-command --certificate-key=${'ab'.repeat(32)}`],
    ['an empty list', 'token list'],
    ['a list in JSON of nothing', 'token list -o json'],
    ['deletion by id', create, 'token delete abcdef', 'token list'],
    ['deletion by token', create, `token delete ${fixed}`, 'token list'],
    ['deletion of several', create, 'token create ghijkl.0123456789abcdef', 'token delete abcdef ghijkl', 'token list'],
    ['deletion of what is not there', 'token delete abcdef'],
    ['deletion of nothing', 'token delete'],
    ['deletion of no token', 'token delete frob!'],
    ['superfluous arguments', 'token list frob', 'token generate frob'],
    ['a list of one', create, 'token list'],
  ])('%s', async (_name, ...lines) => {
    const peer = await outcome('peer', lines);
    expect(await outcome('ours', lines)).toEqual(peer);
  });

  it.each([
    'token list -o json',
    'token list -o yaml',
    'token list -o kyaml',
    'token list -o jsonpath={.description}{"\\n"}',
    'token list -o jsonpath={.usages[*]}',
    'token list -o jsonpath-as-json={.groups}',
    'token list -o go-template={{.description}}:{{len(.usages)}}',
    'token list -o jsonpath={.frob} --allow-missing-template-keys=false',
    'token list -o xml',
    'token list --show-managed-fields -o json',
  ])('lists in other forms: %s', async (line) => {
    const lines = [create, line];
    const peer = await outcome('peer', lines);
    expect(await outcome('ours', lines)).toEqual(peer);
  });

  it('lists several, whose columns line up with nothing', async () => {
    for (const line of several) await run('ours', [...line.split(' '), `--kubeconfig=${admin}`]);
    const [first, second] = [await listed('peer'), await listed('ours')];
    expect(first.split('\n')).toHaveLength(5);
    // Rows of one second are alike.
    expect(masked(second)).toBe(masked(first));
  });

  async function listed(program: Program): Promise<string> {
    return (await run(program, ['token', 'list', `--kubeconfig=${admin}`])).stdout;
  }

  it('creates all tokens of a file and prints the first', async () => {
    const file = join(directory, 'tokens.yaml');
    writeFileSync(
      file,
      `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: {advertiseAddress: 192.0.2.10}
bootstrapTokens:
- {token: ${fixed}, description: first}
- {token: ghijkl.0123456789abcdef, ttl: 0s, groups: ["system:bootstrappers:x"]}
`,
    );
    const lines = [`token create --config=${file}`, `token create --config=${file} --ttl=1h`];
    const peer = await outcome('peer', lines);
    expect(peer.secrets).toHaveLength(2);
    expect(await outcome('ours', lines)).toEqual(peer);
  });

  it.each([
    ['KUBECONFIG', { KUBECONFIG: 'ADMIN' }],
    ['the first that is there of several', { KUBECONFIG: '/nonexistent:ADMIN:/nonexistent2' }],
    ['a file that names others beside it', { KUBECONFIG: 'RELATIVE' }],
    ['nothing that is there', { KUBECONFIG: '/nonexistent' }],
    ['nothing at all', {}],
  ])('finds the cluster by %s', async (_name, env) => {
    const places = { ADMIN: admin, RELATIVE: join(directory, 'relative.conf') };
    const replaced = Object.fromEntries(
      Object.entries(env).map(([key, text]) => [
        key,
        text.replace(/[A-Z]{5,}/, (word: string) => places[word as 'ADMIN']),
      ]),
    );
    const lines = [`${create} --print-join-command`, 'token list'];
    const peer = await outcome('peer', lines, replaced);
    expect(await outcome('ours', lines, replaced)).toEqual(peer);
  });
});

describe('does better', () => {
  it('a dry run changes nothing and still prints the result alone', async () => {
    const dry = ['--dry-run', `--kubeconfig=${admin}`];
    const created = await run('ours', ['token', 'create', fixed, ...dry]);
    expect(created).toMatchObject({ code: 0, stdout: `${fixed}\n` });
    expect(created.stderr).toContain('Would create the Secret kube-system/bootstrap-token-abcdef');
    expect(await secrets()).toEqual([]);
    await run('ours', ['token', 'create', fixed, `--kubeconfig=${admin}`]);
    const deleted = await run('ours', ['token', 'delete', 'abcdef', ...dry]);
    expect(deleted).toMatchObject({ code: 0, stdout: 'bootstrap token "abcdef" deleted\n' });
    expect(await secrets()).toHaveLength(1);
  });

  it.each([
    ['a certificate key without the join command', ['create', fixed, '--certificate-key=ab'], /--print-join-command/],
    ['an argument too many', ['create', fixed, 'ghijkl.0123456789abcdef'], /at most 1/],
    ['one bad argument among good ones', ['delete', 'abcdef', 'frob!'], /argument 2/],
  ])('refuses %s before anything is done', async (_name, words, says) => {
    await run('ours', ['token', 'create', fixed, `--kubeconfig=${admin}`]);
    const before = await secrets();
    const { code, stderr } = await run('ours', ['token', ...words, `--kubeconfig=${admin}`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('0123456789abcdef');
    expect(await secrets()).toEqual(before);
  });

  it('prints documents where they are asked for', async () => {
    const on = [`--kubeconfig=${admin}`, '-o', 'json'];
    const created = await run('ours', ['token', 'create', fixed, '--print-join-command', ...on]);
    expect(JSON.parse(created.stdout)).toEqual({
      token: fixed,
      joinCommand: expect.stringMatching(
        /^kubeadm join 127\.0\.0\.1:\d+ --token \S+ --discovery-token-ca-cert-hash sha256:\w{64}$/,
      ),
    });
    const deleted = await run('ours', ['token', 'delete', 'abcdef', ...on]);
    expect(JSON.parse(deleted.stdout)).toEqual({ deleted: ['abcdef'] });
  });
});

it('lists the good among bad Secrets, and says what is wrong with the others', async () => {
  const time = '2030-01-02T03:04:05Z';
  const rows: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['aaaaaa', { expiration: time }],
    ['bbbbbb', { expiration: '2030-01-02 03:04:05' }],
    ['cccccc', { 'usage-bootstrap-signing': 'True', 'usage-bootstrap-other': 'true' }],
    ['dddddd', { 'token-id': 'eeeeee' }],
    ['ffffff', { 'token-secret': '' }],
    ['gggggg', { expiration: '2020-01-02T03:04:05Z', description: 'past' }],
  ];
  for (const [id, more] of rows) {
    const stringData = { 'token-id': id, 'token-secret': '0123456789abcdef', ...more };
    const metadata = { name: `bootstrap-token-${id}`, namespace: 'kube-system' };
    const secret = { apiVersion: 'v1', kind: 'Secret', type: 'bootstrap.kubernetes.io/token', metadata, stringData };
    expect((await cluster.call('POST', secretsPath, { body: secret })).status).toBe(201);
  }
  const list = ['token', 'list', `--kubeconfig=${admin}`];
  const [peer, own] = [await run('peer', list), await run('ours', list)];
  expect(peer.stdout).toContain('aaaaaa');
  expect(own.stdout).toBe(peer.stdout);
  for (const id of ['bbbbbb', 'dddddd', 'ffffff']) expect(own.stderr).toContain(`bootstrap-token-${id}`);
  expect(own.code).toBe(0);
});
