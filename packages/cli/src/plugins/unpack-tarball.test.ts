import { execFileSync } from 'node:child_process';
import {
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
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackedFolder, unpackTarball } from './unpack-tarball.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unpack-tarball-'));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), '{"name":"mine","oclif":{}}');
  writeFileSync(join(folder, 'package/evil'), 'evil');
});
afterEach(() => rmSync(folder, { recursive: true }));

function pack(...options: readonly string[]): string {
  const path = join(folder, 'mine.tgz');
  execFileSync('tar', ['-C', folder, '-czPf', path, ...options, 'package'], { stdio: 'pipe' });
  return path;
}

test.each<[string, () => string, string]>([
  [
    'with a name that leads out of it',
    () => pack('--transform=s,^package/evil,package/../../../evil,'),
    "package/../../../evil: Member name contains '..'",
  ],
  [
    'with a pipe in it',
    () => {
      execFileSync('mkfifo', [join(folder, 'package/pipe')]);
      return pack();
    },
    'something in it is no file: pipe',
  ],
  [
    'with a file behind a link of its own',
    () => {
      symlinkSync(folder, join(folder, 'package/a'));
      return pack('--transform=s,^package/evil,package/a/evil2,');
    },
    'as tar says: a: Cannot open: ',
  ],
])('a tarball %s is not taken, and nothing of it stays', async (_, make, reason) => {
  const directory = join(folder, 'plugins');
  await expect(unpackTarball(make(), directory)).rejects.toThrow(reason);
  expect(readdirSync(unpackedFolder(directory))).toEqual([]);
  for (const name of ['evil', 'evil2']) expect(existsSync(join(folder, name))).toBe(false);
});

test('one without a section of oclif is told to have one', async () => {
  writeFileSync(join(folder, 'package/package.json'), '{"name":"mine"}');
  await expect(unpackTarball(pack(), join(folder, 'plugins'))).rejects.toMatchObject({
    message: expect.stringContaining("no section 'oclif'"),
    hint: expect.stringContaining('"oclif": {}'),
  });
});

test('an earlier one comes back where the newer one is not taken, and goes where it is', async () => {
  const directory = join(folder, 'plugins');
  const version = (text: string) =>
    writeFileSync(join(folder, 'package/package.json'), `{"name":"mine","version":"${text}","oclif":{}}`);
  version('1');
  let place = '';
  const taken = async (at: string) => {
    place = at;
  };
  await (await unpackTarball(pack(), directory)).keep(taken);
  version('2');
  const refused = (await unpackTarball(pack(), directory)).keep(() => Promise.reject(new Error('not that')));
  await expect(refused).rejects.toThrow('not that');
  expect(readFileSync(join(place, 'package.json'), 'utf8')).toContain('"1"');
  mkdirSync(join(unpackedFolder(directory), '.new-1'));
  await (await unpackTarball(pack(), directory)).keep(taken);
  expect(readFileSync(join(place, 'package.json'), 'utf8')).toContain('"2"');
  expect(readdirSync(unpackedFolder(directory))).toEqual(['mine']);
});

test('one in order is there until it is dropped, and closed to others', async () => {
  const unpacked = await unpackTarball(pack('--mode=777'), join(folder, 'plugins'));
  expect(unpacked).toMatchObject({ name: 'mine', isWhole: true });
  expect(execFileSync('stat', ['-c', '%a', join(unpacked.root, 'evil')], { encoding: 'utf8' })).toBe('755\n');
  await unpacked.drop();
  expect(existsSync(unpacked.root)).toBe(false);
});
