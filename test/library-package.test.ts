/** What someone gets who uses the library: packed as for the registry, in an ordinary npm project outside the workspace. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mustRun, runProgram } from './run-program.ts';

// Every test starts compilers or other programs.
vi.setConfig({ testTimeout: 300_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = {
  'the oldest Node.js': join(root, 'node_modules/oldest-node/bin/node'),
  'this Node.js': process.execPath,
};

/** Uses each type of the facade, with ports of its own beside those of Linux, in a root that is a folder. */
const consumer = `
import {
  type BootstrapPorts, createBootstrap, type Event, isGroundplaneError, type PreparedWorkflow, type InitContext,
  type RunResult, type Selection, type Signer, webCryptoSigner,
} from '@groundplane/bootstrap';
import { openRootDirectory } from '@groundplane/host';
import { linuxPorts } from '@groundplane/linux';

const [directory = '', stopAfter = ''] = process.argv.slice(2);
let asked = 0;
const own = webCryptoSigner();
const signer: Signer = {
  canIssue: (request) => own.canIssue(request),
  issue: (requests) => {
    asked += requests.length;
    return own.issue(requests);
  },
};
const ports: BootstrapPorts = { ...linuxPorts({ root: await openRootDirectory(directory) }), signer };
const selection: Selection = { only: ['certs', 'kubeconfig', 'etcd', 'control-plane'] };
const init: PreparedWorkflow<InitContext> = await createBootstrap({ ports }).init({
  configuration: [
    { apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', encryptionAlgorithm: 'ECDSA-P256' },
    {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
      nodeRegistration: { name: 'node-a' },
    },
  ],
  selection,
});
const controller = new AbortController();
const events: Event['type'][] = [];
const report = (event: Event): void => {
  events.push(event.type);
  if (event.type === 'phase-finished' && event.phase === stopAfter) controller.abort();
};
let result: RunResult | undefined;
let code: string | undefined;
try {
  result = await init.run({ report, signal: controller.signal });
} catch (error) {
  if (!isGroundplaneError(error)) throw error;
  code = error.code;
}
const verdicts = await init.verify();
const findings = verdicts.flatMap((verdict) => verdict.findings.map((finding) => finding.code));
const decisions = Object.fromEntries((result?.phases ?? []).map(({ phase, decision }) => [phase, decision]));
console.log(JSON.stringify({ asked, code, findings, decisions, events: events.length }));
`;

interface Report {
  readonly asked: number;
  readonly code?: string;
  readonly findings: readonly string[];
  readonly decisions: Readonly<Record<string, string>>;
  readonly events: number;
}

let scratch: string;
let project: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'groundplane-library-'));
  const packed = join(scratch, 'packed');
  mkdirSync(packed);
  await mustRun('pnpm', ['--filter', '@groundplane/linux...', 'pack', '--pack-destination', packed], { cwd: root });
  project = join(scratch, 'project');
  mkdirSync(project);
  const tarballs = readdirSync(packed);
  // The packages that these depend on are not in a registry before their release.
  const dependencies = Object.fromEntries(
    tarballs.map((file) => [
      `@groundplane/${/^groundplane-(.*)-\d+\.\d+\.\d+\.tgz$/.exec(file)?.[1]}`,
      `file:${join(packed, file)}`,
    ]),
  );
  const types = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node'];
  const manifest = { private: true, type: 'module', dependencies, devDependencies: { '@types/node': types } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const [, example = ''] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'packages/bootstrap/README.md'), 'utf8')) ?? [];
  writeFileSync(join(project, 'example.ts'), example);
  writeFileSync(join(project, 'consumer.ts'), consumer);
  const npm = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await mustRun('npm', npm, { cwd: project });
  // Packing and installing all packages takes half a minute, and several times as long on a machine that has other things to do.
}, 600_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }), 60_000);

it('compiles against the declarations under strict settings, those of dependencies included', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--verbatimModuleSyntax'];
  const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  await mustRun(process.execPath, [compiler, ...strict, ...target, 'consumer.ts', 'example.ts'], { cwd: project });
});

describe.each(Object.entries(programs))('on %s', (_, program) => {
  const run = async (directory: string, ...args: readonly string[]): Promise<Report> => {
    mkdirSync(directory, { recursive: true });
    const { code, stdout, stderr } = await runProgram(program, ['consumer.js', directory, ...args], { cwd: project });
    expect([code, stderr]).toEqual([0, '']);
    // One line: nothing but what the program itself prints.
    expect(stdout.trim().split('\n')).toHaveLength(1);
    return JSON.parse(stdout) as Report;
  };

  it('the example of the README prints what it says, and nothing else', async () => {
    const { code, stdout, stderr } = await runProgram(program, ['example.js'], { cwd: project });
    expect([code, stdout, stderr]).toEqual([0, '-----BEGIN CERTIFICATE-----\ntrue\n', '']);
  });

  it('a run that is stopped goes on in the next process, in the file system of a node elsewhere', async () => {
    const node = mkdtempSync(join(scratch, 'node-'));
    const stopped = await run(node, 'certs/apiserver');
    expect(stopped.code).toBe('PHASES_ABORTED');
    expect(stopped.decisions).toEqual({});
    const key = readFileSync(join(node, 'etc/kubernetes/pki/ca.key'), 'utf8');

    const finished = await run(node);
    expect(finished.code).toBeUndefined();
    expect(finished.findings).toEqual([]);
    expect(finished.decisions).toMatchObject({ 'certs/ca': 'keep', 'certs/sa': 'create', 'etcd/local': 'create' });
    expect(finished.asked).toBeGreaterThan(0);
    expect(readFileSync(join(node, 'etc/kubernetes/pki/ca.key'), 'utf8')).toBe(key);
    const verified = await mustRun(
      'openssl',
      ['verify', '-CAfile', 'ca.crt', 'apiserver.crt', 'apiserver-kubelet-client.crt'],
      { cwd: join(node, 'etc/kubernetes/pki') },
    );
    expect(verified).toBe('apiserver.crt: OK\napiserver-kubelet-client.crt: OK\n');
  });
});
