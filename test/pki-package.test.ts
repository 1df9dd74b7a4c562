/** What someone gets who installs only `@groundplane/pki`: packed as for the registry, in a project outside the workspace. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mustRun, runProgram } from './run-program.ts';

// Every test starts compilers or other programs.
vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const scope = '@groundplane/';

/** The consumer: issues a CA and a server certificate, and prints both as JSON. */
const consumer = `
import { type CertificateRequest, issueCertificate, type KeyAlgorithm, subjectAlternativeNames } from '@groundplane/pki';

export async function issue(keyAlgorithm: KeyAlgorithm): Promise<string> {
  const now = Date.now();
  const request = (commonName: string, names: readonly string[], isCA: boolean): CertificateRequest => ({
    subject: { commonName, organizations: [] },
    sans: subjectAlternativeNames(names),
    extendedKeyUsages: isCA ? [] : ['serverAuth'],
    isCA,
    notBefore: new Date(now),
    notAfter: new Date(now + 3_600_000),
    keyAlgorithm,
  });
  const ca = await issueCertificate(request('Example CA', [], true), { issuer: 'self' });
  const names = ['www.example.org', '192.0.2.7'];
  const server = await issueCertificate(request('www.example.org', names, false), { issuer: ca });
  return JSON.stringify({ ca, server });
}
`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Issued {
  readonly ca: { readonly certificate: string; readonly key: string };
  readonly server: { readonly certificate: string; readonly key: string };
}

let scratch: string;
let project: string;
/** Name of a packed package → file of its tarball in the scratch folder. */
const tarballs = new Map<string, string>();

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'groundplane-pki-'));
  await pack('pki');
  project = join(scratch, 'project');
  mkdirSync(project);
  const overrides = [...tarballs].map(([name, file]) => `  '${name}': 'file:${join(scratch, file)}'\n`).join('');
  // The packages that pki depends on are not in a registry before their release.
  writeFileSync(join(project, 'pnpm-workspace.yaml'), `pmOnFail: ignore\noverrides:\n${overrides}`);
  const dependencies = { '@groundplane/pki': `file:${join(scratch, tarballs.get('@groundplane/pki') ?? '')}` };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  writeFileSync(join(project, 'consumer.ts'), consumer);
  await mustRun('pnpm', ['install', '--prefer-offline', '--ignore-scripts'], { cwd: project });
  await typecheck('consumer.ts', ['--module', 'nodenext', '--outDir', '.']);
}, 120_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Packs a package and, as it needs them, the packages of this workspace that it depends on. */
async function pack(folder: string): Promise<void> {
  const directory = join(root, 'packages', folder);
  const { name, dependencies = {} } = readManifest(directory);
  if (tarballs.has(name)) return;
  const before = new Set(readdirSync(scratch));
  await mustRun('pnpm', ['pack', '--pack-destination', scratch], { cwd: directory });
  const [file, ...others] = readdirSync(scratch).filter((entry) => !before.has(entry));
  if (file === undefined || others.length > 0) throw new Error(`pnpm pack of ${name} made ${[file, ...others]}`);
  tarballs.set(name, file);
  for (const dependency of Object.keys(dependencies)) {
    if (dependency.startsWith(scope)) await pack(dependency.slice(scope.length));
  }
}

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;
}

/** Compiles a file of the project against the installed declarations, dependencies' declarations included. */
async function typecheck(file: string, options: readonly string[]): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--types', ''];
  await mustRun(process.execPath, [compiler, ...strict, ...options, file], { cwd: project });
}

/** Runs a module of the project in a process of its own and returns what it prints. */
async function runModule(source: string): Promise<Issued> {
  const output = await mustRun('node', ['--input-type=module', '--eval', source], { cwd: project });
  return JSON.parse(output) as Issued;
}

/** The judgement of openssl on the issued server certificate, for a host. */
async function opensslVerify({ ca, server }: Issued, host: readonly [flag: string, name: string]): Promise<string> {
  const [caFile, serverFile] = [join(scratch, 'ca.crt'), join(scratch, 'server.crt')];
  writeFileSync(caFile, ca.certificate);
  writeFileSync(serverFile, server.certificate);
  const flags = ['-x509_strict', '-purpose', 'sslserver', ...host];
  const result = await runProgram('openssl', ['verify', '-CAfile', caFile, ...flags, serverFile], { cwd: scratch });
  return `${result.code}: ${result.stdout}${result.stderr}`;
}

