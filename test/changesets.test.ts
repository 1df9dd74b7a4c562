import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { mustRun } from './run-program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const released = '@groundplane/pki';

type Bump = 'patch' | 'minor' | 'major' | 'none';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const scratches: string[] = [];
afterEach(() => {
  for (const scratch of scratches.splice(0)) rmSync(scratch, { recursive: true, force: true });
});

/** A clone of this repository with the working tree's manifests and settings, committed or not, all packages at one version. */
async function scratchClone(version: string): Promise<string> {
  const scratch = join(mkdtempSync(join(tmpdir(), 'groundplane-changesets-')), 'clone');
  scratches.push(join(scratch, '..'));
  await mustRun('git', ['clone', '--quiet', root, scratch], { cwd: tmpdir() });
  for (const folder of ['packages', '.changeset']) rmSync(join(scratch, folder), { recursive: true, force: true });
  const paths = ['package.json', 'pnpm-workspace.yaml', 'testbed/package.json', '.changeset/config.json'];
  for (const path of [...paths, ...packageFolders(root).map((folder) => join(folder, 'package.json'))]) {
    cpSync(join(root, path), join(scratch, path));
  }
  for (const folder of packageFolders(scratch)) {
    const path = join(scratch, folder, 'package.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    writeFileSync(path, JSON.stringify({ ...manifest, version }, null, 2));
  }
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  return scratch;
}

function packageFolders(checkout: string): readonly string[] {
  return readdirSync(join(checkout, 'packages')).map((name) => join('packages', name));
}

function manifests(checkout: string): ReadonlyMap<string, Manifest> {
  const folders = [...packageFolders(checkout), 'testbed', '.'];
  const read = (folder: string) => JSON.parse(readFileSync(join(checkout, folder, 'package.json'), 'utf8')) as Manifest;
  return new Map(folders.map(read).map((manifest) => [manifest.name, manifest]));
}

/** Who depends on a package, directly or by way of others. */
function dependantsOf(name: string, packages: ReadonlyMap<string, Manifest>): readonly string[] {
  const found = new Set([name]);
  for (const one of found) {
    for (const manifest of packages.values()) {
      if (!manifest.private && manifest.dependencies?.[one] !== undefined) found.add(manifest.name);
    }
  }
  found.delete(name);
  return [...found];
}

function bumpOf(before: string | undefined, after: string | undefined): Bump {
  if (before === after) return 'none';
  const [from = [], to = []] = [before, after].map((version) => (version ?? '').split('.').map(Number));
  if (from[0] !== to[0]) return 'major';
  return from[1] !== to[1] ? 'minor' : 'patch';
}

/** What a caret range covers differs: nothing else, patches, minors. Dependants shall not depend on that. */
const versions = ['0.0.0', '0.3.1', '1.2.3'];
const cases = versions.flatMap((version) => (['patch', 'minor', 'major'] as const).map((bump) => ({ version, bump })));

it.each(cases)(
  `at $version a $bump changeset for ${released} bumps it and, as patch, its dependants and nothing else`,
  async ({ version, bump }) => {
    const scratch = await scratchClone(version);
    const before = manifests(scratch);
    const dependants = dependantsOf(released, before);
    expect(dependants).toContain('@groundplane/cli');
    expect(dependants).not.toContain('@groundplane/errors');

    writeFileSync(join(scratch, '.changeset/a-change.md'), `---\n'${released}': ${bump}\n---\n\nA change.\n`);
    const program = join(root, 'node_modules/@changesets/cli/bin.js');
    await mustRun(process.execPath, [program, 'version'], { cwd: scratch });

    const after = manifests(scratch);
    const bumps = Object.fromEntries(
      [...before.values()].map(({ name, version }) => [name, bumpOf(version, after.get(name)?.version)]),
    );
    const expected = Object.fromEntries(
      [...before.keys()].map((name) => [name, name === released ? bump : dependants.includes(name) ? 'patch' : 'none']),
    );
    expect(bumps).toEqual(expected);
    expect(readFileSync(join(scratch, 'packages/pki/CHANGELOG.md'), 'utf8')).toContain('A change.');
  },
  60_000,
);
