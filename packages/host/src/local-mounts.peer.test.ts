import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// Real mounts, in a mount namespace of their own, by the kernel and umount(8).

const program = fileURLToPath(new URL('../test/mounts-in-namespace.ts', import.meta.url));
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundplane-mounts-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const inNamespace = (action: string) =>
  JSON.parse(
    execFileSync('unshare', ['--mount', process.execPath, program, directory, action], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );

describe.runIf(process.getuid?.() === 0)('mounts', () => {
  it('are unmounted, the inner before the outer one, whatever their names', () => {
    expect(inNamespace('unmount')).toEqual({ before: 2, after: 0 });
  });

  it('may be gone when it comes to them', () => {
    expect(inNamespace('gone')).toEqual({ after: 0 });
  });

  it('that are in use are told with the reason, and go when detached', () => {
    expect(inNamespace('busy')).toEqual({
      code: 'HOST_UNMOUNT_FAILED',
      message: expect.stringContaining('target is busy'),
      still: 1,
      after: 0,
    });
  });

  it('on one mount point go one by one', () => {
    expect(inNamespace('stacked')).toEqual({ between: 1, after: 0 });
  });

  it('are not entered when a directory is emptied', () => {
    expect(inNamespace('empty')).toEqual({
      leftovers: [
        '/kubelet/pods/1/secret: something is mounted there, or uses it (EBUSY)',
        '/kubelet/pods/2/volume: something is mounted there, or uses it (EBUSY)',
      ],
      kept: ['precious', 'precious'],
      names: [
        'pods',
        'pods/1',
        'pods/1/secret',
        'pods/1/secret/precious',
        'pods/2',
        'pods/2/volume',
        'pods/2/volume/precious',
      ],
    });
  });
});
