import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type StateOwner, type StatePaths, statePaths, withNodeLock } from './node-lock.ts';

describe('statePaths', () => {
  it.each<readonly [string, StateOwner, StatePaths]>([
    [
      'of root',
      { uid: 0, environment: { XDG_RUNTIME_DIR: '/run/user/0' } },
      { lock: '/run/groundplane/lock', journal: '/var/lib/groundplane/journal.jsonl' },
    ],
    [
      'of a user',
      { uid: 1000, environment: { XDG_RUNTIME_DIR: '/run/user/1000' } },
      { lock: '/run/user/1000/groundplane.lock' },
    ],
    ['of a user without a session', { uid: 1000, environment: {} }, { lock: '/tmp/groundplane-1000/groundplane.lock' }],
    [
      'chosen',
      { uid: 0, environment: { GROUNDPLANE_STATE_DIR: '/srv/a' } },
      { lock: '/srv/a/lock', journal: '/srv/a/journal.jsonl' },
    ],
  ])('%s', (_, owner, paths) => {
    expect(statePaths(owner)).toEqual(paths);
  });
});

describe('withNodeLock', () => {
  it('lets one command in at a time, says who it is, and gives way after a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'groundplane-lock-'));
    const lock = join(folder, 'lock');
    await withNodeLock(lock, 'groundplane init', async () => {
      await expect(withNodeLock(lock, 'groundplane reset', async () => {})).rejects.toMatchObject({
        code: 'HOST_LOCKED',
        message: expect.stringContaining('groundplane init'),
      });
    });
    await expect(withNodeLock(lock, 'a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await withNodeLock(lock, 'b', async () => 'in')).toBe('in');
    rmSync(folder, { recursive: true });
  });
});
