import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { openssl, testdata } from '../test/testdata.ts';
import { weaknessOf } from './key-strength.ts';

test.each([
  ['rsa-512.key', 'error', 512],
  ['rsa-1024.key', 'warning', 1024],
  ['rsa-pkcs1.key', undefined, 2048],
  ['p256-sec1.key', undefined, undefined],
  ['p521-sec1.key', undefined, undefined],
])('%s', (name, severity, bits) => {
  const publicKey = openssl(['pkey', '-pubout'], testdata(name));
  expect(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(bits);
  const weakness = weaknessOf(publicKey);
  expect(weakness?.severity).toBe(severity);
  if (severity !== undefined) expect(weakness?.value).toBe(String(bits));
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  expect(weaknessOf(new Uint8Array(der))).toEqual(weakness);
});

/** A public key with numbers of our choice. */
function publicKeyOf(bits: number, exponent: number): Uint8Array<ArrayBuffer> {
  const n = Buffer.alloc(bits / 8, 0xff).toString('base64url');
  const e = Buffer.from(exponent.toString(16).padStart(10, '0'), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' });
  return new Uint8Array(key.export({ type: 'spki', format: 'der' }));
}

// By what kube-apiserver, etcd and kubectl 1.37 do with such keys.
test.each([
  ['an exponent that just fits', 2048, 2 ** 31 - 1, undefined],
  ['an exponent that does not', 2048, 2 ** 32 + 1, { severity: 'error', value: '4294967297' }],
  ['as many bits as handshakes take', 8192, 65537, undefined],
  ['more bits than that', 8200, 65537, { severity: 'error', value: '8200' }],
])('%s', (_, bits, exponent, found) => {
  const publicKey = publicKeyOf(bits, exponent);
  const weakness = weaknessOf(publicKey, { isShown: true });
  if (found === undefined) expect(weakness).toBeUndefined();
  else expect(weakness).toMatchObject(found);
  expect(weaknessOf(publicKey)).toEqual(bits > 8192 ? undefined : weakness);
});

test('what is no public key is not judged', () => {
  expect(weaknessOf('')).toBeUndefined();
  expect(weaknessOf(new Uint8Array([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))).toBeUndefined();
  expect(weaknessOf(testdata('root.crt'))).toBeUndefined();
});
