import type { BootstrapToken } from '@groundplane/discovery';
import { describe, expect, test } from 'vitest';
import { initContext } from '../test/init-world.ts';
import { servingTokens, type WantedToken, wantedTokens } from './wanted-tokens.ts';

const now = new Date('2026-11-30T12:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const nodes = 'system:bootstrappers:kubeadm:default-node-token';
const usages = ['signing', 'authentication'];

const given: WantedToken = {
  token: { id: 'abcdef', secret: '0123456789abcdef', usages, groups: [nodes], ttlMs: 24 * 3_600_000 },
  generated: false,
};
const generated: WantedToken = { ...given, generated: true };
const same: BootstrapToken = {
  id: 'abcdef',
  secret: '0123456789abcdef',
  usages: ['authentication', 'signing'],
  groups: [nodes],
  expires: hours(23),
};
const another: BootstrapToken = { ...same, id: 'zzzzzz', secret: 'fedcba9876543210' };
const { expires: _, ...forEver } = same;
const withTtl = (wanted: WantedToken, ttlMs: number): WantedToken => ({ ...wanted, token: { ...wanted.token, ttlMs } });

describe('which existing token serves', () => {
  test.each<readonly [string, WantedToken, BootstrapToken, boolean]>([
    ['itself', given, same, true],
    ['another one for a given token', given, another, false],
    ['another one for a generated token', generated, another, true],
    ['one of the same id with another secret', given, { ...same, secret: 'fedcba9876543210' }, false],
    ['one that has expired', given, { ...same, expires: now }, false],
    ['one that is about to expire', given, { ...same, expires: hours(0.9) }, false],
    ['one with an hour left', given, { ...same, expires: hours(1) }, true],
    ['one with half of a short lifetime left', withTtl(given, 600_000), { ...same, expires: hours(1 / 12) }, true],
    ['one with less than that', withTtl(given, 600_000), { ...same, expires: hours(1 / 13) }, false],
    ['one that lives longer than asked for', given, { ...same, expires: hours(25) }, false],
    ['one that lives for ever', given, forEver, false],
    ['one that lives for ever, as asked for', withTtl(given, 0), forEver, true],
    ['one that expires, where it is to live for ever', withTtl(given, 0), same, false],
    ['one without the signing usage', given, { ...same, usages: ['authentication'] }, false],
    ['one with a usage more', given, { ...same, usages: [...usages, 'other'] }, false],
    ['one of other groups', generated, { ...another, groups: ['system:bootstrappers:mine'] }, false],
    ['one without groups', generated, { ...another, groups: [] }, false],
    ['one with a description', generated, { ...another, description: 'mine' }, false],
  ])('%s', (_, wanted, existing, serves) => {
    expect(servingTokens([wanted], [existing], now)).toEqual([serves ? existing : undefined]);
  });

  test('each serves once, and a given one is left to itself', () => {
    const second = { ...another, id: 'yyyyyy' };
    expect(servingTokens([generated, generated, generated], [another, second], now)).toEqual([
      another,
      second,
      undefined,
    ]);
    expect(servingTokens([generated, given], [same, another], now)).toEqual([another, same]);
    expect(servingTokens([generated, given], [same], now)).toEqual([undefined, same]);
  });

  test('an exact time of expiry has to be that one', () => {
    const until: WantedToken = { ...given, token: { ...given.token, expires: hours(48) } };
    expect(servingTokens([until], [{ ...same, expires: hours(48) }], now)).toHaveLength(1);
    expect(servingTokens([until], [{ ...same, expires: hours(47) }], now)).toEqual([undefined]);
  });
});

test('the configuration says which tokens are wanted, and which of them were made up', async () => {
  const context = await initContext({
    init: 'bootstrapTokens:\n- token: abcdef.0123456789abcdef\n  description: mine\n  ttl: 2h\n- ttl: 0s\n',
  });
  const [first, second] = wantedTokens(context);
  expect(first).toEqual({
    token: {
      id: 'abcdef',
      secret: '0123456789abcdef',
      description: 'mine',
      ttlMs: 7_200_000,
      usages: ['signing', 'authentication'],
      groups: [nodes],
    },
    generated: false,
  });
  expect(second).toMatchObject({ generated: true, token: { ttlMs: 0 } });
  expect(second?.token).not.toHaveProperty('description');
});
