import { expect, test } from 'vitest';
import { openssl, testdata } from '../test/testdata.ts';
import { publicKeysOf } from './public-keys.ts';

const publicHalf = (name: string) => openssl(['pkey', '-pubout'], testdata(name));
const [rsa, p256] = [publicHalf('rsa-pkcs1.key'), publicHalf('p256-sec1.key')];

test.each<[string, string, readonly string[]]>([
  ['a public key', rsa, [rsa]],
  ['CRLF and text around it', `made by hand\r\n${p256.replaceAll('\n', '\r\n')}the end`, [p256]],
  ['two keys, as after a rotation', p256 + rsa, [p256, rsa]],
  ['a certificate', testdata('root.crt'), [openssl(['x509', '-noout', '-pubkey'], testdata('root.crt'))]],
  ['a private key in PKCS#1', testdata('rsa-pkcs1.key'), [rsa]],
  [
    'a private key behind the parameters of its curve',
    testdata('p256-params-first.key'),
    [publicHalf('p256-params-first.key')],
  ],
  ['PKCS#1 of a public key, which Kubernetes does not read', openssl(['rsa', '-pubin', '-RSAPublicKey_out'], rsa), []],
  ['nothing', '', []],
])('%s', async (_, text, expected) => {
  expect(await publicKeysOf(text)).toEqual(expected);
});
