import type { Finding } from '@groundplane/errors';
import type { PlannedOutput } from '@groundplane/phases';
import { expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';
import { planLines } from './plan-lines.ts';

it('shows what would be done, warnings once, and leaves what stands against it to the error', () => {
  const warning: Finding = { code: 'W', severity: 'warning', artifact: '/a', message: 'is odd', hint: 'look' };
  const error: Finding = { code: 'E', severity: 'error', artifact: '/b', message: 'is bad' };
  const lines = planLines({
    workflow: 'init',
    basis: 'evaluated',
    phases: [
      {
        phase: 'certs/ca',
        summary: 's',
        decision: 'conflict',
        report: false,
        outputs: [
          { artifact: 'pki/ca.crt', location: '/pki/ca.crt', kind: 'file', action: 'created', secret: false },
          {
            ...{ artifact: 'pki/ca.key', location: '/pki/ca.key', kind: 'file', action: 'created', secret: true },
            ...{ mode: '0600', owner: 'root:root' },
          },
          {
            ...{ artifact: 'admin.conf', location: '/admin.conf', kind: 'file', action: 'unknown', secret: true },
            reason: 'permission is denied',
          },
          { artifact: 'kept', location: '/kept', kind: 'file', action: 'kept', secret: false },
        ],
        findings: [warning, error, { ...warning }],
      },
      { phase: 'b', summary: 's', decision: 'keep', report: false, outputs: [], findings: [{ ...warning }] },
    ],
  });
  expect(lines).toEqual([
    '  certs/ca  conflict',
    '      create /pki/ca.crt',
    '      create /pki/ca.key (0600 root:root, secret, not shown)',
    '      ? /admin.conf: permission is denied',
    '      warning W: /a: is odd',
    '        look',
    '  b         keep',
    'Plan: 1 conflict, 1 keep',
  ]);
});

const change = { artifact: 'a', location: '/a', kind: 'file', action: 'replaced', secret: false } as const;

it.each<[string, Partial<PlannedOutput>, readonly string[]]>([
  ['a new file', { after: 'one\n' }, ['--- /dev/null', '+++ /a', '@@ -0,0 +1,1 @@', '+one']],
  [
    'a change',
    { before: 'one\ntwo\n', after: 'one\nthree\n' },
    ['--- /a', '+++ /a', '@@ -1,2 +1,2 @@', ' one', '-two', '+three'],
  ],
  [
    'an object, as YAML',
    { kind: 'object', location: 'Text a', before: '{"a":{"b":1}}', after: '{"a":{"b":2}}' },
    ['--- Text a', '+++ Text a', '@@ -1,2 +1,2 @@', ' a:', '-  b: 1', '+  b: 2'],
  ],
  ['control characters', { after: 'a\u001b[2Jb\n' }, ['--- /dev/null', '+++ /a', '@@ -0,0 +1,1 @@', '+a\\x1b[2Jb']],
  ['nothing where it is not known', { before: 'one\n' }, []],
  ['nothing where nothing changes', { before: 'one\n', after: 'one\n' }, []],
])('the difference shows %s', (_, texts, expected) => {
  expect(diffLines({ ...change, ...texts })).toEqual(expected);
});
