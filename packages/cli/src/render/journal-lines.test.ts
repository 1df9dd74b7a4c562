import type { JournalUser } from '@groundplane/phases';
import { describe, expect, test } from 'vitest';
import { journalLines, userText } from './journal-lines.ts';

describe('journalLines()', () => {
  test('is a table', () => {
    const entry = { time: '2026-01-01T00:00:00.000Z', actor: 'x', workflow: 'init', artifact: 'a' } as const;
    expect(
      journalLines([
        {
          ...entry,
          user: { uid: 0, name: 'root' },
          phase: 'certs/ca',
          location: '/pki/ca.crt',
          action: 'created',
          digest: `sha256:${'0123456789abcdef'.repeat(4)}`,
        },
        { ...entry, phase: 'x', location: 'Secret kube-system/bootstrap-token-abcdef', action: 'removed' },
      ]),
    ).toEqual([
      'TIME                      USER  PHASE          ACTION   LOCATION                                   DIGEST',
      '2026-01-01T00:00:00.000Z  root  init/certs/ca  created  /pki/ca.crt                                sha256:0123456789ab',
      '2026-01-01T00:00:00.000Z        init/x         removed  Secret kube-system/bootstrap-token-abcdef',
    ]);
  });

  test('is nothing without entries', () => {
    expect(journalLines([])).toEqual([]);
  });
});

test.each<[string, JournalUser | undefined]>([
  ['', undefined],
  ['root', { uid: 0, name: 'root' }],
  ['uid 7', { uid: 7 }],
  ['root (sudo: jane)', { uid: 0, name: 'root', sudo: { uid: 1000, name: 'jane' }, loginUid: 1000 }],
  ['root (sudo: uid 1000)', { uid: 0, name: 'root', sudo: { uid: 1000 } }],
  ['root (login: uid 1000)', { uid: 0, name: 'root', loginUid: 1000 }],
  ['root', { uid: 0, name: 'root', loginUid: 0 }],
])('a user is %s', (text, user) => {
  expect(userText(user)).toBe(text);
});
