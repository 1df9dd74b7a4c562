import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { SigningRequest } from '@groundplane/phases';
import { type CertificateRequest, certifyPublicKey, createSigningRequest, readSigningRequest } from '@groundplane/pki';
import { expect, test } from 'vitest';
import { newAuthority } from '../test/kubelet-request-world.ts';
import { type CertificateOrder, type CertificateSigner, requestingSigner, webCryptoSigner } from './index.ts';

const authority = await newAuthority('CA');

const certificate: NonNullable<SigningRequest['certificate']> = {
  commonName: 'kube-apiserver',
  organizations: ['one', 'two'],
  dnsNames: ['kubernetes'],
  ipAddresses: ['192.0.2.10'],
  usages: ['serverAuth'],
  isCA: false,
  notBefore: new Date('2026-01-01T00:00:00Z'),
  notAfter: new Date('2027-01-01T00:00:00Z'),
  issuer: { certificate: authority.certificate, key: 'CA KEY', name: 'ca', keyPlace: '/etc/kubernetes/pki/ca.key' },
};
const request: SigningRequest = { name: 'apiserver', algorithm: 'ECDSA-P256', certificate };

/** Signs what the request asks for, with something else in its place. */
async function certified({ request: asked, profile }: CertificateOrder, change: Partial<CertificateRequest> = {}) {
  const { publicKey, subject, sans } = await readSigningRequest(asked);
  const { extendedKeyUsages, isCA, notBefore, notAfter } = profile;
  const wanted = { subject, sans, extendedKeyUsages, isCA, notBefore, notAfter, keyAlgorithm: 'ECDSA-P256' } as const;
  return certifyPublicKey({ ...wanted, ...change }, publicKey, authority);
}

/** A signer that keeps what it was asked. */
function recording(answer: (order: CertificateOrder) => Promise<string> = certified) {
  const orders: CertificateOrder[] = [];
  const source: CertificateSigner = {
    sign(order) {
      orders.push(order);
      return answer(order);
    },
  };
  return { orders, source };
}

test('whoever signs gets a request by the key that is handed back, and no key', async () => {
  const { orders, source } = recording();
  const [issued] = await Promise.all(requestingSigner('x', source).issue([request]));
  expect(new X509Certificate(issued?.certificate ?? '').checkPrivateKey(createPrivateKey(issued?.key ?? ''))).toBe(
    true,
  );
  const [order] = orders;
  const asked = await readSigningRequest(order?.request ?? '');
  expect(asked.publicKey.trim()).toBe(
    createPublicKey(issued?.key ?? '')
      .export({ type: 'spki', format: 'pem' })
      .toString()
      .trim(),
  );
  expect(asked.subject).toEqual({ commonName: 'kube-apiserver', organizations: ['one', 'two'] });
  expect(asked.sans).toEqual({ dnsNames: ['kubernetes'], ipAddresses: ['192.0.2.10'] });
  expect(order).toEqual({
    name: 'apiserver',
    request: expect.any(String),
    authority: authority.certificate,
    issuer: 'ca',
    profile: {
      commonName: 'kube-apiserver',
      organizations: ['one', 'two'],
      dnsNames: ['kubernetes'],
      ipAddresses: ['192.0.2.10'],
      keyUsages: ['digitalSignature', 'keyEncipherment'],
      extendedKeyUsages: ['serverAuth'],
      isCA: false,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
    },
  });
  expect(JSON.stringify(order)).not.toMatch(/PRIVATE KEY|CA KEY/);
});

test('a key that is there already is used; one without a certificate is made without the plugin', async () => {
  const { orders, source } = recording();
  const signer = requestingSigner('x', source);
  const [alone] = await Promise.all(signer.issue([{ name: 'sa', algorithm: 'ECDSA-P256' }]));
  expect(alone?.key).toMatch(/PRIVATE KEY/);
  expect(alone?.certificate).toBeUndefined();
  expect(orders).toEqual([]);
  const [issued] = await Promise.all(signer.issue([{ ...request, key: alone?.key ?? '' }]));
  expect(issued?.key).toBe(alone?.key);
});

test('a CA of its own it cannot make; the rest is up to the plugin', () => {
  const { source } = recording();
  const signer = requestingSigner('x', { ...source, canSign: ({ profile }) => profile.commonName !== 'no' });
  expect(signer.canIssue(request)).toBe(true);
  expect(signer.canIssue({ ...request, certificate: { ...certificate, commonName: 'no' } })).toBe(false);
  expect(signer.canIssue({ ...request, certificate: { ...certificate, isCA: true, issuer: 'self' } })).toBe(false);
  expect(signer.canIssue({ name: 'sa', algorithm: 'RSA-2048' })).toBe(true);
  expect(requestingSigner('x', source).canIssue(request)).toBe(true);
});

