import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localFiles } from './local-files.ts';
import { openRootDirectory } from './root-directory.ts';

const files = localFiles();
let directory: string;
let outside: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-empty-'));
  outside = mkdtempSync(join(tmpdir(), 'groundplane-outside-'));
  writeFileSync(join(outside, 'kept'), 'kept');
});

afterEach(() => {
  // What a test made immutable would stay.
  for (const path of [directory, outside]) rmSync(path, { recursive: true, force: true });
});

describe('empty', () => {
  it('removes what is in a directory and leaves the directory', async () => {
    mkdirSync(join(directory, 'pods/1/volumes'), { recursive: true });
    writeFileSync(join(directory, 'pods/1/volumes/file'), '');
    writeFileSync(join(directory, '.hidden'), '');
    expect(await files.empty(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('removes links and follows none of them', async () => {
    symlinkSync(outside, join(directory, 'folder'));
    symlinkSync(join(outside, 'kept'), join(directory, 'file'));
    symlinkSync('nothing', join(directory, 'dangling'));
    expect(await files.empty(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  it('empties what a link leads to if the directory itself is one', async () => {
    const link = join(directory, 'link');
    symlinkSync(outside, link);
    expect(await files.empty(link)).toEqual([]);
    expect([existsSync(link), readdirSync(outside)]).toEqual([true, []]);
  });

  it('removes names that are no text', async () => {
    execFileSync('bash', ['-c', `mkdir $'${directory}/a\\xffb' && touch $'${directory}/a\\xffb/\\xfe'`]);
    expect(await files.empty(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('removes what is deeper than a path can say', async () => {
    const name = 'x'.repeat(255);
    const deep = ['-c', `cd "$0"; for i in $(seq 40); do mkdir ${name} && cd -P ${name} || exit 1; done; touch file`];
    execFileSync('bash', [...deep, directory]);
    expect(await files.empty(directory)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('leaves no folder open', async () => {
    for (const name of ['a/b/c', 'd']) mkdirSync(join(directory, name), { recursive: true });
    expect(await files.empty(directory)).toEqual([]);
    await expect(files.empty(join(outside, 'kept'))).rejects.toThrow();
    const open = readdirSync('/proc/self/fd').map((name) => join('/proc/self/fd', name));
    const targets = open.filter((path) => existsSync(path)).map((path) => readlinkSync(path));
    expect(targets.filter((path) => path.startsWith(directory) || path.startsWith(outside))).toEqual([]);
  });

  it.each(['none', 'none/none'])('has nothing to do where nothing is: %s', async (name) => {
    expect(await files.empty(join(directory, name))).toEqual([]);
  });

  it('refuses a file', async () => {
    await expect(files.empty(join(outside, 'kept'))).rejects.toMatchObject({ code: 'HOST_FILE_UNWRITABLE' });
    expect(readdirSync(outside)).toEqual(['kept']);
  });

  it('stays in another root, whatever its links say', async () => {
    mkdirSync(join(directory, 'var/lib'), { recursive: true });
    mkdirSync(join(directory, 'data/kubelet/pods'), { recursive: true });
    symlinkSync('/data/kubelet', join(directory, 'var/lib/kubelet'));
    const inside = localFiles(await openRootDirectory(directory));
    expect(await inside.realPath('/var/lib/kubelet')).toBe('/data/kubelet');
    expect(await inside.empty('/var/lib/kubelet')).toEqual([]);
    expect(readdirSync(join(directory, 'data'))).toEqual(['kubelet']);
    expect(readdirSync(join(directory, 'data/kubelet'))).toEqual([]);
  });
});

describe('realPath', () => {
  it('follows every link', async () => {
    symlinkSync(outside, join(directory, 'link'));
    expect(await files.realPath(join(directory, 'link/kept'))).toBe(join(outside, 'kept'));
  });

  it('is undefined for what leads nowhere', async () => {
    symlinkSync('nothing', join(directory, 'link'));
    expect(await files.realPath(join(directory, 'link'))).toBeUndefined();
  });
});

describe('removeDirectory', () => {
  it('removes an empty one, and is content without one', async () => {
    const path = join(directory, 'etcd');
    mkdirSync(path);
    await files.removeDirectory(path);
    await files.removeDirectory(path);
    expect(existsSync(path)).toBe(false);
  });

  it('refuses one that is not empty, and what is none', async () => {
    symlinkSync(outside, join(directory, 'link'));
    for (const path of [outside, join(directory, 'link'), join(outside, 'kept')])
      await expect(files.removeDirectory(path)).rejects.toMatchObject({ code: 'HOST_FILE_UNWRITABLE' });
    expect(readdirSync(outside)).toEqual(['kept']);
  });
});
