import { constants } from 'node:os';
import { describe, expect, test } from 'vitest';
import { systemCode } from './error-codes.ts';

const failure = (code: unknown, errno?: number) => Object.assign(new Error('x'), { code, errno });

describe('systemCode', () => {
  const { EDQUOT } = constants.errno;
  test.each([
    ['a failed call', failure('ENOSPC', -28), 'ENOSPC'],
    ['a failed call whose code Node.js has no name for', failure(`Unknown system error -${EDQUOT}`, -EDQUOT), 'EDQUOT'],
    ['a number that nobody has a name for', failure('Unknown system error -4095', -4095), undefined],
    ['an error of Node.js itself', failure('ERR_INVALID_ARG_TYPE'), 'ERR_INVALID_ARG_TYPE'],
    ['a code that is no text', failure(122), undefined],
    ['any other error', new Error('x'), undefined],
    ['what is no error', { code: 'ENOSPC' }, undefined],
  ])('%s', (_, thrown, code) => {
    expect(systemCode(thrown)).toBe(code);
  });
});
