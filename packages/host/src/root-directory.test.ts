import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGroundplaneError } from '@groundplane/errors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRandomTree } from '../test/random-tree.ts';
import { acquireLock } from './exclusive-lock.ts';
import { localFiles } from './local-files.ts';
import { localHost } from './local-host.ts';
import { openRootDirectory } from './root-directory.ts';

/** Where writes are made durable in no time. */
const fastest = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
let directory: string;
let root: string;
let outside: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(fastest, 'groundplane-root-')));
  root = join(directory, 'root');
  outside = join(directory, 'outside/secret');
  mkdirSync(root);
  mkdirSync(join(directory, 'outside'));
  writeFileSync(outside, 'OUTSIDE');
  writeFileSync(join(directory, 'outside/OUTSIDE'), '');
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('where a path is', () => {
  beforeEach(() => {
    mkdirSync(join(root, 'etc/kubernetes'), { recursive: true });
    mkdirSync(join(root, 'data'));
    writeFileSync(join(root, 'data/file'), 'inside');
    for (const [path, target] of [
      ['absolute', '/data'],
      ['relative', 'data'],
      ['up', '../../../../data'],
      ['etc/kubernetes/pki', '/data/pki'],
      ['chain', 'etc/../absolute/file'],
      ['circle', 'circle'],
      ['escape', outside],
      ['slash', '/data/'],
    ] as const) {
      symlinkSync(target, join(root, path));
    }
  });

  it.each([
    ['a plain path', '/data/file', 'data/file'],
    ['an absolute link', '/absolute/file', 'data/file'],
    ['a relative link', '/relative/file', 'data/file'],
    ['a link that goes up beyond the root', '/up/file', 'data/file'],
    ['dots beyond the root', '/../../data/file', 'data/file'],
    ['dots after a link count from where it leads', '/absolute/../data/file', 'data/file'],
    ['a chain of links', '/chain', 'data/file'],
    ['a link with a slash at its end', '/slash/file', 'data/file'],
    ['a name that is missing', '/data/new/deep', 'data/new/deep'],
    ['a name behind a dangling link', '/etc/kubernetes/pki/ca.key', 'data/pki/ca.key'],
    ['the root', '/', ''],
  ])('%s', async (_name, path, expected) => {
    expect(await (await openRootDirectory(root)).locate(path)).toBe(join(root, expected));
  });

  it('an absolute target outside is one inside', async () => {
    expect(await (await openRootDirectory(root)).locate('/escape')).toBe(join(root, outside));
  });

  it('the last link itself, where it is not to be followed', async () => {
    const opened = await openRootDirectory(root);
    expect(await opened.locate('/chain', { followLinks: false })).toBe(join(root, 'chain'));
    expect(await opened.locate('/absolute/', { followLinks: false })).toBe(join(root, 'data'));
  });

  it.each([
    ['links in a circle', '/circle', 'ELOOP'],
    ['a file as a directory', '/data/file/x', 'ENOTDIR'],
    ['dots after a file', '/data/file/..', 'ENOTDIR'],
    ['a slash after a file', '/data/file/', 'ENOTDIR'],
    ['dots after a name that is missing', '/none/../data/file', 'ENOENT'],
  ])('is an error for %s', async (_name, path, code) => {
    await expect((await openRootDirectory(root)).locate(path)).rejects.toMatchObject({ code });
  });

  it.each([
    [40, 'inside'],
    [41, undefined],
  ])('%i links are followed as the kernel does', async (count, expected) => {
    for (let index = 1; index <= count; index += 1) {
      symlinkSync(index === 1 ? '/data/file' : `/link-${index - 1}`, join(root, `link-${index}`));
    }
    const read = localFiles(await openRootDirectory(root)).read(`/link-${count}`);
    const text = await read.then(
      (file) => Buffer.from(file?.bytes ?? []).toString(),
      (error) => (String(error.message).includes('ELOOP') ? undefined : error),
    );
    expect(text).toBe(expected);
  });
});

describe('a root that cannot be used', () => {
  it.each([
    ['is missing', () => join(directory, 'none'), 'does not exist'],
    ['is a file', () => outside, 'not a directory'],
  ])('%s', async (_name, path, reason) => {
    await expect(openRootDirectory(path())).rejects.toMatchObject({
      code: 'HOST_ROOT_UNUSABLE',
      kind: 'usage',
      message: expect.stringMatching(new RegExp(`^Cannot work inside another root as .*${reason}: ${path()}$`)),
    });
  });
});

