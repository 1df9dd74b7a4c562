import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '../packages/host/dist/index.js';

const program = fileURLToPath(new URL('../packages/cli/dist/bin/groundplane.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groundplane-plugins-'));
afterAll(() => rmSync(folder, { recursive: true }));

let state = '';
let count = 0;
beforeEach(() => {
  state = join(folder, `state-${count++}`);
});

const environment = () => ({ PATH: process.env.PATH, HOME: folder, GROUNDPLANE_STATE_DIR: state });

function call(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: environment(),
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

/** A plugin that leaves a file behind when its code is run. */
function plugin(name: string) {
  const place = join(folder, `${name}-${count}`);
  const ran = join(folder, `${name}-${count}-ran`);
  mkdirSync(join(place, 'dist/commands'), { recursive: true });
  const mark = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(ran)}, '');`;
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({
      name,
      version: '1.0.0',
      type: 'module',
      groundplane: { plugin: './dist/plugin.js' },
      oclif: { commands: './dist/commands' },
    }),
  );
  writeFileSync(join(place, 'dist/plugin.js'), `${mark} export default { interfaceVersion: 1, name: '${name}' };`);
  writeFileSync(
    join(place, `dist/commands/${name}.js`),
    `${mark} export default class Own { static enableJsonFlag = false; static args = {}; static flags = {}; static async run() {} }`,
  );
  return { place, ran };
}

const installed = () => {
  const { stdout } = call('plugins', 'list', '-o', 'json');
  return (JSON.parse(stdout) as { readonly plugins: readonly { readonly name: string }[] }).plugins.map(
    ({ name }) => name,
  );
};

describe('plugins that are installed at the same time', () => {
  const names = ['one', 'two', 'three', 'four'];

  test('are all there afterwards, and gone when they are all taken out', async () => {
    const together = async (line: (name: string) => readonly string[]) => {
      const children = names.map((name) =>
        spawn(process.execPath, [program, ...line(name)], { env: environment(), cwd: folder, stdio: 'ignore' }),
      );
      return (await Promise.all(children.map((child) => once(child, 'exit')))).map(([code]) => code as number);
    };
    const places = new Map(names.map((name) => [name, plugin(name).place]));
    expect(await together((name) => ['plugins', 'link', places.get(name) ?? ''])).toEqual([0, 0, 0, 0]);
    expect(installed().toSorted()).toEqual(names.toSorted());
    expect(await together((name) => ['plugins', 'uninstall', name])).toEqual([0, 0, 0, 0]);
    expect(installed()).toEqual([]);
  });

  test('wait for a command that changes the node', async () => {
    const { place } = plugin('patient');
    const lock = await acquireLock(join(state, 'lock'), { who: 'groundplane init' });
    const child = spawn(process.execPath, [program, 'plugins', 'link', place], {
      env: environment(),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit');
    const [said] = (await once(child.stderr, 'data')) as Buffer[];
    child.stderr.resume();
    expect(String(said)).toContain('Waiting for another command on this node: groundplane init');
    expect(existsSync(join(state, 'plugins/package.json'))).toBe(false);
    await lock.release();
    expect((await ended)[0]).toBe(0);
    expect(installed()).toEqual(['patient']);
  });
});

describe.runIf(process.getuid?.() === 0)('root runs nothing that somebody else may change', () => {
  const somebody = 65534;
  const registry = () => join(state, 'plugins/package.json');

  test.each<readonly [string, (place: string) => void, RegExp]>([
    [
      'the folder of plugins is open',
      () => chmodSync(join(state, 'plugins'), 0o777),
      /plugins as others may write .*state-\d+\/plugins/,
    ],
    ['the folder above it is open', () => chmodSync(state, 0o777), /others may write .*state-\d+: /],
    [
      'the folder is of somebody else',
      () => chownSync(join(state, 'plugins'), somebody, 0),
      /belongs to the user 65534/,
    ],
    ['the registry is open', () => chmodSync(registry(), 0o666), /others may write .*package\.json/],
    ['the registry is of somebody else', () => chownSync(registry(), somebody, 0), /belongs to the user 65534/],
    ['the plugin is open', (place) => chmodSync(place, 0o777), /plugin 'evil' as others may write/],
    ['its code is open', (place) => chmodSync(join(place, 'dist/plugin.js'), 0o666), /others may write .*plugin\.js/],
    [
      'a command of it is open',
      (place) => chmodSync(join(place, 'dist/commands'), 0o777),
      /others may write .*commands/,
    ],
    ['it is of somebody else', (place) => chownSync(place, somebody, somebody), /belongs to the user 65534/],
    [
      'it is of a group',
      (place) => {
        chownSync(place, 0, somebody);
        chmodSync(place, 0o775);
      },
      /others may write/,
    ],
  ])('where %s', (_, open, reason) => {
    const { place, ran } = plugin('evil');
    expect(call('plugins', 'link', place).code).toBe(0);
    rmSync(ran);
    open(place);
    const planned = call('plan', 'init', '--rootfs', folder, '--kubernetes-version', 'v1.37.2');
    expect(planned.code).not.toBe(0);
    expect(planned.stderr).toMatch(reason);
    expect(planned.stderr).toMatch(/chown|chmod/);
    expect(call('verify', 'certs/ca', '--rootfs', folder, '--kubernetes-version', 'v1.37.2').stderr).toMatch(reason);
    const { stdout, stderr } = call('plugins', 'list');
    expect(stdout + stderr).toMatch(reason);
    for (const line of [['evil'], ['--help']]) call(...line);
    expect(existsSync(ran), 'its code was run').toBe(false);
    expect(existsSync(join(folder, 'etc/kubernetes'))).toBe(false);
  });

  test('and takes nothing of the kind in', () => {
    const { place, ran } = plugin('open');
    chmodSync(place, 0o777);
    const { code, stderr } = call('plugins', 'link', place);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/others may write/);
    expect(existsSync(ran)).toBe(false);
    expect(installed()).toEqual([]);
  });

  test('what is taken out of a tarball is closed, whatever the tarball says', () => {
    const { place } = plugin('tarred');
    chmodSync(join(place, 'dist'), 0o777);
    chmodSync(join(place, 'dist/plugin.js'), 0o666);
    execFileSync('tar', [
      '-czf',
      join(folder, 'tarred.tgz'),
      '--transform',
      's,^,package/,',
      '-C',
      place,
      'package.json',
      'dist',
    ]);
    expect(call('plugins', 'install', 'tarred.tgz').code).toBe(0);
    const kept = join(state, 'plugins/unpacked/tarred/dist');
    expect(statSync(kept).mode & 0o777).toBe(0o755);
    expect(statSync(join(kept, 'plugin.js')).mode & 0o777).toBe(0o644);
    expect(readFileSync(registry(), 'utf8')).toContain('tarred');
  });
});
