import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openssl, testdata, testdataPath } from '../test/testdata.ts';
import { describeCertificate, validityOf } from './describe-certificate.ts';
import { publicKeyPin } from './public-key-pin.ts';
import { firstCertificate, splitCertificates } from './x509-certificate.ts';

const files = [
  'root.crt',
  'issuing.crt',
  'below.crt',
  'leaf-of-root.crt',
  'leaf-of-issuing.crt',
  'leaf-pss.crt',
  'leaf-sha1.crt',
  'name-bmp.crt',
  'ski-none.crt',
];

test.each(files)('%s: the same facts as node:crypto finds', async (name) => {
  const pem = testdata(name);
  const other = new X509Certificate(pem);
  const ours = await describeCertificate(pem);
  expect(ours.fingerprint).toBe(other.fingerprint256.replaceAll(':', '').toLowerCase());
  expect(ours.serialNumber.replace(/^0+/, '')).toBe(other.serialNumber.replace(/^0+/, ''));
  expect([ours.notBefore, ours.notAfter]).toEqual([other.validFromDate, other.validToDate]);
  expect(await validityOf(pem)).toEqual({ notBefore: other.validFromDate, notAfter: other.validToDate });
  expect(ours.isCA).toBe(other.ca);
  expect([`CN=${ours.subject.commonName}`, ...ours.subject.organizations.map((o) => `O=${o}`)].sort()).toEqual(
    other.subject.split('\n').sort(),
  );
  const names = [...ours.sans.dnsNames.map((n) => `DNS:${n}`), ...ours.sans.ipAddresses.map((n) => `IP Address:${n}`)];
  expect(names.join(', ')).toBe(other.subjectAltName ?? '');
  const { asymmetricKeyType, asymmetricKeyDetails } = other.publicKey;
  const curves: Record<string, string> = { prime256v1: 'P256', secp384r1: 'P384' };
  const detail =
    asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : curves[asymmetricKeyDetails?.namedCurve ?? ''];
  expect(ours.keyAlgorithm).toBe(`${asymmetricKeyType === 'rsa' ? 'RSA' : 'ECDSA'}-${detail}`);
});

test.each([
  ['leaf-of-root.crt', ['digitalSignature', 'keyEncipherment'], ['serverAuth'], 'ECDSA with SHA-256'],
  ['root.crt', ['digitalSignature', 'keyCertSign'], [], 'ECDSA with SHA-256'],
  ['ca-no-key-usage.crt', undefined, [], 'ECDSA with SHA-256'],
  ['leaf-pss.crt', ['digitalSignature', 'keyEncipherment'], ['serverAuth'], 'RSA-PSS with SHA-256'],
  ['leaf-sha1.crt', ['digitalSignature', 'keyEncipherment'], ['serverAuth'], 'ECDSA with SHA-1'],
])('%s: usages and signature', async (name, keyUsages, extendedKeyUsages, signatureAlgorithm) => {
  expect(await describeCertificate(testdata(name))).toMatchObject({ keyUsages, extendedKeyUsages, signatureAlgorithm });
});

test('key identifiers as openssl prints them', async () => {
  const { subjectKeyIdentifier, authorityKeyIdentifier } = await describeCertificate(testdata('issuing.crt'));
  const printed = openssl(
    ['x509', '-noout', '-ext', 'subjectKeyIdentifier,authorityKeyIdentifier'],
    testdata('issuing.crt'),
  ).toLowerCase();
  for (const id of [subjectKeyIdentifier, authorityKeyIdentifier])
    expect(printed).toContain(id?.match(/../g)?.join(':'));
});

test.each(['root.crt', 'below.crt'])(
  'the pin of %s is the hash that openssl gives for the public key',
  async (name) => {
    const spki = openssl(['x509', '-noout', '-pubkey'], testdata(name)).replace(/-----[^-]*-----|\s/g, '');
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(spki, 'base64'))).toString('hex');
    expect(await publicKeyPin(testdata(name))).toBe(`sha256:${digest}`);
  },
);

describe('texts with several blocks', () => {
  const [root, issuing] = [testdata('root.crt'), testdata('issuing.crt')];
  test('are taken apart and cleaned', () => {
    const text = `subject=x\n${root.replaceAll('\n', '\r\n')}${testdata('root.key')}\n\n${issuing}`;
    expect(splitCertificates(text)).toEqual([root, issuing]);
    expect(firstCertificate(text)).toBe(root);
  });
  test.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n', testdata('root.key')])(
    '%j holds no certificate',
    async (text) => {
      await expect(describeCertificate(text)).rejects.toMatchObject({ code: 'PKI_CERTIFICATE_UNREADABLE' });
    },
  );
});

test.each([
  ['negative', '-5', 'PKI_CERTIFICATE_UNREADABLE'],
  ['positive, with its highest bit set', '0xbb407047528baf', undefined],
])('a serial number that is %s is judged as Go does', async (_, serialNumber, code) => {
  const subject = ['-key', testdataPath('p256-sec1.key'), '-subj', '/CN=a', '-days', '1'];
  const signed = openssl(['req', '-x509', ...subject, '-set_serial', serialNumber]);
  const outcome = await describeCertificate(signed).then(
    () => undefined,
    (error) => error.code,
  );
  expect(outcome).toBe(code);
});
