import type { PhaseVerdict } from '@groundplane/phases';
import { expect, test } from 'vitest';
import { verdictLines } from './verdict-lines.ts';

const silence = 'the API server does not answer: no answer within 2 s';

function unknown(phase: string, unseen: Readonly<Record<string, string>>): PhaseVerdict {
  const rows = Object.entries(unseen).map(([location, reason]) => ({ artifact: location, location, reason }));
  return { phase, summary: '', verdict: 'unknown', findings: [], unseen: rows };
}

test('a reason that many things have is said once', () => {
  const lines = verdictLines([
    unknown('certs/ca', { '/etc/ca.key': 'EACCES: permission denied' }),
    unknown('one', { 'Role a': silence, 'Role b': silence }),
    unknown('two', { 'Role b': silence, 'Role c': silence }),
  ]);
  expect(lines).toEqual([
    '  certs/ca  unknown',
    '      ? /etc/ca.key: EACCES: permission denied',
    '  one       unknown',
    '  two       unknown',
    `  ? 3 things cannot be looked at: ${silence}`,
  ]);
});
