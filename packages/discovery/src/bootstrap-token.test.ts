import { describe, expect, it } from 'vitest';
import {
  isBootstrapGroup,
  isExpired,
  isToken,
  isTokenId,
  isTokenUsage,
  parseToken,
  tokenText,
} from './bootstrap-token.ts';

describe('parseToken', () => {
  it.each(['abcdef.0123456789abcdef', '123456.1234567890123456', '1234e5.1234567890123456', '000000.0000000000000000'])(
    '%s is a token, digits or not',
    (text) => {
      const parts = parseToken(text);
      expect(parts).toEqual({ id: text.slice(0, 6), secret: text.slice(7) });
      expect(tokenText(parts)).toBe(text);
    },
  );

  it.each([
    ['nothing', ''],
    ['a line end behind it', 'abcdef.0123456789abcdef\n'],
    ['a blank before it', ' abcdef.0123456789abcdef'],
    ['a second line', 'abcdef.0123456789abcdef\nabcdef.0123456789abcdef'],
    ['upper case', 'ABCDEF.0123456789abcdef'],
    ['an id too short', 'abcde.0123456789abcdef'],
    ['a secret too short', 'abcdef.0123456789abcde'],
    ['a secret too long', 'abcdef.0123456789abcdef0'],
    ['no dot', 'abcdef0123456789abcdef'],
    ['a dash for the dot', 'abcdef-0123456789abcdef'],
    ['a letter beyond ASCII', 'äbcdef.0123456789abcdef'],
    ['digits beyond ASCII', '١٢٣٤٥٦.0123456789abcdef'],
    ['a number that lost its digits', '123456.123456789'],
    ['quotes', '"abcdef.0123456789abcdef"'],
  ])('refuses %s', (_, text) => {
    expect(isToken(text)).toBe(false);
    expect(() => parseToken(text)).toThrow(expect.objectContaining({ code: 'DISCOVERY_TOKEN_INVALID', kind: 'usage' }));
  });

  it('tells no part of a secret in its error', () => {
    const message = (() => {
      try {
        return String(parseToken('abcdef.0123456789abcdeX'));
      } catch (thrown) {
        return JSON.stringify({ ...(thrown as object), text: String(thrown) });
      }
    })();
    expect(message).toContain('23 characters');
    expect(message).not.toContain('0123');
  });
});

it('an id alone is no token, but an id', () => {
  expect(isTokenId('abcdef')).toBe(true);
  expect(isTokenId('abcdef.0123456789abcdef')).toBe(false);
  expect(isTokenId('abcdef\n')).toBe(false);
});

describe('isExpired', () => {
  const expires = new Date('2030-01-02T03:04:05Z');
  it.each([
    ['a millisecond before', expires.getTime() - 1, false],
    ['at the time itself', expires.getTime(), true],
    ['later', expires.getTime() + 1, true],
  ])('%s', (_, now, expected) => {
    expect(isExpired({ expires }, new Date(now))).toBe(expected);
  });
  it('a token without expiry never does', () => {
    expect(isExpired({}, new Date('9999-12-31T00:00:00Z'))).toBe(false);
  });
});

// The case token-ttl-usages-groups.
it.each([
  ['system:bootstrappers:kubeadm:default-node-token', true],
  ['system:bootstrappers:a:b', true],
  ['system:bootstrappers:-a', true],
  [`system:bootstrappers:${'a'.repeat(256)}`, true],
  [`system:bootstrappers:${'a'.repeat(257)}`, false],
  ['system:bootstrappers:a-', false],
  ['system:bootstrappers:', false],
  ['system:bootstrappers', false],
  ['system:bootstrappers:A', false],
  ['system:bootstrappers:a_b', false],
  ['system:masters', false],
  ['system:bootstrappers:a\n', false],
  ['x\nsystem:bootstrappers:a', false],
])('%j is a group that a token may give: %s', (group, expected) => {
  expect(isBootstrapGroup(group)).toBe(expected);
});

it.each([
  ['signing', true],
  ['authentication', true],
  ['Signing', false],
  ['other', false],
  ['', false],
])('%j is a usage: %s', (usage, expected) => {
  expect(isTokenUsage(usage)).toBe(expected);
});
