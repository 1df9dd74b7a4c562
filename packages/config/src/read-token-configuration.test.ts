import { describe, expect, it } from 'vitest';
import type { FlagValues } from './flag.ts';
import { readTokenConfiguration } from './read-token-configuration.ts';

const token = 'abcdef.0123456789abcdef';
const defaults = {
  description: '',
  ttl: '24h0m0s',
  usages: ['signing', 'authentication'],
  groups: ['system:bootstrappers:kubeadm:default-node-token'],
};
const file = (...tokens: readonly string[]) =>
  ['apiVersion: kubeadm.k8s.io/v1beta4', 'kind: InitConfiguration', 'bootstrapTokens:', ...tokens, ''].join('\n');

describe('flags and argument', () => {
  it.each<[string, FlagValues, string | undefined, object]>([
    ['nothing wants a random one', {}, undefined, defaults],
    ['a token', {}, token, { ...defaults, token }],
    [
      'all of them',
      { description: 'a', ttl: '2h', usages: ['authentication'], groups: ['system:bootstrappers:a'] },
      token,
      { token, description: 'a', ttl: '2h0m0s', usages: ['authentication'], groups: ['system:bootstrappers:a'] },
    ],
    ['no expiry', { ttl: '0' }, token, { ...defaults, token, ttl: '0s' }],
    ['empty lists are the defaults', { usages: [], groups: [] }, token, { ...defaults, token }],
  ])('%s', (_name, flags, given, expected) => {
    expect(readTokenConfiguration(undefined, { flags, token: given })).toEqual({ tokens: [expected], warnings: [] });
  });

  it.each<[string, FlagValues, string, string]>([
    ['a token of another form', {}, 'secret-of-mine', 'Cannot use the token as'],
    ['a usage that there is not', { usages: ['Signing'] }, token, 'usages'],
    ['a group of no bootstrappers', { groups: ['system:masters'] }, token, 'groups'],
    ['groups without authentication', { usages: ['signing'] }, token, 'groups need the usage authentication'],
  ])('are refused with %s', (_name, flags, given, said) => {
    const read = () => readTokenConfiguration(undefined, { flags, token: given });
    expect(read).toThrow(said);
    expect(read).not.toThrow('secret-of-mine');
  });
});

describe('a file', () => {
  it('may ask for several', () => {
    const { tokens } = readTokenConfiguration(file(`- token: ${token}`, '- description: random'));
    expect(tokens).toEqual([
      { ...defaults, token },
      { ...defaults, description: 'random' },
    ]);
  });

  it('stands beside flags about output only', () => {
    const text = file(`- token: ${token}`);
    expect(() => readTokenConfiguration(text, { flags: { ttl: '1h', 'print-join-command': true } })).toThrow(
      "can not mix '--config' with arguments [ttl]",
    );
    expect(readTokenConfiguration(text, { token }).warnings).toMatchObject([{ code: 'CONFIG_FLAG_IGNORED' }]);
  });
});
