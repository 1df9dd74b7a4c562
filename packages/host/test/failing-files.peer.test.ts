import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { traced } from './trace.ts';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'groundplane-failing-')));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const script = join(import.meta.dirname, 'try-files.ts');

interface Outcome {
  readonly code: string;
  readonly kind?: string;
  readonly message?: string;
  readonly hint?: string;
}

/**
 * Mounts a file system of its own on a directory, in a mount namespace of its own, fills it as the preparation says, and tries things.
 *
 * @param options.mount options of mount(8) for the tmpfs
 * @param options.prepare shell script, run in the mounted directory
 * @param options.attempts see try-files.ts; paths are below the mounted directory
 * @param options.also shell script afterwards, run there: a remount
 */
function tryOn(options: {
  readonly mount?: string;
  readonly prepare?: string;
  readonly attempts: readonly { readonly operation: string; readonly path: string; readonly [key: string]: unknown }[];
}): { readonly outcomes: readonly Outcome[]; readonly before: string; readonly after: string } {
  const attempts = options.attempts.map((attempt) => ({ ...attempt, path: join(directory, 'node', attempt.path) }));
  const tree = `find . -printf '%p %m %u %s %T@ %l\\n' | sort; find . -type f -exec cksum {} + | sort`;
  const shell = [
    'set -e',
    `mkdir -m 755 ${directory}/node; chmod 755 ${directory}`,
    `mount -t tmpfs ${options.mount ?? ''} none ${directory}/node`,
    `cd ${directory}/node`,
    options.prepare ?? '',
    `(${tree}) > ${directory}/before`,
    `"$0" "$1" "$2" > ${directory}/outcomes`,
    `(${tree}) > ${directory}/after`,
  ];
  const { status, stderr } = spawnSync(
    'unshare',
    ['--mount', 'sh', '-c', shell.join('\n'), process.execPath, script, JSON.stringify(attempts)],
    { encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  return { outcomes: JSON.parse(read('outcomes')), before: read('before'), after: read('after') };
}

const fill = 'mkdir etc; echo old > etc/file; dd if=/dev/zero of=ballast bs=4k 2> /dev/null || true';
const node = () => join(directory, 'node');

describe('a full disk', () => {
  test('refuses before anything is touched, and says how to make room', () => {
    const { outcomes, before, after } = tryOn({
      mount: '-o size=64k',
      prepare: fill,
      attempts: [
        { operation: 'write', path: 'etc/new', size: 5000 },
        { operation: 'write', path: 'etc/file', size: 5000 },
        { operation: 'write', path: 'deep/er/file' },
      ],
    });
    expect(outcomes).toEqual(
      ['etc/new', 'etc/file', 'deep/er/file'].map((path) => ({
        code: 'HOST_FILE_UNWRITABLE',
        kind: 'unavailable',
        message: `Cannot write ${node()}/${path} as the file system is full (ENOSPC)`,
        hint: expect.stringMatching(/^Make room; see what is taken: df -h \S+; df -i \S+$/),
        details: { path: `${node()}/${path}` },
      })),
    );
    expect(after).toBe(before);
  });

  test('is one without room for another file as well', () => {
    const { outcomes, before, after } = tryOn({
      mount: '-o nr_inodes=4',
      prepare: 'mkdir etc; touch a b 2> /dev/null || true',
      attempts: [{ operation: 'write', path: 'etc/new' }],
    });
    expect(outcomes).toMatchObject([{ code: 'HOST_FILE_UNWRITABLE', message: expect.stringContaining('(ENOSPC)') }]);
    expect(after).toBe(before);
  });

  test('leaves no half record, no empty file and no lock', () => {
    const { outcomes, before, after } = tryOn({
      mount: '-o size=64k',
      prepare: fill,
      attempts: [
        { operation: 'append', path: 'etc/file', size: 9000 },
        { operation: 'append', path: 'etc/journal' },
        { operation: 'lock', path: 'etc/lock' },
      ],
    });
    expect(outcomes).toMatchObject(
      outcomes.map(() => ({ code: 'HOST_FILE_UNWRITABLE', message: expect.stringContaining('(ENOSPC)') })),
    );
    const names = (tree: string) => tree.split('\n').map((line) => line.split(' ').toSpliced(4, 1).join(' '));
    expect(names(after)).toEqual(names(before));
  });

  test('that is noticed only when the bytes are to be durable leaves the old file and nothing beside it', () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'old');
    const attempts = JSON.stringify([{ operation: 'write', path }]);
    const { stdout } = traced('try-files.ts', [attempts], { strace: ['-e', 'inject=fsync:error=ENOSPC:when=1'] });
    expect(JSON.parse(stdout)).toMatchObject([{ message: `Cannot write ${path} as the file system is full (ENOSPC)` }]);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['file']);
  });

  test('takes the directories with it that were made for the file', () => {
    const attempts = JSON.stringify([{ operation: 'write', path: join(directory, 'a/b/file') }]);
    const { stdout } = traced('try-files.ts', [attempts], {
      strace: ['-e', 'inject=rename,renameat,renameat2:error=ENOSPC:when=1'],
    });
    expect(JSON.parse(stdout)).toMatchObject([{ code: 'HOST_FILE_UNWRITABLE' }]);
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('a read-only file system can be read, and says how it is mounted where something is to change', () => {
  const { outcomes, before, after } = tryOn({
    prepare: `mkdir etc; echo old > etc/file; mount -o remount,ro ${'$PWD'}`,
    attempts: [
      { operation: 'read', path: 'etc/file' },
      { operation: 'list', path: 'etc' },
      { operation: 'remove', path: 'etc/none' },
      { operation: 'write', path: 'etc/file' },
      { operation: 'write', path: 'deep/er/new' },
      { operation: 'append', path: 'etc/journal' },
      { operation: 'makeDirectory', path: 'manifests' },
      { operation: 'remove', path: 'etc/file' },
      { operation: 'lock', path: 'run/lock' },
    ],
  });
  const refused = (verb: string, path: string, place: string) => ({
    code: 'HOST_FILE_UNWRITABLE',
    message: `Cannot ${verb} ${node()}/${path} as the file system is read-only (EROFS)`,
    hint: `Mount it writable; see how it is mounted: findmnt -T ${node()}${place}`,
  });
  expect(outcomes).toMatchObject([
    { code: 'done' },
    { code: 'done' },
    { code: 'done' },
    refused('write', 'etc/file', '/etc/file'),
    refused('write', 'deep/er/new', ''),
    refused('append to', 'etc/journal', '/etc'),
    refused('make the directory', 'manifests', ''),
    refused('remove', 'etc/file', '/etc/file'),
    refused('write the lock', 'run/lock', ''),
  ]);
  expect(after).toBe(before);
});

test('what another user may not do is told', () => {
  const { outcomes, before, after } = tryOn({
    prepare:
      'mkdir -m 700 closed; echo old > closed/file; mkdir -m 755 open; echo old > open/file; chmod 600 open/file',
    attempts: [
      { operation: 'read', path: 'open/file', uid: 65534 },
      { operation: 'list', path: 'closed' },
      { operation: 'write', path: 'open/file' },
      { operation: 'write', path: 'open/deep/file' },
      { operation: 'write', path: 'closed/file' },
      { operation: 'remove', path: 'open/file' },
    ],
  });
  expect(outcomes.map(({ message }) => message)).toEqual([
    `Cannot read ${node()}/open/file as permission is denied (EACCES)`,
    `Cannot list ${node()}/closed as permission is denied (EACCES)`,
    `Cannot write ${node()}/open/file as permission is denied (EACCES)`,
    `Cannot write ${node()}/open/deep/file as permission is denied (EACCES)`,
    `Cannot write ${node()}/closed/file as permission is denied (EACCES)`,
    `Cannot remove ${node()}/open/file as permission is denied (EACCES)`,
  ]);
  expect(outcomes.every(({ hint }) => hint?.startsWith('Run it as root; see who may: namei -l /'))).toBe(true);
  expect(after).toBe(before);
});

test('what is in the way is named', () => {
  const { outcomes, before, after } = tryOn({
    prepare: 'mkdir etc; echo old > etc/file; ln -s circle etc/circle',
    attempts: [
      { operation: 'write', path: 'etc/file/pki/ca.key' },
      { operation: 'makeDirectory', path: 'etc/file' },
      { operation: 'write', path: 'etc' },
      { operation: 'write', path: 'etc/circle' },
      { operation: 'write', path: `etc/deep/${'x'.repeat(300)}` },
      { operation: 'list', path: 'etc/file' },
    ],
  });
  expect(outcomes.map(({ message }) => message?.replaceAll(node(), '').replace(/x{300}/, 'xxx'))).toEqual([
    'Cannot write /etc/file/pki/ca.key as /etc/file is not a directory (ENOTDIR)',
    'Cannot make the directory /etc/file as something that is not a directory is in its place (EEXIST)',
    'Cannot write /etc as it is a directory (EISDIR)',
    'Cannot write /etc/circle as it goes through too many symbolic links (ELOOP)',
    'Cannot write /etc/deep/xxx as its name is too long (ENAMETOOLONG)',
    'Cannot list /etc/file as a part of it is not a directory (ENOTDIR)',
  ]);
  const names = (tree: string) => tree.split('\n').map((line) => line.split(' ').toSpliced(4, 1).join(' '));
  expect(names(after)).toEqual(names(before));
});
