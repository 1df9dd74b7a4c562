import { type ErrorKind, GroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from './exit-code.ts';

const rows: readonly (readonly [ErrorKind, number])[] = [
  ['internal', 1],
  ['usage', 2],
  ['conflict', 3],
  ['refused', 3],
  ['timeout', 4],
  ['unavailable', 4],
];

describe('exitCodeOf', () => {
  it.each(rows)('%s is %i under groundplane and 1 under kubeadm', (kind, code) => {
    const error = new GroundplaneError('X', 'x', { kind });
    expect(exitCodeOf(error, 'groundplane')).toBe(code);
    expect(exitCodeOf(error, 'kubeadm')).toBe(1);
  });

  it('takes what nobody foresaw for our own mistake', () => {
    expect(exitCodeOf(new TypeError('x'), 'groundplane')).toBe(1);
    expect(exitCodeOf('x', 'groundplane')).toBe(1);
  });
});
