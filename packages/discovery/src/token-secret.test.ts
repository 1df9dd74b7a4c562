import { readFileSync } from 'node:fs';
import type { Secret } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { isExpired, nodeBootstrapGroup } from './bootstrap-token.ts';
import { type NewBootstrapToken, readTokenSecret, readTokenSecrets, tokenSecret } from './token-secret.ts';

const now = new Date('2026-11-30T12:00:00.750Z');
const full: NewBootstrapToken = {
  id: 'abcdef',
  secret: '0123456789abcdef',
  description: 'for the café',
  ttlMs: 24 * 3600 * 1000,
  usages: ['signing', 'authentication'],
  groups: [nodeBootstrapGroup, 'system:bootstrappers:a'],
};

/** The data as a person sees them; the decoder is Node's. */
function plain({ data = {} }: Secret): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

describe('tokenSecret', () => {
  it('has what kubeadm writes', () => {
    const secret = tokenSecret(full, { now });
    expect(secret).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'bootstrap.kubernetes.io/token',
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
    });
    expect(plain(secret)).toEqual({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      description: 'for the café',
      expiration: '2026-12-01T12:00:00Z',
      'usage-bootstrap-signing': 'true',
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token,system:bootstrappers:a',
    });
  });

  it.each<[string, Partial<NewBootstrapToken>, string | undefined]>([
    ['ttl 0 is for ever', { ttlMs: 0 }, undefined],
    ['a negative ttl is, too', { ttlMs: -3_600_000 }, undefined],
    ['a time given goes before a ttl', { expires: new Date('2030-01-02T03:04:05+02:00') }, '2030-01-02T01:04:05Z'],
  ])('%s', (_, change, expected) => {
    expect(plain(tokenSecret({ ...full, ...change }, { now })).expiration).toBe(expected);
  });

  it('leaves out what is empty', () => {
    const { id, secret } = full;
    expect(plain(tokenSecret({ id, secret, description: '', usages: [], groups: [] }, { now }))).toEqual({
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
    });
  });

  it('is read back', () => {
    const { ttlMs: _, ...rest } = full;
    expect(readTokenSecret(tokenSecret(full, { now }))).toEqual({
      ...rest,
      expires: new Date('2026-12-01T12:00:00Z'),
      usages: ['authentication', 'signing'],
    });
  });
});

// The case token-secret-parsing: one file, one Secret.
const folder = new URL('../../../test/cases/token-secret-parsing/', import.meta.url);
const caseSecret = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Secret;

describe('readTokenSecret', () => {
  it.each([
    { file: 'utc.json', expires: '2030-01-02T03:04:05.000Z', usages: ['authentication', 'signing'] },
    { file: 'offset.json', expires: '2030-01-02T01:04:05.000Z', usages: ['signing'] },
    { file: 'past.json', expires: '2001-01-01T00:00:00.000Z', usages: ['signing'] },
    { file: 'fraction.json', expires: '2030-01-02T03:04:05.500Z', usages: [] },
    { file: 'usage-case.json', expires: undefined, usages: [] },
    { file: 'usage-unknown.json', expires: undefined, usages: ['other', 'signing'] },
    { file: 'no-expiration.json', expires: undefined, usages: ['authentication'] },
  ])('$file', ({ file, expires, usages }) => {
    const token = readTokenSecret(caseSecret(file));
    expect(token.expires?.toISOString()).toBe(expires);
    expect(token.usages).toEqual(usages);
    expect(isExpired(token, now)).toBe(file === 'past.json');
  });

  it('takes the groups apart', () => {
    expect(readTokenSecret(caseSecret('no-expiration.json')).groups).toEqual([
      'system:bootstrappers:a',
      'system:bootstrappers:b',
    ]);
    expect(readTokenSecret(caseSecret('utc.json')).groups).toEqual([]);
  });

  it.each([
    { file: 'unparsable.json', why: 'its expiration is no time in the format of RFC 3339, "2030-01-02 03:04:05"' },
    { file: 'name-mismatch.json', why: 'its name is not bootstrap-token-abcdef' },
    { file: 'no-secret.json', why: 'it has no token-secret' },
  ])('refuses $file', ({ file, why }) => {
    expect(() => readTokenSecret(caseSecret(file))).toThrow(
      expect.objectContaining({ code: 'DISCOVERY_TOKEN_SECRET_INVALID', message: expect.stringContaining(why) }),
    );
  });

  it('refuses parts that are no token, and does not tell them', () => {
    const secret = tokenSecret({ id: 'abcdef', secret: 'TopSecret', usages: [], groups: [] }, { now });
    expect(() => readTokenSecret(secret)).toThrow('its id and secret are not those of a token');
    expect(() => readTokenSecret(secret)).not.toThrow('TopSecret');
  });
});

it('readTokenSecrets passes over what it cannot read, with a warning, and lists the rest', () => {
  const files = ['utc.json', 'unparsable.json', 'name-mismatch.json', 'no-secret.json', 'no-expiration.json'];
  const others: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, type: 'Opaque' };
  const { tokens, findings } = readTokenSecrets([...files.map(caseSecret), others]);
  expect(tokens).toHaveLength(2);
  expect(findings.map(({ code, severity, artifact }) => ({ code, severity, artifact }))).toEqual(
    ['abcdef', 'zzzzzz', 'abcdef'].map((id) => ({
      code: 'DISCOVERY_TOKEN_SECRET_INVALID',
      severity: 'warning',
      artifact: `Secret kube-system/bootstrap-token-${id}`,
    })),
  );
});