test.each<[string, () => Promise<string>, string]>([
  [
    'fails',
    () => Promise.reject(new Error('no route')),
    "Cannot get the certificate 'apiserver' from the signer 'x': no route",
  ],
  [
    'throws at once',
    () => {
      throw new Error('broken');
    },
    "Cannot get the certificate 'apiserver' from the signer 'x': broken",
  ],
  [
    'gives something else',
    async () => 7 as unknown as string,
    "Cannot use the answer of the signer 'x' to 'apiserver' as it is no text: number",
  ],
])('one that %s is named', async (_, answer, message) => {
  const [issued] = requestingSigner('x', recording(answer).source).issue([request]);
  await expect(issued).rejects.toMatchObject({ code: 'BOOTSTRAP_SIGNER_FAILED', message });
});

test.each<[string, Partial<CertificateRequest>, string]>([
  [
    'another common name',
    { subject: { commonName: 'other', organizations: ['one', 'two'] } },
    'it has the common name other where kube-apiserver was asked for',
  ],
  [
    'no organization',
    { subject: { commonName: 'kube-apiserver', organizations: [] } },
    'it has the organizations none where one, two was asked for',
  ],
  [
    'one organization too many',
    { subject: { commonName: 'kube-apiserver', organizations: ['one', 'system:masters', 'two'] } },
    'it has the organizations one, system:masters, two where one, two was asked for',
  ],
  [
    'an extra name',
    { sans: { dnsNames: ['kubernetes', 'evil'], ipAddresses: ['192.0.2.10'] } },
    'it has the DNS names evil, kubernetes where kubernetes was asked for',
  ],
  [
    'a missing address',
    { sans: { dnsNames: ['kubernetes'], ipAddresses: [] } },
    'it has the IP addresses none where 192.0.2.10 was asked for',
  ],
  [
    'an extra usage',
    { extendedKeyUsages: ['serverAuth', 'clientAuth'] },
    'it has the extended key usages clientAuth, serverAuth where serverAuth was asked for',
  ],
  [
    'a validity longer than that of its CA',
    { notAfter: new Date('2031-01-01T00:00:00Z') },
    'it is valid until 2031-01-01T00:00:00.000Z, longer than its CA: 2030-01-01T00:00:00.000Z',
  ],
  ['the rights of a CA', { isCA: true }, 'it is a CA, and was to be none'],
])('an answer with %s is refused', async (_, change, reason) => {
  const [issued] = requestingSigner('x', recording((order) => certified(order, change)).source).issue([request]);
  const message = `Cannot use the answer of the signer 'x' to 'apiserver' as ${reason}`;
  await expect(issued).rejects.toMatchObject({ code: 'BOOTSTRAP_SIGNER_FAILED', message });
});

test('an answer that is no certificate is refused', async () => {
  const [issued] = requestingSigner('x', recording(async () => 'garbage').source).issue([request]);
  await expect(issued).rejects.toMatchObject({
    code: 'BOOTSTRAP_SIGNER_FAILED',
    message: expect.stringContaining('it cannot be read'),
  });
});

test('names in another order and addresses in another spelling are the same', async () => {
  const sixth = { ...certificate, ipAddresses: ['2001:DB8:0::10'], dnsNames: ['b', 'a'] };
  const change = { sans: { dnsNames: ['a', 'b'], ipAddresses: ['2001:db8::10'] } };
  const [issued] = requestingSigner('x', recording((order) => certified(order, change)).source).issue([
    { ...request, certificate: sixth },
  ]);
  await expect(issued).resolves.toMatchObject({ certificate: expect.stringContaining('BEGIN CERTIFICATE') });
});

test('nobody is asked for a certificate that outlives its CA', async () => {
  const { orders, source } = recording();
  const notAfter = new Date('2035-01-01T00:00:00Z');
  const [issued] = requestingSigner('x', source).issue([{ ...request, certificate: { ...certificate, notAfter } }]);
  await expect(issued).resolves.toBeDefined();
  expect(orders.map(({ profile }) => profile.notAfter)).toEqual([new Date('2030-01-01T00:00:00Z')]);
});

test('a request by somebody else is handed on as it is, with the usages of its key, and the answer is held to it', async () => {
  const { orders, source } = recording();
  const [own] = await Promise.all(webCryptoSigner().issue([{ name: 'key', algorithm: 'ECDSA-P256' }]));
  const { commonName, organizations, dnsNames, ipAddresses } = certificate;
  const content = { subject: { commonName, organizations }, sans: { dnsNames, ipAddresses } };
  const foreign = await createSigningRequest(content, own?.key ?? '');
  const asked = { name: 'csr-x', request: foreign, certificate, keyUsages: ['digitalSignature'] } as const;
  const answer = await requestingSigner('x', source).certify?.(asked);
  expect(new X509Certificate(answer ?? '').checkPrivateKey(createPrivateKey(own?.key ?? ''))).toBe(true);
  expect(orders).toMatchObject([
    { name: 'csr-x', request: foreign, issuer: 'ca', profile: { commonName, keyUsages: ['digitalSignature'] } },
  ]);
  expect(JSON.stringify(orders)).not.toContain('CA KEY');
  const wrong = recording((order) => certified(order, { isCA: true }));
  await expect(requestingSigner('x', wrong.source).certify?.(asked)).rejects.toMatchObject({
    code: 'BOOTSTRAP_SIGNER_FAILED',
    message: expect.stringContaining("'csr-x'"),
  });
});
