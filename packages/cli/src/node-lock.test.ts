import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LockHolder, type StatePaths, statePaths, withNodeLock } from './node-lock.ts';
import type { StateOwner } from './own-process.ts';

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
      { lock: '/run/user/1000/groundplane.lock', optional: true },
    ],
    [
      'of a user without a session',
      { uid: 1000, environment: { HOME: '/home/a' } },
      { lock: '/home/a/.local/state/groundplane.lock', optional: true },
    ],
    ['of a user without a folder of his own', { uid: 1000, environment: {} }, {}],
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
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-lock-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'lock');

  it('says who has it to whoever has waited long enough, and gives way after a failure', async () => {
    await withNodeLock({ path, who: 'groundplane init' }, async () => {
      const refused = withNodeLock({ path, who: 'groundplane reset', waitMs: 0 }, async () => {});
      await expect(refused).rejects.toMatchObject({
        code: 'HOST_LOCKED',
        message: expect.stringContaining('groundplane init'),
      });
    });
    const failing = withNodeLock({ path, who: 'a' }, () => Promise.reject(new Error('failed')));
    await expect(failing).rejects.toThrow('failed');
    expect(await withNodeLock({ path, who: 'b' }, async () => 'in')).toBe('in');
  });

  it('is done without where it may be', async () => {
    const nowhere = { path: '/proc/nowhere/lock', who: 'a' };
    expect(await withNodeLock({ ...nowhere, optional: true }, async () => 'in')).toBe('in');
    expect(await withNodeLock({ path: undefined, who: 'a' }, async () => 'in')).toBe('in');
    await expect(withNodeLock(nowhere, async () => 'in')).rejects.toMatchObject({ code: 'HOST_FILE_UNWRITABLE' });
  });

  it('lets one command in at a time, the others when it is done', async () => {
    const events: string[] = [];
    const command = (who: string) =>
      withNodeLock({ path, who }, async () => {
        events.push(`${who} begins`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        events.push(`${who} ends`);
      });
    await Promise.all(['a', 'b', 'c'].map(command));
    const order = events.filter((event) => event.endsWith('begins')).map((event) => event.slice(0, 1));
    expect(events).toEqual(order.flatMap((who) => [`${who} begins`, `${who} ends`]));
    expect(order.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('stops waiting when the process is told to stop, and says for whom it waits', async () => {
    const stop = new AbortController();
    await withNodeLock({ path, who: 'groundplane init' }, async () => {
      const waiting = (holder: LockHolder) => {
        expect(holder).toEqual({ command: 'groundplane init', pid: process.pid });
        stop.abort();
      };
      await expect(withNodeLock({ path, who: 'b', waiting, signal: stop.signal }, async () => {})).rejects.toThrow(
        /abort/,
      );
    });
    expect(stop.signal.aborted).toBe(true);
  });
});
