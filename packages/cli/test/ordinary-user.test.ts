import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentErrors } from './output-validator.ts';
import { type CallOptions, programIn } from './program-call.ts';

/** What belongs to root, or to nobody who asks. */
let closed: string;
let home: string;
beforeEach(() => {
  closed = mkdtempSync(join(tmpdir(), 'groundplane-closed-'));
  home = mkdtempSync(join(tmpdir(), 'groundplane-user-'));
  chmodSync(closed, 0o755);
  chmodSync(home, 0o755);
});
afterEach(() => {
  for (const folder of [closed, home]) rmSync(folder, { recursive: true });
});

const program = programIn(() => home);
const ordinaryUser =
  'if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }';
const call = (words: readonly string[], options: CallOptions = {}) =>
  program('groundplane', words, { preload: ordinaryUser, ...options });

function file(name: string, text: string, mode = 0o644): string {
  const path = join(closed, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('journal', () => {
  it.each([
    ['a journal of root', () => file('journal.jsonl', '', 0o600)],
    ['a folder that nobody may enter', () => chmodSync(closed, 0)],
  ])('cannot be told, for a reason that is no mistake of the command line: %s', (_, close) => {
    close();
    const { status, stdout } = call(['journal', '-o', 'json'], { env: { GROUNDPLANE_STATE_DIR: closed } });
    chmodSync(closed, 0o755);
    expect(documentErrors(['error'], stdout)).toEqual([]);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'CLI_JOURNAL_UNREADABLE',
      kind: 'unavailable',
      message: expect.stringContaining(`Cannot read ${join(closed, 'journal.jsonl')} as permission is denied`),
      hint: expect.stringMatching(/root/),
    });
    expect(status).toBe(4);
  });
});
