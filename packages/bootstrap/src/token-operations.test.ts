import { readFileSync } from 'node:fs';
import type { NewBootstrapToken } from '@groundplane/discovery';
import { GroundplaneError } from '@groundplane/errors';
import { memoryPorts } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { tokenSecretOf } from '../test/token-world.ts';
import { createToken, deleteToken, listTokens } from './token-operations.ts';

const now = new Date('2026-11-30T12:00:00Z');
const token: NewBootstrapToken = {
  id: 'abcdef',
  secret: '0123456789abcdef',
  description: 'mine',
  ttlMs: 3_600_000,
  usages: ['signing', 'authentication'],
  groups: ['system:bootstrappers:kubeadm:default-node-token'],
};

async function connected() {
  const { clusters, memory } = memoryPorts();
  return { cluster: await clusters.connect({ kubeconfig: 'any', timeoutMs: 1 }), memory };
}

describe('createToken', () => {
  test('makes a token that is listed', async () => {
    const { cluster } = await connected();
    await createToken(cluster, token, { now });
    const { ttlMs: _, ...rest } = token;
    expect(await listTokens(cluster)).toEqual({
      tokens: [{ ...rest, usages: ['authentication', 'signing'], expires: new Date('2026-11-30T13:00:00Z') }],
      findings: [],
    });
  });

  test('refuses an id that is there already, and leaves what is there', async () => {
    const { cluster, memory } = await connected();
    memory.putObject(tokenSecretOf('abcdef.aaaaaaaaaaaaaaaa') as never);
    const error: unknown = await createToken(cluster, token, { now }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'BOOTSTRAP_TOKEN_EXISTS',
      kind: 'conflict',
      message: expect.stringContaining('abcdef'),
    });
    expect(JSON.stringify(error) + String(error)).not.toContain(token.secret);
    expect((await listTokens(cluster)).tokens).toMatchObject([{ secret: 'aaaaaaaaaaaaaaaa' }]);
  });

  test('refuses an id that somebody took in the meantime', async () => {
    const { cluster } = await connected();
    const taken = new GroundplaneError('CLUSTER_ALREADY_EXISTS', 'Cannot create it', { kind: 'conflict' });
    const racing = { ...cluster, create: () => Promise.reject(taken) };
    await expect(createToken(racing, token, { now })).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_EXISTS' });
  });
});

test('listTokens passes over what is no token, with a finding each', async () => {
  const { cluster, memory } = await connected();
  memory.putObject(tokenSecretOf('abcdef.0123456789abcdef') as never);
  memory.putObject(tokenSecretOf('zzzzzz.0123456789abcdef', { expiration: '2030-01-02 03:04:05' }) as never);
  memory.putObject({ ...tokenSecretOf('yyyyyy.0123456789abcdef'), type: 'Opaque' } as never);
  const { tokens, findings } = await listTokens(cluster);
  expect(tokens.map(({ id }) => id)).toEqual(['abcdef']);
  expect(findings).toMatchObject([{ severity: 'warning', message: expect.stringContaining('bootstrap-token-zzzzzz') }]);
});

describe('deleteToken', () => {
  test.each([['abcdef'], ['abcdef.0123456789abcdef'], ['abcdef.another9876543210'.slice(0, 23)]])(
    'removes the token of %s',
    async (text) => {
      const { cluster } = await connected();
      await createToken(cluster, token, { now });
      expect(await deleteToken(cluster, text)).toBe('abcdef');
      expect((await listTokens(cluster)).tokens).toEqual([]);
    },
  );

  test.each([[''], ['abcde'], ['ABCDEF'], ['abcdef.'], ['abcdef.0123456789abcdef\n'], ['bootstrap-token-abcdef']])(
    'refuses %j, which is neither an id nor a token',
    async (text) => {
      const { cluster, memory } = await connected();
      await createToken(cluster, token, { now });
      const before = memory.writes.length;
      await expect(deleteToken(cluster, text)).rejects.toMatchObject({
        code: 'DISCOVERY_TOKEN_INVALID',
        kind: 'usage',
      });
      expect(memory.writes.length).toBe(before);
    },
  );

  test('says that there is none', async () => {
    const { cluster } = await connected();
    await expect(deleteToken(cluster, 'abcdef')).rejects.toMatchObject({ code: 'BOOTSTRAP_TOKEN_UNKNOWN' });
  });
});

describe('the case token-secret-parsing', () => {
  const folder = new URL('../../../test/cases/token-secret-parsing/', import.meta.url);
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const { steps } = read('expected.json') as {
    readonly steps: readonly [{ readonly facts: Readonly<Record<string, readonly string[]>> }];
  };
  const fileNames = (heading: string) => (steps[0].facts[heading] ?? []).map((text) => text.split(' ')[0] ?? '');

  test.each(fileNames('listed'))('%s is listed', async (name) => {
    const { cluster, memory } = await connected();
    memory.putObject(read(name));
    expect(await listTokens(cluster)).toMatchObject({ tokens: [{ id: 'abcdef' }], findings: [] });
  });

  test.each(fileNames('skipped with a warning'))('%s is passed over with a warning', async (name) => {
    const { cluster, memory } = await connected();
    memory.putObject(read(name));
    expect(await listTokens(cluster)).toMatchObject({ tokens: [], findings: [{ severity: 'warning' }] });
  });

  test('facts about single Secrets', async () => {
    const tokenIn = async (name: string) => {
      const { cluster, memory } = await connected();
      memory.putObject(read(name));
      return (await listTokens(cluster)).tokens[0];
    };
    expect((await tokenIn('offset.json'))?.expires).toEqual(new Date('2030-01-02T01:04:05Z'));
    expect((await tokenIn('usage-case.json'))?.usages).toEqual([]);
    expect((await tokenIn('usage-unknown.json'))?.usages).toEqual(['other', 'signing']);
    expect(await tokenIn('no-expiration.json')).not.toHaveProperty('expires');
  });
});
