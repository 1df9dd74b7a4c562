import { expect, it } from 'vitest';
import { invalidConfiguration, problemFinding } from './findings.ts';

const token = 'abcdef.0123456789abcdef';
const key = '0123456789abcdef'.repeat(4);

it.each<readonly [string, unknown]>([
  ['a token', token],
  ['a certificate key', key],
  ['a list with a token', ['node-a', token]],
  ['a token at the end of what is shown', `${'x'.repeat(100)} ${token}`],
])('shows no secret: %s', (_, value) => {
  const finding = problemFinding({ path: 'networking.dnsDomain', reason: 'it is wrong', value });
  expect(JSON.stringify(finding)).not.toMatch(/abcdef\.|0123456/);
  expect(finding.message).toContain('withheld>');
});

it('the hint of the only finding is that of the error', () => {
  const found = (hint?: string) => problemFinding({ path: 'a', reason: 'it is wrong', ...(hint && { hint }) });
  expect(invalidConfiguration('it', [found('Do this')])).toMatchObject({ hint: 'Do this' });
  for (const findings of [[found()], [found('Do this'), found()]])
    expect(invalidConfiguration('it', findings)).toMatchObject({ hint: expect.stringMatching(/^Correct the fields/) });
});
