import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { acquireLock } from '@groundplane/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argumentTable } from '../src/commands/command-row.ts';
import { outputSchemas } from '../src/commands/output-schemas.ts';
import { documentErrors, lineErrors, lineTypes } from './output-validator.ts';
import { programIn } from './program-call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-documents-'));
  writeFileSync(join(folder, 'good.yaml'), call('groundplane', ['config', 'print', 'init-defaults']).stdout);
  for (const [file, pki] of [
    ['user.yaml', 'pki'],
    ['nobody.yaml', 'nowhere'],
  ] as const) {
    const cluster = 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n';
    writeFileSync(join(folder, file), `${cluster}certificatesDir: ${folder}/${pki}\n`);
  }
  writeFileSync(join(folder, 'bad.yaml'), 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nfrob: 1\n');
  writeFileSync(join(folder, 'old.yaml'), 'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
const call = programIn(() => folder);
const words = (line: string) => line.split(' ').map((word) => word.replaceAll('FOLDER', folder));

type Program = 'groundplane' | 'kubeadm';

const manifest = JSON.parse(readFileSync(new URL('../oclif.manifest.json', import.meta.url), 'utf8'));
const table = argumentTable('groundplane', Object.values(manifest.commands));
const rowOf = (path: string) => {
  const row = table.commands.find((candidate) => candidate.path.join(' ') === path);
  if (row === undefined) throw new Error(`there is no command ${path}`);
  return row;
};

/** Each line gets another of the ways to ask for it. */
const formatOf = (line: string) => ['-ojson', '-o=json', '--output=json', '-o json'][line.length % 4];

const version = '--kubernetes-version=v1.37.2';

/** Command, what else is on its line, exit code of groundplane. */
const rows: readonly (readonly [command: string, more: string, code: number])[] = [
  ['certs check-expiration', '--config=FOLDER/good.yaml', 0],
  ['certs generate-csr', '--config=FOLDER/good.yaml --cert-dir=NEW --kubeconfig-dir=NEW', 0],
  [
    'certs import',
    '--config=FOLDER/good.yaml --cert-dir=FOLDER/import --kubeconfig-dir=FOLDER/import FOLDER/bad.yaml',
    3,
  ],
  ['certs report', '--rootfs=FOLDER --html=/page.html', 0],
  ['certs requests', '--config=FOLDER/good.yaml --cert-dir=FOLDER/req --kubeconfig-dir=FOLDER/req', 0],
  ['config images list', version, 0],
  ['config images pull', `--cri-socket=unix://FOLDER/none.sock ${version}`, 4],
  ['config migrate', '--old-config=FOLDER/old.yaml', 0],
  ['config migrate', '--old-config=FOLDER/old.yaml --new-config=FOLDER/new.yaml', 0],
  ['config print init-defaults', '--component-configs=KubeletConfiguration', 0],
  ['config print join-defaults', '', 0],
  ['config print reset-defaults', '', 0],
  ['config print upgrade-defaults', '', 0],
  ['config print groundplane-defaults', '', 0],
  ['config validate', '--config=FOLDER/good.yaml', 0],
  ['config validate', '--config=FOLDER/bad.yaml', 2],
  ['init phase certs ca', `--cert-dir=FOLDER/pki ${version}`, 0],
  ['init phase certs ca', `--cert-dir=FOLDER/other ${version} --dry-run`, 0],
  ['init phase certs apiserver', `--cert-dir=FOLDER/none ${version}`, 3],
  ['init phase certs apiserver', `--cert-dir=FOLDER/none ${version} --dry-run`, 3],
  ['init phase control-plane all', `--print-manifest ${version}`, 0],
  ['init phase addon all', `--print-manifest ${version}`, 0],
  ['journal', '--rootfs=FOLDER', 0],
  ['kubeconfig user', '--client-name=jo --org=a,b --config=FOLDER/user.yaml', 0],
  ['kubeconfig user', '--client-name=jo --token=secret --config=FOLDER/user.yaml', 0],
  ['phases describe', '', 0],
  ['plan init', `--rootfs=FOLDER ${version}`, 0],
  ['plan join', '--rootfs=FOLDER', 2],
  ['plan reset', '--rootfs=FOLDER', 0],
  ['plugins list', '', 0],
  ['phases graph', '', 0],
  ['phases list', '--workflow=join', 0],
  ['rbac explain', 'node:node-a', 0],
  ['rbac explain', 'node:node-a get secrets/one', 0],
  ['rbac explain', 'anonymous get /healthz', 0],
  ['rbac list', '', 0],
  ['reset phase preflight', '--force --ignore-preflight-errors=all --rootfs=FOLDER', 0],
  ['schemas', '', 0],
  ['status', '--rootfs=FOLDER', 0],
  ['schemas', 'event', 0],
  ['token generate', '', 0],
  ['verify', `certs/ca --rootfs=FOLDER ${version}`, 3],
  ['version', '', 0],
];

/** As kubeadm only what differs: the texts and the exit code of errors, and the version. */
const kubeadmRows = rows.filter(
  ([command, , code]) => (code !== 0 && command.startsWith('config')) || /^(version|config images list)$/.test(command),
);

/** Commands that do nothing without a cluster, or a plugin, and are held to their schemas elsewhere. */
const elsewhere: readonly string[] = [
  'certs sign-kubelet-requests',
  'join',
  'plugins install',
  'plugins link',
  'plugins uninstall',
  'token create',
  'token delete',
  'token list',
];

it('has a line for every command', () => {
  const told = [...rows.map(([command]) => command), ...elsewhere];
  const family = (path: readonly string[]) => (path[1] === 'phase' ? path.slice(0, 1) : path).join(' ');
  const families = new Set([...told, ...told.map((command) => family(command.split(' ')))]);
  const missing = table.commands
    .filter(({ kind }) => kind === 'run')
    .map(({ path }) => family(path))
    .filter((name) => !families.has(name));
  expect([...new Set(missing)]).toEqual([]);
});

/** What is wrong, and a line that makes it so. */
const mistakes: readonly (readonly [string, string])[] = [
  ['a flag that does not exist', 'init --frob'],
  ['a command that does not exist', 'frob'],
  ['a parent alone', 'config images'],
  ['a parent of phases alone', 'reset phase'],
  ['an argument too many', 'join a b'],
  ['a file that is not there', 'init --config=/nonexistent --dry-run'],
  ['a file that is not there, for a document of its own', 'config validate --config=/nonexistent'],
  ['a kubeconfig that is not there', 'token list --kubeconfig=/nonexistent'],
  ['a kubeconfig that is not there, to write', 'token create --kubeconfig=/nonexistent'],
  ['nothing to delete', 'token delete'],
  ['nothing to import', 'certs import'],
  ['a CA that does not exist', 'certs requests --authorities=frob'],
  ['a time limit for nothing', 'certs sign-kubelet-requests --timeout=1s'],
  ['a kubeconfig that is not there, to sign', 'certs sign-kubelet-requests --kubeconfig=/nonexistent'],
  ['a mandatory flag', 'config migrate'],
  ['a mandatory flag of kubeadm', 'kubeconfig user'],
  ['a CA that is not there', 'kubeconfig user --client-name=jo --config=FOLDER/nobody.yaml'],
  ['a page that cannot be written', 'certs report --rootfs=FOLDER --html=/none/page.html'],
  ['a subject that is not there', 'rbac explain frob'],
  ['a schema that is not there', 'schemas frob'],
  ['a root that is not there', 'reset --force --rootfs=/nonexistent'],
  ['a join to nowhere', 'join --token=frob'],
  ['a plugin that is not there', 'plugins install FOLDER/none.tgz'],
  ['a folder that is no plugin', 'plugins link FOLDER'],
  ['a plugin that is not installed', 'plugins uninstall nobody'],
];

const helps = ['--help', 'help frob', 'help init phase certs', 'init --help', 'help', 'config images list -h', ''];

describe.each([
  { program: 'groundplane', lines: rows },
  { program: 'kubeadm', lines: kubeadmRows },
] as const)('as $program', ({ program, lines }) => {
  it.each(lines)('%s %s: one document, or lines', (command, more, code) => {
    const { json, jsonl } = outputSchemas(rowOf(command));
    const line = [...words(command), ...words(more)].filter((word) => word !== '');
    const status = program === 'groundplane' || code === 0 ? code : 1;
    const inNewFolders = () => line.map((word) => word.replace('NEW', () => mkdtempSync(join(folder, 'new-'))));
    const document = call(program, [...inNewFolders(), '-o', 'json']);
    expect(documentErrors(json, document.stdout), document.stdout.slice(0, 2000)).toEqual([]);
    expect(document.status, document.stderr).toBe(status);
    expect('error' in JSON.parse(document.stdout)).toBe(code !== 0);
    const lines = call(program, [...inNewFolders(), '-o', 'jsonl']);
    expect(lineErrors([...jsonl, ...(code === 0 ? [] : ['event'])], lines.stdout)).toEqual([]);
    expect(lines.status, lines.stderr).toBe(status);
    expect(lineTypes(lines.stdout).indexOf('error')).toBe(code === 0 ? -1 : lineTypes(lines.stdout).length - 1);
  });

  it.each(program === 'groundplane' ? mistakes : mistakes.slice(0, 3))('%s: the error and nothing else', (_, line) => {
    const { status, stdout: document } = call(program, words(`${line} ${formatOf(line)}`));
    expect(documentErrors(['error', 'run'], document), document).toEqual([]);
    expect(status).not.toBe(0);
    const { stdout } = call(program, words(`${line} -o jsonl`));
    expect(lineErrors(['event'], stdout), stdout).toEqual([]);
    expect(lineTypes(stdout).at(-1)).toBe('error');
  });

  it.each(program === 'groundplane' ? helps : helps.slice(0, 2))('help is a document: %j', (line) => {
    const given = line === '' ? [] : words(line);
    const { status, stdout } = call(program, [...given, '-o', 'json']);
    expect(documentErrors(['help'], stdout), stdout).toEqual([]);
    expect(status).toBe(0);
    expect(lineErrors(['help'], call(program, [...given, '-o', 'jsonl']).stdout)).toEqual([]);
  });

  it('a refused question: the error, and the question on stderr', () => {
    const reset = (format: string) =>
      call(program, ['reset', 'phase', 'preflight', `--rootfs=${folder}`, '-o', format], { input: 'n\n' });
    const { stdout, stderr } = reset('json');
    expect(documentErrors(['run'], stdout)).toEqual([]);
    expect(JSON.parse(stdout).error.code).toBe('CLI_NOT_CONFIRMED');
    expect(stderr).toContain('Are you sure');
    const lines = reset('jsonl').stdout;
    expect(lineErrors(['event'], lines)).toEqual([]);
    expect(lineTypes(lines)).toEqual(['run', 'error']);
  });

  it.each([
    ['json', 'SIGTERM'],
    ['jsonl', 'SIGINT'],
  ] as const)('told to stop while it asks, with %s: the error, then the end by %s', async (format, signal) => {
    const child = spawnProgram(program, ['reset', 'phase', 'preflight', `--rootfs=${folder}`, '-o', format]);
    child.stderr.on('data', (piece: Buffer) => {
      if (piece.includes('[y/N]')) child.kill(signal);
    });
    const { stdout, signal: by } = await ended(child);
    expect(by).toBe(signal);
    expectStopped(format, stdout);
  });

  it('told to stop while it waits for an answer that never comes', async () => {
    const { kubeconfig, called, end } = await silentCluster();
    const child = spawnProgram(program, ['token', 'list', `--kubeconfig=${kubeconfig}`, '-o', 'json']);
    void called.then(() => child.kill('SIGINT'));
    const { stdout, signal } = await ended(child);
    end();
    expect(signal).toBe('SIGINT');
    expectStopped('json', stdout);
  });
});

it('tells that it waits for another command, and goes on', async () => {
  const lock = await acquireLock(join(folder, 'lock'), { who: 'groundplane join' });
  const child = spawnProgram('groundplane', words(`init phase certs sa --cert-dir=FOLDER/sa ${version} -o jsonl`));
  child.stdout.on('data', (piece: Buffer) => {
    if (piece.includes('"lock-wait"')) void lock.release();
  });
  const { stdout } = await ended(child);
  expect(lineErrors(['event'], stdout)).toEqual([]);
  expect(lineTypes(stdout).slice(0, 3)).toEqual(['run', 'lock-wait', 'workflow-started']);
  const holder = { command: 'groundplane join', pid: process.pid };
  expect(JSON.parse(stdout.split('\n')[1] ?? '').holder).toEqual(holder);
});

it('names the files of a dry run, in the document and as an event', () => {
  const env = { KUBEADM_INIT_DRYRUN_DIR: join(folder, 'dry') };
  const line = words(`init phase certs ca --cert-dir=FOLDER/dry-pki ${version} --dry-run -o`);
  const document = call('groundplane', [...line, 'json'], { env }).stdout;
  expect(documentErrors(['dry-run'], document)).toEqual([]);
  expect(JSON.parse(document).dryRun.files).toHaveLength(2);
  const lines = call('groundplane', [...line, 'jsonl'], { env }).stdout;
  expect(lineErrors(['event'], lines)).toEqual([]);
  expect(lineTypes(lines)).toEqual(['run', 'plan', 'dry-run']);
});

it('prints the schemas that are in the package', () => {
  const { schemas } = JSON.parse(call('groundplane', ['schemas', '-o', 'json']).stdout);
  expect(schemas.map(({ name }: { name: string }) => name)).toContain('event');
  const { stdout } = call('groundplane', ['schemas', 'rbac-list']);
  expect(Object.keys(JSON.parse(stdout).$defs)).toContain('grant.schema.json');
});

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly signal: NodeJS.Signals | null;
}

function spawnProgram(program: Program, line: readonly string[]): ChildProcessWithoutNullStreams {
  const bin = fileURLToPath(new URL(`../dist/bin/${program}.js`, import.meta.url));
  return spawn(process.execPath, [bin, ...line], {
    env: { PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: folder },
  });
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [[, signal], stdout, stderr] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, signal };
}

function expectStopped(format: string, stdout: string): void {
  if (format === 'json') {
    expect(documentErrors(['run', 'error'], stdout), stdout).toEqual([]);
    expect(JSON.parse(stdout).error.code).toBe('CLI_STOPPED');
  } else {
    expect(lineErrors(['event'], stdout), stdout).toEqual([]);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'error', code: 'CLI_STOPPED' });
  }
}

/** An API server that takes connections and never says a word. */
async function silentCluster(): Promise<{
  readonly kubeconfig: string;
  readonly called: Promise<unknown>;
  end(): void;
}> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, 'silent.conf');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 'x' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
  const end = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { kubeconfig, called: once(server, 'connection'), end };
}