describe('the files port in a root', () => {
  it('writes, reads, lists and removes there, with messages that name both', async () => {
    const files = localFiles(await openRootDirectory(root));
    symlinkSync(outside, join(root, 'link'));
    await files.write('/etc/kubernetes/pki/ca.key', bytes('key'), { mode: 0o600 });
    await files.write('/link', bytes('new'), { mode: 0o600 });
    expect(statSync(join(root, 'etc/kubernetes/pki/ca.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(root, outside), 'utf8')).toBe('new');
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
    expect(await files.list('/etc/kubernetes')).toEqual(['pki']);
    await files.remove('/link');
    expect(existsSync(join(root, 'link'))).toBe(false);
    await expect(files.write('/etc/kubernetes', bytes('x'), { mode: 0o600 })).rejects.toMatchObject({
      message: `Cannot write /etc/kubernetes in the root ${root} as it is a directory (EISDIR)`,
      details: { path: '/etc/kubernetes', root },
    });
  });

  it.each(Array.from({ length: 12 }, (_, seed) => seed))('never leaves it: random tree %i', async (seed) => {
    const { paths } = makeRandomTree(root, outside, seed);
    const files = localFiles(await openRootDirectory(root));
    const before = statSync(outside, { bigint: true });
    for (const [index, path] of paths.entries()) {
      const changes = [
        () => files.write(path, bytes('written'), { mode: 0o600 }),
        () => files.append(path, bytes('appended'), { mode: 0o600 }),
        () => files.makeDirectory(`${path}/made/below`, { mode: 0o700 }),
        () => files.remove(path),
      ];
      for (const attempt of [
        async () => Buffer.from((await files.read(path))?.bytes ?? []).toString(),
        () => files.list(path),
        () => files.status(path),
        () => files.status(path, { followLinks: false }),
        changes[index % changes.length] ?? (() => undefined),
      ]) {
        const seen = await Promise.resolve(attempt()).catch((error: unknown) => {
          if (!isGroundplaneError(error)) throw error;
        });
        expect(JSON.stringify(seen) ?? '').not.toContain('OUTSIDE');
      }
    }
    // The time of the last access too: it has not even been read.
    expect(statSync(outside, { bigint: true })).toEqual(before);
    expect(readFileSync(outside, 'utf8')).toBe('OUTSIDE');
    expect(readdirSync(directory).toSorted()).toEqual(['outside', 'root']);
    expect(readdirSync(join(directory, 'outside'))).toEqual(['OUTSIDE', 'secret']);
  });
});

it('its lock is inside', async () => {
  symlinkSync('/run', join(root, 'var-run'));
  const opened = await openRootDirectory(root);
  const lock = await acquireLock(await opened.locate('/var-run/groundplane/lock'), { who: 'test' });
  expect(existsSync(join(root, 'run/groundplane/lock'))).toBe(true);
  await lock.release();
});

describe('facts in a root', () => {
  const hostIn = async () =>
    localHost({ environment: { PATH: '/tools:/usr/bin' }, root: await openRootDirectory(root) });

  it('are of its files and programs', async () => {
    mkdirSync(join(root, 'etc'));
    mkdirSync(join(root, 'tools'));
    writeFileSync(join(root, 'etc/machine-id'), '0123\n');
    writeFileSync(join(root, 'tools/kubelet'), '', { mode: 0o755 });
    symlinkSync('/tools/kubelet', join(root, 'tools/link'));
    const { facts, services } = await hostIn();
    expect(await facts.machineId()).toBe('0123');
    expect(await facts.program('kubelet')).toBe('/tools/kubelet');
    expect(await facts.program('link')).toBe('/tools/link');
    expect(await facts.program('env')).toBeUndefined();
    expect(await services.status('kubelet')).toMatchObject({ initSystem: 'none', exists: false });
  });

  it('are of this machine’s kernel, unless the root shows its own', async () => {
    const { facts } = await hostIn();
    expect(await facts.kernelFile('/proc/sys/kernel/ostype')).toBe('Linux\n');
    expect(await facts.kernelFile('/boot/config')).toBeUndefined();
    mkdirSync(join(root, 'proc/sys/kernel'), { recursive: true });
    writeFileSync(join(root, 'proc/sys/kernel/ostype'), 'shown by the root\n');
    expect(await facts.kernelFile('/proc/sys/kernel/ostype')).toBe('shown by the root\n');
    expect(await facts.kernelFile('/proc/swaps')).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('programs are run inside', async () => {
    const { facts } = await hostIn();
    expect((await facts.output('kubelet', ['--version'])).code).toBe(127);
    copyProgram('/bin/sh', root);
    const inside = await facts.output('/bin/sh', ['-c', 'cd /; echo *']);
    expect(inside).toMatchObject({ code: 0, stderr: '' });
    expect(inside.stdout.trim().split(' ')).toEqual(readdirSync(root).toSorted());
  });
});

/** A program and the libraries that it needs. */
function copyProgram(program: string, into: string): void {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  const files = [program, ...Array.from(stdout.matchAll(/(\/\S+) \(0x/g), (match) => match[1] ?? '')];
  spawnSync('cp', ['--parents', '-L', ...files, into]);
}
