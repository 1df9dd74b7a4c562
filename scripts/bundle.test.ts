import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleCommandLine } from './bundle.ts';
import { writeLaunchers } from './launchers.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = join(root, 'node_modules/node/bin/node');
let folder = '';
let metafile: Metafile;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-bundle-'));
  metafile = await bundleCommandLine({ root, application: join(folder, 'groundplane/lib/cli') });
  writeLaunchers(root, join(folder, 'groundplane'));
  symlinkSync(node, join(folder, 'groundplane/lib/node'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything that is read before the first line of this output runs. */
function staticInputs(output: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(output)) return new Set();
  seen.add(output);
  const { inputs, imports } = metafile.outputs[output] ?? { inputs: {}, imports: [] };
  const own = Object.keys(inputs);
  return new Set([
    ...own,
    ...imports
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .flatMap(({ path }) => [...staticInputs(path, seen)]),
  ]);
}

const outputOf = (part: string) => Object.keys(metafile.outputs).find((path) => path.includes(part)) ?? part;
const heavy =
  /client-node|undici|grpc|protobuf|x509|asn1|node_modules\/yaml|@oclif|packages\/(bootstrap|phases(?!\/dist\/until-stopped)|config|host)\//;

describe('the bundle', () => {
  it.each(['dist/bin/kubeadm.js', 'dist/bin/groundplane.js', 'print-version-', 'require-subcommand-'])(
    '%s loads neither a workflow nor what is heavy',
    (part) => {
      const inputs = staticInputs(outputOf(part));
      expect(inputs.size).toBeGreaterThan(0);
      expect([...inputs].filter((input) => heavy.test(input))).toEqual([]);
    },
  );

  it('loads the Kubernetes client and gRPC only when they are used', () => {
    const inputs = staticInputs(outputOf('run-init-'));
    expect([...inputs].some((input) => input.includes('packages/bootstrap/'))).toBe(true);
    expect([...inputs].filter((input) => /client-node|undici|@grpc|peculiar\/x509/.test(input))).toEqual([]);
  });

  it('comes with the notices of what is in it', () => {
    const notices = thirdPartyNotices(root, Object.keys(metafile.inputs));
    for (const name of ['@oclif/core', '@kubernetes/client-node', '@grpc/grpc-js', '@peculiar/x509', 'Node.js']) {
      expect(notices).toContain(`\n${name} `);
    }
    expect(notices).not.toContain('@groundplane/');
  });
});

describe('the launchers', () => {
  const run = (
    command: string,
    args: readonly string[],
    options: { readonly cwd?: string; readonly path?: string } = {},
  ) =>
    spawnSync(command, args, {
      encoding: 'utf8',
      cwd: options.cwd ?? '/',
      env: { PATH: options.path ?? '/usr/bin:/bin' },
    });

  it('start where they were unpacked', () => {
    expect(run(join(folder, 'groundplane/bin/kubeadm'), ['version', '-o', 'short']).stdout).toBe('v1.37.2\n');
    expect(run(join(folder, 'groundplane/bin/groundplane'), ['version']).stdout).toMatch(/^groundplane /);
    expect(run('bin/kubeadm', ['version', '-o', 'short'], { cwd: join(folder, 'groundplane') }).stdout).toBe(
      'v1.37.2\n',
    );
  });

  it('start through symbolic links, absolute and relative, and from PATH', () => {
    const links = join(folder, 'usr/local/bin');
    mkdirSync(links, { recursive: true });
    symlinkSync(join(folder, 'groundplane/bin/kubeadm'), join(links, 'kubeadm'));
    symlinkSync('kubeadm', join(links, 'kubeadm-1.37'));
    symlinkSync('../../../groundplane/bin/kubeadm', join(links, 'relative'));
    for (const name of ['kubeadm', 'kubeadm-1.37', 'relative']) {
      expect(run(join(links, name), ['version', '-o', 'short']).stdout, name).toBe('v1.37.2\n');
      expect(run(name, ['version', '-o', 'short'], { path: `${links}:/usr/bin:/bin` }).stdout, name).toBe('v1.37.2\n');
      expect(run('sh', [name, 'version', '-o', 'short'], { cwd: links }).stdout, name).toBe('v1.37.2\n');
    }
  });

  it('bring the schemas along', () => {
    const { stdout } = run(join(folder, 'groundplane/bin/groundplane'), ['schemas', 'event']);
    expect(JSON.parse(stdout).$id).toBe('https://groundplane.dev/schemas/v1/event.schema.json');
  });

  it.each([
    ['nohup', 'SIGHUP'],
    ["trap '' INT;", ' SIGINT'],
    ["trap '' INT HUP;", 'SIGHUP SIGINT'],
    ['', ''],
  ])('hand on which signals are ignored: %s', (prefix, ignored) => {
    const preload = `data:text/javascript,process.stdout.write(JSON.stringify(process.env.GROUNDPLANE_IGNORED_SIGNALS)),process.exit()`;
    const bin = join(folder, 'groundplane/bin');
    const program = join(bin, 'probe');
    const text = readFileSync(join(bin, 'groundplane'), 'utf8');
    writeFileSync(program, text.replace('"$lib/node" ', `"$lib/node" --import '${preload}' `), { mode: 0o755 });
    expect(run('sh', ['-c', `${prefix} ${program}`]).stdout).toBe(JSON.stringify(ignored));
  });

  it('pass arguments and the exit code on', () => {
    const { status, stderr } = run(join(folder, 'groundplane/bin/groundplane'), ['version', 'a b', '']);
    expect(status).toBe(2);
    expect(stderr).toContain('unknown command "a b"');
  });
});
