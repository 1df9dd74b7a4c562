import { describe, expect, test } from 'vitest';
import { callingUser, journalPath } from './own-journal.ts';

describe('journalPath()', () => {
  const root = { uid: 0, environment: {} };
  const user = { uid: 1000, environment: { HOME: '/home/jane' } };
  const elsewhere = { uid: 0, environment: { GROUNDPLANE_STATE_DIR: '/state' } };
  const settings = (journal: { path?: string; disabled: boolean }) => ({ journal });

  test.each([
    ['of root', root, undefined, '/var/lib/groundplane/journal.jsonl'],
    ['of others is not kept', user, undefined, undefined],
    ['is where the settings say', root, settings({ path: '/var/log/j', disabled: false }), '/var/log/j'],
    ['is as ever where they do not', root, settings({ disabled: false }), '/var/lib/groundplane/journal.jsonl'],
    ['is not kept where they say so', root, settings({ path: '/var/log/j', disabled: true }), undefined],
    ['is in the folder of this process', elsewhere, undefined, '/state/journal.jsonl'],
    ['is there although settings differ', elsewhere, settings({ path: '/j', disabled: false }), '/state/journal.jsonl'],
    ['is not kept there either', elsewhere, settings({ disabled: true }), undefined],
  ])('%s', (_, owner, given, expected) => {
    expect(journalPath(given, owner)).toBe(expected);
  });
});

describe('callingUser()', () => {
  const facts = { uid: 0, name: 'root', environment: {}, loginUid: '4294967295' };

  test.each([
    ['root that nobody logged in as', facts, { uid: 0, name: 'root' }],
    ['root in a session', { ...facts, loginUid: '1000\n' }, { uid: 0, name: 'root', loginUid: 1000 }],
    [
      'somebody with sudo',
      { ...facts, environment: { SUDO_UID: '1000', SUDO_USER: 'jane' } },
      { uid: 0, name: 'root', sudo: { uid: 1000, name: 'jane' } },
    ],
    ['a wrong SUDO_UID', { ...facts, environment: { SUDO_UID: '1e3', SUDO_USER: 'jane' } }, { uid: 0, name: 'root' }],
    ['a user without a name', { ...facts, uid: 1234, name: undefined, loginUid: undefined }, { uid: 1234 }],
  ])('%s', (_, given, expected) => {
    expect(callingUser(given)).toEqual(expected);
  });
});
