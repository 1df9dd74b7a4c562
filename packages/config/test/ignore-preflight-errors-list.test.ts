import { readFileSync } from 'node:fs';
import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { resolveSample } from './sample-host.ts';

const folder = new URL('../../../test/cases/ignore-preflight-errors-list/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('the list of ignored preflight errors in the case ignore-preflight-errors-list', () => {
  it.each([
    ["'all' of the file, in any letter case", 'all.yaml', undefined, ['all']],
    ['the union of flag and file, in lower case, each name once', 'swap.yaml', ['SWAP', 'NumCPU'], ['numcpu', 'swap']],
  ])('%s', (_name, file, flag, ignored) => {
    const flags = flag === undefined ? {} : { 'ignore-preflight-errors': flag };
    expect(resolveSample(read(file), flags).run.ignorePreflightErrors).toEqual(ignored);
  });

  it("refuses 'all' of the file beside a name of the flag", () => {
    expect(() => resolveSample(read('all.yaml'), { 'ignore-preflight-errors': ['Swap'] })).toThrow(
      expect.toSatisfy((thrown) => isGroundplaneError(thrown) && thrown.message.includes('ignore-preflight-errors')),
    );
  });
});
