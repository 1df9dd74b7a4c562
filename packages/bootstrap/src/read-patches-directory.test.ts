import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStatus, Files } from '@groundplane/phases';
import { memoryPorts } from '@groundplane/phases/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPatchesDirectory } from './read-patches-directory.ts';

function statusOf(stats: Stats | undefined): FileStatus | undefined {
  if (stats === undefined) return undefined;
  const kind = stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'directory' : 'file';
  return {
    kind,
    mode: stats.mode & 0o7777,
    uid: stats.uid,
    gid: stats.gid,
    size: stats.size,
    modifiedMs: stats.mtimeMs,
  };
}

/** The files of this machine, as memory has no links. */
const files: Files = {
  ...memoryPorts().host.files,
  status: async (path, { followLinks = true } = {}) =>
    statusOf((followLinks ? statSync : lstatSync)(path, { throwIfNoEntry: false })),
  list: async (path) => readdirSync(path).sort(),
  read: async (path) => {
    const status = statusOf(statSync(path, { throwIfNoEntry: false }));
    return status && { ...status, bytes: readFileSync(path) };
  },
};

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-patches-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, text = 'a: 1\n'): void {
  mkdirSync(join(directory, path, '..'), { recursive: true });
  writeFileSync(join(directory, path), text);
}

describe('the folder of patches', () => {
  test('is read with all folders in it; what is no patch is told', async () => {
    write('kube-scheduler.yaml');
    write('sub/deeper/etcd0+json.json', '[]');
    write('README.md');
    write('sub/kubelet.yaml');
    write('etcd.yaml', '');
    for (const path of [directory, `${directory}//`]) {
      const { patches, warnings } = await readPatchesDirectory(files, path);
      expect(patches.map(({ path, target, type }) => [path, target, type])).toEqual([
        ['kube-scheduler.yaml', 'kube-scheduler', 'strategic'],
        ['sub/deeper/etcd0+json.json', 'etcd', 'json'],
      ]);
      expect(warnings.map(({ code, severity, message }) => [code, severity, message.split(': ').at(-1)])).toEqual(
        ['README.md', 'etcd.yaml', 'sub/kubelet.yaml'].map((name) => ['BOOTSTRAP_PATCH_IGNORED', 'warning', name]),
      );
    }
  });

  test('may hold links to files, as a mounted ConfigMap does; links to folders are not walked', async () => {
    write('..data/kube-scheduler.yaml');
    symlinkSync('..data/kube-scheduler.yaml', join(directory, 'kube-scheduler0.yaml'));
    symlinkSync('..data', join(directory, 'current'));
    const { patches, warnings } = await readPatchesDirectory(files, directory);
    expect(patches.map(({ path }) => path)).toEqual(['..data/kube-scheduler.yaml', 'kube-scheduler0.yaml']);
    expect(warnings.map(({ artifact }) => artifact)).toEqual(['current']);
  });

  test.each([
    ['does not exist', () => join(directory, 'none')],
    [
      'is a symlink',
      () => {
        symlinkSync(directory, join(directory, 'link'));
        return join(directory, 'link');
      },
    ],
    [
      'is a file',
      () => {
        write('file');
        return join(directory, 'file');
      },
    ],
  ])('that %s is refused', async (is, make) => {
    const path = make();
    await expect(readPatchesDirectory(files, path)).rejects.toMatchObject({
      code: 'BOOTSTRAP_PATCHES_UNREADABLE',
      kind: 'usage',
      message: expect.stringContaining(`Cannot read patches from ${path} as it ${is}`),
    });
  });

  test('in which nothing counts, as a target is misspelt, is refused', async () => {
    write('README.md');
    write('sub/kube-sheduler.yaml');
    await expect(readPatchesDirectory(files, directory)).rejects.toMatchObject({
      code: 'BOOTSTRAP_PATCHES_UNREADABLE',
      message: expect.stringMatching(/sub\/kube-sheduler\.yaml, but its name must begin with one of .*kube-scheduler/),
    });
    write('etcd.yaml');
    const { warnings } = await readPatchesDirectory(files, directory);
    expect(warnings.map(({ artifact }) => artifact)).toEqual(['README.md', 'sub/kube-sheduler.yaml']);
  });

  test('in which there is nothing but other files is read', async () => {
    write('README.md');
    write('.kube-scheduler.yaml');
    expect((await readPatchesDirectory(files, directory)).patches).toEqual([]);
  });

  test('with a patch that is not UTF-8 is refused', async () => {
    writeFileSync(join(directory, 'etcd.yaml'), Buffer.from('a: \u00e9', 'latin1'));
    await expect(readPatchesDirectory(files, directory)).rejects.toMatchObject({
      code: 'BOOTSTRAP_PATCHES_UNREADABLE',
      message: expect.stringMatching(/etcd\.yaml: .*not UTF-8: line 1/),
      hint: expect.stringContaining('iconv'),
    });
  });

  test('with a patch that is a link to nothing is refused', async () => {
    symlinkSync('none', join(directory, 'etcd.yaml'));
    await expect(readPatchesDirectory(files, directory)).rejects.toMatchObject({
      code: 'BOOTSTRAP_PATCHES_UNREADABLE',
      message: expect.stringContaining('etcd.yaml'),
    });
  });
});