async function expectGoodCertificates(issued: Issued): Promise<void> {
  const good = `0: ${join(scratch, 'server.crt')}: OK\n`;
  expect(await opensslVerify(issued, ['-verify_hostname', 'www.example.org'])).toBe(good);
  expect(await opensslVerify(issued, ['-verify_ip', '192.0.2.7'])).toBe(good);
  expect(await opensslVerify(issued, ['-verify_hostname', 'www.example.net'])).toContain('hostname mismatch');
  const publicKeyOf = (kind: string, args: readonly string[], input: string) =>
    mustRun('openssl', [kind, ...args], { cwd: scratch, input });
  expect(await publicKeyOf('pkey', ['-pubout'], issued.server.key)).toBe(
    await publicKeyOf('x509', ['-noout', '-pubkey'], issued.server.certificate),
  );
}

describe('the tarball', () => {
  const files = async () => {
    const list = await mustRun('tar', ['-tzf', join(scratch, tarballs.get('@groundplane/pki') ?? '')], {
      cwd: scratch,
    });
    return list.trim().split('\n');
  };

  it('holds the README, the licence, the manifest and what was built, and no sources and tests', async () => {
    const found = await files();
    expect(found).toEqual(
      expect.arrayContaining(['package/README.md', 'package/package.json', 'package/dist/index.js']),
    );
    const allowed = /^package\/(README\.md|LICENSE|CHANGELOG\.md|package\.json|dist\/[\w./-]+\.(js|d\.ts|js\.map))$/;
    expect(found.filter((path) => !allowed.test(path) || path.includes('.test.'))).toEqual([]);
  });

  it('exports one entry, whose files it holds, and depends on released versions', async () => {
    const installed = readManifest(join(project, 'node_modules/@groundplane/pki'));
    expect(installed.exports).toEqual({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } });
    expect(await files()).toEqual(expect.arrayContaining(['package/dist/index.d.ts', 'package/dist/index.js']));
    const ranges = Object.entries(installed.dependencies ?? {});
    expect(ranges.map(([name]) => name)).toContain('@groundplane/errors');
    expect(ranges.filter(([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });
});

describe.each(['RSA-2048', 'ECDSA-P256'])('%s', (keyAlgorithm) => {
  it('in Node.js: issues a CA and a server certificate that openssl accepts', async () => {
    const issued = await runModule(
      `import { issue } from './consumer.js'; console.log(await issue('${keyAlgorithm}'));`,
    );
    await expectGoodCertificates(issued);
  });
});

it('has declarations that other module resolutions accept as well', async () => {
  await typecheck('consumer.ts', ['--module', 'esnext', '--moduleResolution', 'bundler', '--noEmit']);
  writeFileSync(join(project, 'wrong.ts'), consumer.replace('notBefore: new Date(now)', 'notBefore: now'));
  await expect(typecheck('wrong.ts', ['--module', 'nodenext', '--noEmit'])).rejects.toThrow(
    "error TS2322: Type 'number' is not assignable to type 'Date'",
  );
});

it('has a README whose example compiles and prints what the README says', async () => {
  const readme = readFileSync(join(project, 'node_modules/@groundplane/pki/README.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(project, 'example.ts'), example);
  await typecheck('example.ts', ['--module', 'nodenext', '--outDir', '.']);
  const output = await mustRun('node', ['example.js'], { cwd: project });
  expect(output).toMatch(/^warning PKI_SAN_MISSING .*new\.example\.com.*\n$/);
});

it('bundled for a browser: contains no Node module, and issues certificates without anything of Node.js', async () => {
  // esbuild refuses Node's modules on this platform; the lists are asked as well, should that change.
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['consumer.js'],
    outfile: 'bundle.js',
    bundle: true,
    platform: 'browser',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  });
  const imports = [...Object.values(metafile.inputs), ...Object.values(metafile.outputs)].flatMap((one) => one.imports);
  const nodeModules = new Set(builtinModules);
  const isNodeModule = (path: string) => path.startsWith('node:') || nodeModules.has(path);
  expect(imports.filter(({ path }) => isNodeModule(path))).toEqual([]);
  expect(metafile.outputs['bundle.js']?.imports).toEqual([]);

  const issued = await runModule(`
    const print = console.log;
    for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate']) delete globalThis[name];
    globalThis.self = globalThis;
    const { issue } = await import('./bundle.js');
    print(await issue('ECDSA-P256'));
  `);
  await expectGoodCertificates(issued);
});
