import { describe, expect, it } from 'vitest';
import { isAllowedWithConfig, mixedFlags } from './mixed-flags.ts';

describe('mixedFlags', () => {
  it.each([
    ['no --config', ['node-name', 'patches'], []],
    [
      'flags that are allowed',
      ['config', 'dry-run', 'node-name', 'skip-phases', 'skip-token-print', 'v', 'rootfs'],
      [],
    ],
    ['flags that are not', ['service-cidr', 'config', 'node-name', 'token'], ['service-cidr', 'token']],
    ['--patches and --certificate-key', ['config', 'patches', 'certificate-key'], ['certificate-key', 'patches']],
    ['flags of join', ['config', 'control-plane', 'cri-socket'], ['control-plane', 'cri-socket']],
    ['flags of reset', ['config', 'kubeconfig', 'force'], ['force']],
  ])('%s', (_name, given, expected) => {
    expect(mixedFlags(given)).toEqual(expected);
  });
});

it('takes every --skip flag beside --config', () => {
  expect(isAllowedWithConfig('skip-anything')).toBe(true);
  expect(isAllowedWithConfig('control-plane-endpoint')).toBe(false);
});
