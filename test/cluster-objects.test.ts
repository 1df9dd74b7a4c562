import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { normalized } from './cluster-objects.ts';

const substitutions = [{ text: '192.0.2.10', placeholder: '<address>' }];
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');

function dataOf(name: string, value: string): string | undefined {
  const secret = { kind: 'Secret', metadata: { name: 'kubeadm-certs' }, data: { [name]: value } };
  return (normalized(secret, 'Secret', substitutions) as { data: Record<string, string> }).data[name];
}

describe('values of a Secret', () => {
  it('an empty one is seen', () => {
    for (const name of ['ca.key', 'token-secret', 'expiration', 'ca.crt']) expect(dataOf(name, '')).toBe('');
  });

  it.each([
    ['RSA-2048', [1671, 1675, 1679]],
    ['P-256', [227]],
    ['certificates of kubeadm, RSA', [1094, 1107, 1123]],
  ])('the length of ciphertext of the same kind does not count: %s', (_, lengths) => {
    const sizes = lengths.flatMap((length) => [-4, 0, 4].map((more) => length + 28 + more));
    expect(new Set(sizes.map((size) => dataOf('ca.key', base64(Buffer.alloc(size)))))).toHaveLength(1);
  });

  it('a key of another kind or size, and a second certificate, are seen', () => {
    const keys = [
      generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
      generateKeyPairSync('rsa', { modulusLength: 3072 }),
    ].map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const seen = keys.map((key) => dataOf('ca.key', base64(key.toString())));
    expect(new Set(seen).size).toBe(keys.length);
    expect(dataOf('ca.crt', base64('c'.repeat(1107)))).not.toBe(dataOf('ca.crt', base64('c'.repeat(2 * 1107))));
    expect(seen.join()).not.toContain('PRIVATE');
  });

  it('a time is a time', () => {
    expect(dataOf('expiration', base64('2026-11-30T19:00:00Z'))).toBe('<time>');
    expect(dataOf('expiration', base64('never'))).toBe('never');
  });
});

describe('the hash of a component’s configuration', () => {
  const annotation = 'kubeadm.kubernetes.io/component-config.hash';
  const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  function hashOf(data: Record<string, string>, hash: string): string | undefined {
    const object = { kind: 'ConfigMap', metadata: { name: 'x', annotations: { [annotation]: hash } }, data };
    const { metadata } = normalized(object, 'ConfigMap', substitutions) as typeof object;
    return metadata.annotations[annotation];
  }

  it('is compared where the data is the same in every cluster', () => {
    expect(hashOf({ kubelet: 'a' }, sha256('a'))).toBe(sha256('a'));
    expect(hashOf({ kubelet: 'a' }, 'sha256:0')).toBe('sha256:0');
  });

  it('must be that of the data where an address is in it', () => {
    const data = { 'kubeconfig.conf': 'https://192.0.2.10:6443', 'config.conf': 'b' };
    expect(hashOf(data, sha256('bhttps://192.0.2.10:6443'))).toBe('<hash of the data>');
    expect(hashOf(data, sha256('b'))).toBe(sha256('b'));
  });
});
