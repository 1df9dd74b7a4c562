import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultCorefile } from '../src/default-corefile.ts';
import { knownCorefiles } from '../src/known-corefiles.ts';

/** The module that the real kubeadm is built from. */
function kubeadmModule(): string {
  const kubeadm = process.env.GROUNDPLANE_KUBEADM ?? '';
  const version = execFileSync(kubeadm, ['version', '-o', 'short'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  return readFileSync(new URL(`../../../testbed/components/kubernetes-${version}/go.mod`, import.meta.url), 'utf8');
}

/**
 * The source of the library that kubeadm asks, at the version that kubeadm is built with, as Go finds it.
 *
 * @throws Error if it is not there: then it is not known whether the tables are right
 */
function migrationSource(file: string): string {
  const library = 'github.com/coredns/corefile-migration';
  const version = new RegExp(`^\\s*${library} (v\\S+)`, 'm').exec(kubeadmModule())?.[1];
  const download = ['mod', 'download', '-json', `${library}@${version}`];
  const { Dir } = JSON.parse(execFileSync('go', download, { cwd: tmpdir(), encoding: 'utf8' }));
  return readFileSync(join(Dir, 'migration', file), 'utf8');
}

/** The lines of the one server of a Corefile, as the table writes them. */
function linesOf(corefile: string): readonly string[] {
  const lines: string[] = [];
  let depth = 0;
  for (const line of corefile.split('\n').map((text) => text.trim())) {
    if (line === '}') depth -= 1;
    else if (line !== '') {
      if (depth > 0) lines.push(`${depth === 2 ? ' ' : ''}${line.replace(/ \{$/, '')}`);
      if (line.endsWith('{')) depth += 1;
    }
  }
  return lines;
}

const versions = migrationSource('versions.go');

it('the defaults are those of the library that kubeadm asks', () => {
  let version = '';
  const theirs: { readonly version: string; readonly lines: readonly string[] }[] = [];
  for (const [, name, corefile] of versions.matchAll(/^\t"([\d.]+)": \{|defaultConf: `([^`]*)`/gm)) {
    if (name !== undefined) version = name;
    if (corefile !== undefined) theirs.push({ version, lines: linesOf(corefile) });
  }
  expect(theirs.length).toBe(8);
  const ours = knownCorefiles.slice(0, -1);
  // Some releases share one; each of ours is that of the release that it names.
  expect(new Set(ours.map(({ lines }) => JSON.stringify(lines)))).toEqual(
    new Set(theirs.map(({ lines }) => JSON.stringify(lines))),
  );
  for (const { coreDNS, lines } of ours) expect({ coreDNS, lines }).toEqual(theirsOf(coreDNS));

  function theirsOf(version: string) {
    return { coreDNS: version, lines: theirs.find((one) => one.version === version)?.lines };
  }
});

it('the newest default is the one that is written', () => {
  const lines = linesOf(defaultCorefile('*').replace('kubernetes * in-addr.arpa ip6.arpa', 'kubernetes * ***'));
  expect(lines.map((line) => line.replace('/etc/resolv.conf', '*'))).toEqual(knownCorefiles.at(-1)?.lines);
});

/** Versions of plugins that lose an option, or get one that Corefiles need: `kubernetes v7`. */
function demanding(source: string): ReadonlySet<string> {
  const found = new Set<string>();
  let [plugin, version] = ['', ''];
  for (const line of source.split('\n')) {
    plugin = /^\t"(\w+)": \{$/.exec(line)?.[1] ?? plugin;
    version = /^\t\t"([^"]+)": (?:plugin)?\{/.exec(line)?.[1] ?? version;
    if (/Sev(Removed|NewDefault)/.test(line)) found.add(`${plugin} ${version}`);
  }
  return found;
}

it('since CoreDNS 1.8.0 no Corefile has needed migration', () => {
  const changing = demanding(migrationSource('plugins.go'));
  expect(changing).toContain('kubernetes v7');
  const usedIn = (text: string) =>
    [...text.matchAll(/plugins\["(\w+)"\]\["([^"]+)"\]/g)].map(([, plugin, version]) => `${plugin} ${version}`);
  const [releases = '', tables = ''] = versions.split(/^var plugins_1_6_0/m)[0]?.split(/^var plugins_1_14_0/m) ?? [];
  const [newer = '', older = ''] = releases.split(/^\t"1\.8\.0": \{$/m);
  const later = usedIn(newer + tables);
  expect(later.length).toBeGreaterThan(50);
  expect(later.filter((used) => changing.has(used))).toEqual([]);
  expect(newer).not.toMatch(/Sev(Removed|NewDefault)/);
  // 1.8.0 itself and those before did.
  expect(usedIn(older).some((used) => changing.has(used))).toBe(true);
});
