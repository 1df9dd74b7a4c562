import type { Finding } from '@groundplane/errors';
import { expect, it } from 'vitest';
import { planLines } from './plan-lines.ts';

it('shows what would be done, warnings once, and leaves what stands against it to the error', () => {
  const warning: Finding = { code: 'W', severity: 'warning', artifact: '/a', message: 'is odd', hint: 'look' };
  const error: Finding = { code: 'E', severity: 'error', artifact: '/b', message: 'is bad' };
  const lines = planLines({
    workflow: 'init',
    phases: [
      {
        phase: 'certs/ca',
        summary: 's',
        decision: 'conflict',
        outputs: [{ artifact: 'pki/ca.crt', location: '/pki/ca.crt', action: 'created', secret: false }],
        findings: [warning, error, { ...warning }],
      },
    ],
  });
  expect(lines).toEqual([
    '  certs/ca  conflict',
    '      create /pki/ca.crt',
    '      warning W: /a: is odd',
    '        look',
  ]);
});
