import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mustRun } from './run-program.ts';

vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join(root, 'node_modules/.bin');
const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`,
  // Only what this checkout built counts, whatever the person's own settings are.
  TURBO_CACHE: 'local:rw',
  TURBO_FORCE: '',
  TURBO_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
};

interface DryRun {
  readonly tasks: readonly {
    readonly package: string;
    readonly hash: string;
    readonly dependencies: readonly string[];
  }[];
}

/** `./dev build`, without its first step, which brings the package manager. */
function build(): Promise<string> {
  return mustRun('node', ['--disable-warning=ExperimentalWarning', 'scripts/dev.ts', 'build'], { cwd: root, env });
}

it('a second build is all cached', async () => {
  await build();
  const summary = await build();
  const [, cached, total] = summary.match(/Cached:\s+(\d+) cached, (\d+) total/) ?? [];
  expect(Number(total), summary).toBe(builtPackages().length);
  expect(Number(cached), summary).toBe(Number(total));
  expect(summary).toContain('FULL TURBO');
}, 300_000);

function builtPackages(): readonly string[] {
  const within = (parent: string) => readdirSync(join(root, parent)).map((name) => join(parent, name));
  const folders = [...within('packages'), ...within('plugins'), 'testbed'];
  return folders.filter((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return manifest.scripts?.build !== undefined;
  });
}

describe('what a change makes stale', () => {
  let scratch: string;
  let before: ReadonlyMap<string, string>;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'groundplane-build-'));
    const files = [
      'package.json',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'tsconfig.base.json',
      'turbo.json',
      '.gitignore',
    ];
    const isSource = (path: string) => !['node_modules', 'dist', '.turbo'].includes(basename(path));
    for (const path of [...files, 'packages', 'testbed']) {
      cpSync(join(root, path), join(scratch, path), { recursive: true, filter: isSource });
    }
    before = await hashes();
  }, 60_000);

  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  async function dryRun(): Promise<DryRun> {
    const output = await mustRun(join(programs, 'turbo'), ['run', 'build', '--dry=json'], { cwd: scratch, env });
    return JSON.parse(output.slice(output.indexOf('{'))) as DryRun;
  }

  /** Package → what its build depends on, as a hash. */
  async function hashes(): Promise<ReadonlyMap<string, string>> {
    return new Map((await dryRun()).tasks.map((task) => [task.package, task.hash]));
  }

  async function stale(): Promise<readonly string[]> {
    const after = await hashes();
    expect([...after.keys()]).toEqual([...before.keys()]);
    return [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
  }

  it('a test or a README: nothing', async () => {
    writeFileSync(join(scratch, 'packages/pki/src/another.test.ts'), 'export {};\n');
    appendFileSync(join(scratch, 'packages/pki/README.md'), 'More.\n');
    expect(await stale()).toEqual([]);
  });

  it('a source of pki: pki and its dependants alone', async () => {
    appendFileSync(join(scratch, 'packages/pki/src/index.ts'), '// changed\n');
    const { tasks } = await dryRun();
    const affected = new Set(['@groundplane/pki']);
    for (const one of affected) {
      for (const task of tasks) if (task.dependencies.includes(`${one}#build`)) affected.add(task.package);
    }
    expect(affected).toContain('@groundplane/cli');
    expect(affected).not.toContain('@groundplane/errors');
    expect([...(await stale())].sort()).toEqual([...affected].sort());
  });
});
