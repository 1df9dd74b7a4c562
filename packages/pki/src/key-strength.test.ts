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
  if (severity !== undefined) expect(weakness?.bits).toBe(bits);
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  expect(weaknessOf(new Uint8Array(der))).toEqual(weakness);
});

test('what is no public key is not judged', () => {
  expect(weaknessOf('')).toBeUndefined();
  expect(weaknessOf(new Uint8Array([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]))).toBeUndefined();
  expect(weaknessOf(testdata('root.crt'))).toBeUndefined();
});
