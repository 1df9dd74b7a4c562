import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateCertificateKey } from './certificate-key.ts';
import { decryptSharedFile, encryptSharedFile } from './shared-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const fromBase64 = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

/** The same form made by Node.js' own OpenSSL. */
function sealed(content: Uint8Array, keyHex: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(keyHex, 'hex'), nonce);
  return new Uint8Array(Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]));
}

function opened(value: Uint8Array, keyHex: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(keyHex, 'hex'), value.subarray(0, 12));
  decipher.setAuthTag(value.subarray(-16));
  return Buffer.concat([decipher.update(value.subarray(12, -16)), decipher.final()]);
}

describe('the form is the one that OpenSSL reads and writes', () => {
  it.each([
    ['a file', utf8('-----BEGIN CERTIFICATE-----\nexample\n-----END CERTIFICATE-----\n')],
    ['an empty file', new Uint8Array()],
    ['bytes that are no text', fromHex('00ff80c3280a')],
    ['a long file', new Uint8Array(100_000).fill(7)],
  ])('%s', async (_, content) => {
    const key = generateCertificateKey();
    const value = await encryptSharedFile(content, key);
    expect(value).toHaveLength(12 + content.length + 16);
    expect([...opened(value, key)]).toEqual([...content]);
    expect([...(await decryptSharedFile(sealed(content, key), key))]).toEqual([...content]);
  });
});

describe('the case copy-certs-encryption', () => {
  const folder = new URL('../../../test/cases/copy-certs-encryption/', import.meta.url);
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const { keyHex, valueHex, nonceHex, plaintext } = read('vector.json') as Readonly<Record<string, string>> & {
    readonly keyHex: string;
    readonly valueHex: string;
    readonly nonceHex: string;
  };
  const { data } = read('secret.json') as { readonly data: Readonly<Record<string, string>> };
  const value = fromHex(valueHex);

  it('decrypts the value with the key in either case, also from the Secret', async () => {
    expect(text(await decryptSharedFile(value, keyHex))).toBe(plaintext);
    expect(text(await decryptSharedFile(value, keyHex.toUpperCase()))).toBe(plaintext);
    expect(text(await decryptSharedFile(fromBase64(data['sa.key'] ?? ''), keyHex))).toBe(plaintext);
    expect(valueHex.startsWith(nonceHex)).toBe(true);
  });

  it.each([
    ['a key that differs in its last digit', value, `${keyHex.slice(0, -1)}e`, 'PKI_SHARED_FILE_UNREADABLE'],
    ['a value that was cut short', fromBase64(data.short ?? ''), keyHex, 'PKI_SHARED_FILE_UNREADABLE'],
    ['an empty value', fromBase64(data['etcd-ca.key'] ?? 'x'), keyHex, 'PKI_SHARED_FILE_UNREADABLE'],
    [
      'a value of which one bit was changed',
      value.with(20, (value[20] ?? 0) ^ 1),
      keyHex,
      'PKI_SHARED_FILE_UNREADABLE',
    ],
    ['a value whose tag comes first', fromHex(movedTag(valueHex)), keyHex, 'PKI_SHARED_FILE_UNREADABLE'],
    ['a key that is no hexadecimal', value, 'masterjoin', 'PKI_CERTIFICATE_KEY_INVALID'],
    ['half a key', value, keyHex.slice(0, 32), 'PKI_CERTIFICATE_KEY_INVALID'],
    ['a key with a line end', value, `${keyHex}\n`, 'PKI_CERTIFICATE_KEY_INVALID'],
    ['no key', value, '', 'PKI_CERTIFICATE_KEY_INVALID'],
  ])('refuses %s, and shows no byte of the key', async (_, bytes, key, code) => {
    const error: unknown = await decryptSharedFile(bytes, key).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    if (key.length > 8) expect(JSON.stringify(error) + String(error)).not.toContain(key.trim().slice(0, 8));
  });

  it('encrypts to another value each time', async () => {
    const values = await Promise.all([1, 2, 3].map(() => encryptSharedFile(utf8('the same'), keyHex)));
    expect(new Set(values.map((bytes) => Buffer.from(bytes).toString('hex'))).size).toBe(3);
    expect(new Set(values.map((bytes) => Buffer.from(bytes.subarray(0, 12)).toString('hex'))).size).toBe(3);
  });
});

function movedTag(valueHex: string): string {
  return valueHex.slice(0, 24) + valueHex.slice(-32) + valueHex.slice(24, -32);
}

it('a new certificate key is 32 bytes in hexadecimal, another one each time', () => {
  const keys = Array.from({ length: 50 }, () => generateCertificateKey());
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(keys).size).toBe(keys.length);
  expect(generateCertificateKey(new Uint8Array(32).fill(10))).toBe('0a'.repeat(32));
  expect(() => generateCertificateKey(new Uint8Array(16))).toThrow(TypeError);
});
