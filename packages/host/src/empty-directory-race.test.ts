import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyDirectory } from './empty-directory.ts';

const rounds = 5000;
const precious = Array.from({ length: 64 }, (_, index) => `precious-${index}`);

/** Has the name stand for a folder and for a link to another folder by turns, until it is stopped. */
const exchanger = `
const { mkdirSync, renameSync, symlinkSync } = require('node:fs');
const [name, outside, aside] = process.argv.slice(1);
const attempt = (call) => { try { call(); } catch {} };
console.log('ready');
for (;;) {
  attempt(() => symlinkSync(outside, aside + '/link'));
  attempt(() => mkdirSync(name));
  attempt(() => renameSync(name, aside + '/folder'));
  attempt(() => renameSync(aside + '/link', name));
  attempt(() => renameSync(name, aside + '/link'));
  attempt(() => renameSync(aside + '/folder', name));
}
`;

let work: string;
let other: ChildProcess | undefined;

beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-race-')));
  for (const name of ['emptied', 'outside', 'aside']) mkdirSync(join(work, name));
});

afterEach(async () => {
  if (other !== undefined && other.exitCode === null) {
    const gone = once(other, 'exit');
    other.kill('SIGKILL');
    await gone;
  }
  rmSync(work, { recursive: true, force: true });
});

it('does not leave a folder by links that another process puts in the place of folders meanwhile', async () => {
  const place = (name: string) => join(work, name);
  for (const name of precious) {
    mkdirSync(join(place('outside'), name));
    writeFileSync(join(place('outside'), name, 'file'), 'kept');
    writeFileSync(join(place('outside'), `${name}.txt`), 'kept');
  }
  const all = readdirSync(place('outside'), { recursive: true }).toSorted();
  const names = [join(place('emptied'), 'pod'), place('outside'), place('aside')];
  other = spawn(process.execPath, ['-e', exchanger, ...names], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout as NodeJS.ReadableStream, 'data');
  for (let round = 0; round < rounds; round += 1) emptyDirectory(place('emptied'), { onLeftover: () => {} });
  expect(other.exitCode).toBeNull();
  expect(readdirSync(place('outside'), { recursive: true }).toSorted()).toEqual(all);
});
