import { X509Certificate } from 'node:crypto';
import {
  type CertificateRequest,
  certifyPublicKey,
  createSigningRequest,
  generatePrivateKey,
  issueCertificate,
  publicKeyOf,
} from '@groundplane/pki';
import { expect, test } from 'vitest';
import { newAuthority, start as now } from '../test/kubelet-request-world.ts';
import { judgeKubeletAnswer } from './judge-kubelet-answer.ts';
import { type KubeletRequest, kubeletSigners } from './kubelet-request.ts';
import { kubeletRequestOrder } from './kubelet-request-order.ts';
import { webCryptoSigner } from './web-crypto-signer.ts';

const authority = await newAuthority();
const key = await generatePrivateKey('ECDSA-P256');
const publicKey = await publicKeyOf(key);
const subject = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const sans = { dnsNames: ['a'], ipAddresses: ['2001:db8::7'] };
const pem = await createSigningRequest({ subject, sans }, key);
const request: KubeletRequest = {
  ...{ name: 'csr-x', uid: 'u', resourceVersion: '1', text: '', state: 'approved', expirationSeconds: 3600 },
  ...{ purpose: 'serving', signerName: kubeletSigners.serving, username: 'x', groups: [] },
  usages: ['server auth', 'digital signature'],
};
const validity = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2030-01-01T00:00:00Z') };
const order = kubeletRequestOrder(
  { request, content: { subject, sans, publicKey, pem, besides: [] } },
  { issuer: { ...authority, name: 'ca' }, validity, periodMs: 1e12 },
  now,
);
const wanted: CertificateRequest = {
  ...{ subject, sans, extendedKeyUsages: ['serverAuth'], isCA: false, keyAlgorithm: 'ECDSA-P256' },
  keyUsages: ['digitalSignature'],
  notBefore: order.certificate.notBefore,
  notAfter: order.certificate.notAfter,
};
const certified = (change: Partial<CertificateRequest> = {}, issuer = authority, certifiedKey = publicKey) =>
  certifyPublicKey({ ...wanted, ...change }, certifiedKey, issuer);
const judge = (answer: unknown, more: { readonly isLimited?: boolean } = {}) =>
  judgeKubeletAnswer(answer, {
    ...{ order, publicKey, authority: authority.certificate, isLimited: true, now },
    ...more,
  });

test('takes what the key of the CA signs', async () => {
  const text = (await webCryptoSigner().certify?.(order)) ?? '';
  const { text: taken, description } = await judge(text);
  expect(taken).toBe(text);
  expect(description).toMatchObject({ subject, sans, keyUsages: ['digitalSignature'] });
  const certificate = new X509Certificate(taken);
  expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
  expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(publicKey);
});

test('takes a chain, and nothing but certificates', async () => {
  const intermediate = await newAuthority('intermediate', authority);
  const chain = `${await certified({}, intermediate)}${intermediate.certificate}`;
  expect((await judge(`bag attributes\n${chain}-----BEGIN X-----\nAAAA\n-----END X-----\n`)).text).toBe(chain);
});

test.each([
  ['a shorter one', { notAfter: new Date('2026-06-01T12:30:00Z') }, true],
  ['the usages of all keys', { keyUsages: ['digitalSignature', 'keyEncipherment'] as const }, true],
  ['a longer one where nothing was asked', { notAfter: new Date('2027-06-01T12:30:00Z') }, false],
])('takes %s', async (_, change, isLimited) => {
  await expect(judge(await certified(change), { isLimited })).resolves.toHaveProperty('text');
});

const other = await newAuthority('kubernetes');
const otherKey = await publicKeyOf(await generatePrivateKey('ECDSA-P256'));
test.each<[string, () => unknown, RegExp]>([
  ['nothing', () => undefined, /it is no text: undefined/],
  ['garbage', () => '<html>', /it cannot be read/],
  ['another key', () => certified({}, authority, otherKey), /it is for another key than the request/],
  [
    'another name',
    () => certified({ subject: { ...subject, commonName: 'system:node:b' } }),
    /the common name system:node:b/,
  ],
  [
    'another group',
    () => certified({ subject: { ...subject, organizations: ['system:masters'] } }),
    /the organizations system:masters where system:nodes/,
  ],
  [
    'a name more',
    () => certified({ sans: { ...sans, dnsNames: ['a', 'b'] } }),
    /the DNS names a, b where a was asked for/,
  ],
  [
    'an address less',
    () => certified({ sans: { ...sans, ipAddresses: [] } }),
    /the IP addresses none where 2001:db8::7/,
  ],
  [
    'a usage more',
    () => certified({ extendedKeyUsages: ['serverAuth', 'clientAuth'] }),
    /the extended key usages clientAuth, serverAuth/,
  ],
  [
    'no signatures',
    () => certified({ keyUsages: ['keyEncipherment'] }),
    /the key usages keyEncipherment where digitalSignature was asked for/,
  ],
  [
    'signatures below certificates',
    () => certified({ keyUsages: ['digitalSignature', 'keyCertSign'] }),
    /the signing usages keyCertSign where none was asked for/,
  ],
  ['a CA', () => certified({ isCA: true }), /it is a CA, and was to be none/],
  [
    'too long',
    () => certified({ notAfter: new Date('2026-06-01T13:00:01Z') }),
    /until 2026-06-01T13:00:01\.000Z, longer than was asked for: 2026-06-01T13:00:00\.000Z/,
  ],
  ['longer than the CA', () => certified({ notAfter: new Date('2031-01-01T00:00:00Z') }), /longer than its CA/],
  ['over', () => certified({ notAfter: new Date('2026-06-01T11:58:00Z') }), /has expired/],
  ['not begun', () => certified({ notBefore: new Date('2026-06-01T12:30:00Z') }), /not valid yet/],
  ['another CA of the same name', () => certified({}, other), /its signature is not by the key of/],
  [
    'one of its own',
    async () => (await issueCertificate(wanted, { issuer: 'self', key })).certificate,
    /not signed by its CA|no CA certificate at hand/,
  ],
])('refuses %s', async (_, answer, reason) => {
  await expect(judge(await answer())).rejects.toThrow(reason);
});
