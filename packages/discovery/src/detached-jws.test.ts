import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { parseToken } from './bootstrap-token.ts';
import { detachedSignature, isSignedBy } from './detached-jws.ts';

/** RFC 7515 with the HMAC of node:crypto, which is not what we sign with. */
function independentSignature(kubeconfig: string, text: string): string {
  const [kid = '', secret = ''] = text.split('.');
  const header = Buffer.from(`{"alg":"HS256","kid":"${kid}"}`).toString('base64url');
  const payload = Buffer.from(kubeconfig, 'utf8').toString('base64url');
  return `${header}..${createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')}`;
}

describe('kubeadm’s own vector, of its dry run', () => {
  const kubeconfig = testdata('dry-run-kubeconfig.yaml');
  const token = parseToken('abcdef.abcdef0123456789');
  const signature = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9..rh3cVKiU2mdt3CqHzC81sNE-4WQLRHMtXduHWfSbrIM';

  it('is what we sign', async () => {
    expect(await detachedSignature(kubeconfig, token)).toBe(signature);
  });

  it('verifies, and not with another token', async () => {
    expect(await isSignedBy(kubeconfig, { signature, token })).toBe(true);
    expect(await isSignedBy(kubeconfig, { signature, token: { ...token, secret: 'abcdef0123456788' } })).toBe(false);
    expect(await isSignedBy(kubeconfig, { signature, token: { ...token, id: 'abcdeg' } })).toBe(false);
  });
});

describe('the case jws-detached-signature', () => {
  const folder = new URL('../../../test/cases/jws-detached-signature/', import.meta.url);
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const vectors = JSON.parse(read('vectors.json')) as {
    readonly token: string;
    readonly jws: Readonly<Record<string, string>>;
    readonly mustBeRefused: Readonly<Record<string, string>>;
  };
  const token = parseToken(vectors.token);

  it.each(Object.entries(vectors.jws))('%s has its signature', async (file, signature) => {
    expect(await detachedSignature(read(file), token)).toBe(signature);
    expect(independentSignature(read(file), vectors.token)).toBe(signature);
    expect(await isSignedBy(read(file), { signature, token })).toBe(true);
  });

  it('no two of the four are equal', () => {
    expect(new Set(Object.values(vectors.jws)).size).toBe(4);
  });

  it.each(Object.entries(vectors.mustBeRefused))('%s is refused', async (_, signature) => {
    expect(await isSignedBy(read('kubeconfig.yaml'), { signature, token })).toBe(false);
  });
});

const characters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const word = (length: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((all) => all.join(''));
const tokens = fc.tuple(word(6), word(16)).map((parts) => parts.join('.'));
const contents = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('of any content and token', () => {
  it('the signature is that of RFC 7515', async () => {
    await fc.assert(
      fc.asyncProperty(contents, tokens, async (content, text) => {
        expect(await detachedSignature(content, parseToken(text))).toBe(independentSignature(content, text));
      }),
      { numRuns: 300 },
    );
  });

  it('one character changed in the content or the signature is noticed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 200 }),
        tokens,
        fc.nat(),
        fc.nat(),
        async (content, text, at, by) => {
          const token = parseToken(text);
          const signature = await detachedSignature(content, token);
          const change = (whole: string) => {
            const place = at % whole.length;
            const other = String.fromCharCode((whole.charCodeAt(place) + 1 + (by % 60)) % 128);
            return `${whole.slice(0, place)}${other}${whole.slice(place + 1)}`;
          };
          expect(await isSignedBy(content, { signature, token })).toBe(true);
          expect(await isSignedBy(change(content), { signature, token })).toBe(false);
          expect(await isSignedBy(content, { signature: change(signature), token })).toBe(false);
          expect(await isSignedBy(content, { signature: signature.slice(0, -1), token })).toBe(false);
          expect(await isSignedBy(content, { signature: `${signature}=`, token })).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('the unused bits of the last character count, too', async () => {
  const token = parseToken('abcdef.0123456789abcdef');
  const signature = await detachedSignature('x', token);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  const twin = `${signature.slice(0, -1)}${alphabet[last ^ 1]}`;
  const bytes = (text: string) => Buffer.from(text.split('..')[1] ?? '', 'base64url');
  expect(bytes(twin)).toEqual(bytes(signature));
  expect(await isSignedBy('x', { signature: twin, token })).toBe(false);
});
