import { createPrivateKey, createPublicKey } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openssl, testdata } from '../test/testdata.ts';
import type { KeyAlgorithm } from './key-algorithm.ts';
import { parsePem } from './pem.ts';
import { generatePrivateKey, publicKeyOf } from './private-key.ts';

describe('publicKeyOf', () => {
  const readable = [
    'rsa-pkcs1.key',
    'rsa-pkcs8.key',
    'p256-sec1.key',
    'p256-pkcs8.key',
    'p256-params-first.key',
    'p256-crlf.key',
    'p384-sec1.key',
    'p384-pkcs8.key',
    'p521-sec1.key',
  ];
  test.each(readable)('%s gives the public key that node:crypto gives', async (name) => {
    const pem = testdata(name);
    const expected = createPublicKey(pem.replace(/-----BEGIN EC PARAMETERS[\s\S]*?END EC PARAMETERS-----\n/, ''));
    expect(await publicKeyOf(pem)).toBe(expected.export({ type: 'spki', format: 'pem' }));
  });

  test('takes the first key behind certificates and parameters', async () => {
    const pem = testdata('root.crt') + testdata('p256-params-first.key') + testdata('rsa-pkcs1.key');
    expect(await publicKeyOf(pem)).toBe(await publicKeyOf(testdata('p256-sec1.key')));
  });

  test.each([
    ['encrypted-sec1.key', 'it is encrypted'],
    ['encrypted-pkcs8.key', 'the text holds none'],
    ['ed25519.key', 'it is neither RSA nor ECDSA but 1.3.101.112'],
    ['k256-sec1.key', 'its curve is not supported: 1.3.132.0.10'],
    ['damaged.key', 'Cannot read a private key'],
    ['root.crt', 'the text holds none: CERTIFICATE'],
  ])('%s is refused without showing its bytes', async (name, message) => {
    const text = testdata(name);
    const error = await publicKeyOf(text).then(undefined, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PKI_KEY_UNREADABLE', message: expect.stringContaining(message) });
    for (const line of text.split('\n').filter((candidate) => /^[A-Za-z0-9+/=]{20,}$/.test(candidate))) {
      expect(inspect(error, { depth: 9 })).not.toContain(line.slice(0, 20));
    }
  });

  test('an SEC1 key that does not name its curve is refused', async () => {
    const bare = openssl(['ec', '-no_public', '-param_enc', 'explicit'], testdata('p256-sec1.key'));
    await expect(publicKeyOf(bare)).rejects.toMatchObject({ code: 'PKI_KEY_UNREADABLE' });
  });
});

describe('generatePrivateKey', () => {
  test.each<[KeyAlgorithm, string, object]>([
    ['RSA-2048', 'RSA PRIVATE KEY', { modulusLength: 2048, publicExponent: 65537n }],
    ['ECDSA-P256', 'EC PRIVATE KEY', { namedCurve: 'prime256v1' }],
    ['ECDSA-P384', 'EC PRIVATE KEY', { namedCurve: 'secp384r1' }],
  ])('%s is PEM of type %s', async (algorithm, label, details) => {
    const key = await generatePrivateKey(algorithm);
    expect(parsePem(key).map((block) => block.label)).toEqual([label]);
    expect(createPrivateKey(key).asymmetricKeyDetails).toMatchObject(details);
    expect(openssl(['pkey', '-check', '-noout'], key)).toContain('Key is valid');
    expect(key).toMatch(/-----\n$/);
    // openssl writes the same structure: the curve and the public key are in it.
    expect(key).toBe(openssl(['pkey', '-traditional'], key));
  });

  test('two keys differ', async () => {
    const [one, other] = await Promise.all([generatePrivateKey('ECDSA-P256'), generatePrivateKey('ECDSA-P256')]);
    expect(one).not.toBe(other);
  });

  test('an unknown algorithm is a mistake of the caller', async () => {
    await expect(generatePrivateKey('ecdsa-p256' as KeyAlgorithm)).rejects.toBeInstanceOf(TypeError);
  });
});
