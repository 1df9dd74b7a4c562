import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localFiles } from './local-files.ts';

const files = localFiles();
const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-files-')));
  writeFileSync(join(directory, 'file'), 'content');
  chmodSync(join(directory, 'file'), 0o640);
  execFileSync('touch', ['-d', '@1700000000.25', join(directory, 'file')]);
  symlinkSync('file', join(directory, 'link'));
  symlinkSync('nothing', join(directory, 'dangling'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const absent = [
  { name: 'a name that does not exist', path: 'none' },
  { name: 'a name in a directory that does not exist', path: 'none/none' },
  { name: 'a name below a file', path: 'file/none' },
  { name: 'a dangling link', path: 'dangling' },
];

describe('absence', () => {
  it.each(absent)('is undefined to read, status and list: $name', async ({ path }) => {
    expect(await files.read(join(directory, path))).toBeUndefined();
    expect(await files.status(join(directory, path))).toBeUndefined();
    expect(await files.list(join(directory, path))).toBeUndefined();
  });

  it('is fine to remove', async () => {
    await files.remove(join(directory, 'none'));
    await files.remove(join(directory, 'file/none'));
    expect(await files.list(directory)).toEqual(['dangling', 'file', 'link']);
  });
});

it.each(['file', 'link'])('reads %s with its status', async (name) => {
  const { uid, gid } = statSync(join(directory, 'file'));
  const status = { kind: 'file', mode: 0o640, uid, gid, size: 7, modifiedMs: 1_700_000_000_250 };
  expect(await files.status(join(directory, name))).toEqual(status);
  const content = await files.read(join(directory, name));
  expect(content).toMatchObject(status);
  expect(Buffer.from(content?.bytes ?? []).toString()).toBe('content');
});

it('tells directories and other kinds', async () => {
  expect(await files.status(directory)).toMatchObject({ kind: 'directory' });
  expect(await files.status('/dev/null')).toMatchObject({ kind: 'other' });
});

it('looks at a link itself where it is told not to follow', async () => {
  const unfollowed = (name: string) => files.status(join(directory, name), { followLinks: false });
  expect(await unfollowed('link')).toMatchObject({ kind: 'symlink' });
  expect(await unfollowed('dangling')).toMatchObject({ kind: 'symlink' });
  expect(await unfollowed('file')).toMatchObject({ kind: 'file', size: 7 });
  expect(await unfollowed('none')).toBeUndefined();
});

describe('what cannot be read or written', () => {
  it.each([
    {
      name: 'reading a directory',
      action: () => files.read(directory),
      code: 'HOST_FILE_UNREADABLE',
      message: 'it is a directory',
    },
    {
      name: 'listing a file',
      action: () => files.list(join(directory, 'file')),
      code: 'HOST_FILE_UNREADABLE',
      message: 'not a directory',
    },
    {
      name: 'writing over a directory',
      action: () => files.write(directory, bytes('x'), { mode: 0o600 }),
      code: 'HOST_FILE_UNWRITABLE',
      message: 'it is a directory',
    },
    {
      name: 'writing below a file',
      action: () => files.write(join(directory, 'file/sub/x'), bytes('x'), { mode: 0o600 }),
      code: 'HOST_FILE_UNWRITABLE',
      message: 'not a directory',
    },
    {
      name: 'a directory where a file is',
      action: () => files.makeDirectory(join(directory, 'file'), { mode: 0o700 }),
      code: 'HOST_FILE_UNWRITABLE',
      message: 'not a directory',
    },
    {
      name: 'removing a directory',
      action: () => files.remove(directory),
      code: 'HOST_FILE_UNWRITABLE',
      message: 'it is a directory',
    },
    {
      name: 'a read-only file system',
      action: () => files.write('/proc/groundplane', bytes('x'), { mode: 0o600 }),
      code: 'HOST_FILE_UNWRITABLE',
      message: '/proc/groundplane',
    },
  ])('is an error that names the path: $name', async ({ action, code, message }) => {
    await expect(action()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('is misuse when the path is relative', async () => {
    await expect(files.read('etc/kubernetes')).rejects.toThrow(TypeError);
  });
});

describe('append', () => {
  it('makes the file with its mode and then adds to it', async () => {
    const path = join(directory, 'sub/journal');
    await files.append(path, bytes('one\n'), { mode: 0o600 });
    await files.append(path, bytes('two\n'), { mode: 0o644 });
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o7777).toBe(0o600);
  });

  it('keeps records of appenders at one time whole', async () => {
    const path = join(directory, 'journal');
    const records = Array.from({ length: 50 }, (_, index) => `${String(index).padStart(2, '0').repeat(500)}\n`);
    await Promise.all(records.map((record) => files.append(path, bytes(record), { mode: 0o600 })));
    expect(
      readFileSync(path, 'utf8')
        .split(/(?<=\n)/)
        .sort(),
    ).toEqual(records);
  });
});

describe('makeDirectory', () => {
  it('gives every directory that it makes the mode, and leaves those that exist', async () => {
    mkdirSync(join(directory, 'old'));
    chmodSync(join(directory, 'old'), 0o750);
    await files.makeDirectory(join(directory, 'old/new/manifests'), { mode: 0o700 });
    await files.makeDirectory(join(directory, 'old'), { mode: 0o700 });
    const modes = ['old', 'old/new', 'old/new/manifests'].map((name) => statSync(join(directory, name)).mode & 0o7777);
    expect(modes).toEqual([0o750, 0o700, 0o700]);
  });

  it('accepts a link to a directory', async () => {
    symlinkSync('.', join(directory, 'self'));
    await files.makeDirectory(join(directory, 'self'), { mode: 0o700 });
    expect(await files.status(join(directory, 'self'))).toMatchObject({ kind: 'directory' });
  });
});
