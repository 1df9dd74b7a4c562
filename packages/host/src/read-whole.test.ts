import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWhole } from './read-whole.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundplane-read-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);
const textOf = async (file: string) => Buffer.from((await readWhole(file)).bytes).toString();

/** A named pipe, and a shell that writes to it. */
function pipe(name: string, script: string): string {
  execFileSync('mkfifo', [path(name)]);
  if (script !== '') spawn('sh', ['-c', `{ ${script}; } > ${path(name)}`], { stdio: 'ignore' });
  return path(name);
}

describe('readWhole()', () => {
  it('reads a file, a file without a size, a device at its end', async () => {
    writeFileSync(path('file'), 'text');
    expect(await textOf(path('file'))).toBe('text');
    expect(await textOf('/proc/self/status')).toContain('Name:');
    expect(await textOf('/dev/null')).toBe('');
  });

  it.each([
    ['that is written at once', 'printf ab'],
    ['that is written slowly', 'printf a; sleep 0.3; printf b'],
    ['whose writer comes late', 'sleep 0.5; printf ab'],
  ])('reads a pipe %s', async (name, script) => {
    expect(await textOf(pipe(name.replaceAll(' ', '-'), script))).toBe('ab');
  });

  it('reads much from a pipe', async () => {
    expect(await textOf(pipe('much', 'head -c 3000000 /dev/zero'))).toHaveLength(3_000_000);
  });

  it('gives up on a pipe that nobody writes to', async () => {
    await expect(readWhole(pipe('nobody', ''))).rejects.toThrow('it is a pipe (FIFO) that nobody writes to');
  });

  it.each([
    ['a device without an end', () => '/dev/zero'],
    ['a pipe without an end', () => pipe('endless', 'cat /dev/zero')],
    [
      'a large file',
      () => {
        writeFileSync(path('large'), '');
        truncateSync(path('large'), 16 * 1024 * 1024 + 1);
        return path('large');
      },
    ],
  ])('refuses %s', async (_, file) => {
    await expect(readWhole(file())).rejects.toThrow('it is larger than 16 MiB');
  });

  it.each([
    ['a folder', () => folder, 'EISDIR'],
    ['what is not there', () => path('nothing'), 'ENOENT'],
  ])('fails as the system call does: %s', async (_, file, code) => {
    await expect(readWhole(file())).rejects.toMatchObject({ code });
  });
});
