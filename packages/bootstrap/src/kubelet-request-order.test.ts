import { expect, test } from 'vitest';
import { type KubeletRequest, kubeletSigners } from './kubelet-request.ts';
import { kubeletRequestOrder } from './kubelet-request-order.ts';

const now = new Date('2026-06-01T12:00:00Z');
const year = 8760 * 3_600_000;
const issuer = { certificate: 'CA', name: 'ca' };
const validity = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2036-01-01T00:00:00Z') };
const request: KubeletRequest = {
  ...{ name: 'csr-x', uid: 'u', resourceVersion: '1', text: '', state: 'approved', expirationSeconds: undefined },
  ...{ purpose: 'serving', signerName: kubeletSigners.serving, username: 'x', groups: [] },
  usages: ['server auth', 'digital signature'],
};
const content = {
  subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
  sans: { dnsNames: ['a'], ipAddresses: ['192.0.2.7'] },
  ...{ publicKey: 'KEY', pem: 'REQUEST', besides: [] },
};

test('says all that the certificate is to say', () => {
  expect(kubeletRequestOrder({ request, content }, { issuer, validity, periodMs: year }, now)).toEqual({
    name: 'csr-x',
    request: 'REQUEST',
    certificate: {
      commonName: 'system:node:a',
      organizations: ['system:nodes'],
      dnsNames: ['a'],
      ipAddresses: ['192.0.2.7'],
      usages: ['serverAuth'],
      isCA: false,
      notBefore: new Date('2026-06-01T11:55:00Z'),
      notAfter: new Date('2027-06-01T12:00:00Z'),
      issuer,
    },
    keyUsages: ['digitalSignature'],
  });
});

test('of a client, with a key that enciphers', () => {
  const usages = ['key encipherment', 'client auth', 'digital signature'];
  const client = { ...request, usages, purpose: 'client' } as const;
  expect(kubeletRequestOrder({ request: client, content }, { issuer, validity, periodMs: year }, now)).toMatchObject({
    certificate: { usages: ['clientAuth'] },
    keyUsages: ['digitalSignature', 'keyEncipherment'],
  });
});

test.each([
  ['an hour, as it asks', 3600, year, validity.notAfter, '2026-06-01T13:00:00.000Z'],
  ['no longer than usual', 10 * 365 * 86_400, year, validity.notAfter, '2027-06-01T12:00:00.000Z'],
  ['ten minutes at least', 1, year, validity.notAfter, '2026-06-01T12:10:00.000Z'],
  ['as the cluster says', undefined, 86_400_000, validity.notAfter, '2026-06-02T12:00:00.000Z'],
  ['no longer than its CA', undefined, year, new Date('2026-07-01T00:00:00Z'), '2026-07-01T00:00:00.000Z'],
  [
    'no longer than its CA, if it asks for more',
    10_000_000,
    year,
    new Date('2026-07-01T00:00:00Z'),
    '2026-07-01T00:00:00.000Z',
  ],
])('is valid for %s', (_, expirationSeconds, periodMs, end, notAfter) => {
  const { certificate } = kubeletRequestOrder(
    { request: { ...request, expirationSeconds }, content },
    { issuer, validity: { ...validity, notAfter: end }, periodMs },
    now,
  );
  expect(certificate.notAfter.toISOString()).toBe(notAfter);
});

test('does not begin before its CA', () => {
  const young = { ...validity, notBefore: new Date('2026-06-01T11:59:00Z') };
  const { certificate } = kubeletRequestOrder({ request, content }, { issuer, validity: young, periodMs: year }, now);
  expect(certificate.notBefore).toEqual(young.notBefore);
});
