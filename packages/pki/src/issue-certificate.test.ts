import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openssl, testdata, usualFacts, withFiles } from '../test/testdata.ts';
import { type CertificateRequest, certificateRequest, defaultValidityPeriods } from './certificate-request.ts';
import { certificateRow } from './certificate-table.ts';
import { derElement, derTags } from './der.ts';
import { certifyPublicKey, issueCertificate } from './issue-certificate.ts';
import { isPair } from './key-pair.ts';
import { parsePrivateKey } from './private-key.ts';
import { signCertificate } from './sign-certificate.ts';
import { createSigningRequest, readSigningRequest } from './signing-request.ts';
import { noSubjectAlternativeNames } from './subject-alternative-names.ts';
import { expectationOf, verifyCertificate } from './verify-certificate.ts';

const now = new Date('2026-12-01T12:00:00.700Z');
const options = { now, validityPeriods: defaultValidityPeriods, keyAlgorithm: 'ECDSA-P256' } as const;
const caRequest = certificateRequest(certificateRow('ca'), usualFacts, options);
const leafRequest = certificateRequest(certificateRow('apiserver'), usualFacts, options);

/** What openssl prints, without the parts that are new each time. */
function print(pem: string): string {
  return openssl(
    [
      'x509',
      '-noout',
      '-text',
      '-certopt',
      'no_pubkey,no_sigdump,no_serial,no_version',
      '-nameopt',
      'RFC2253,show_type',
    ],
    pem,
  );
}

async function ownAuthority() {
  return issueCertificate(caRequest, { issuer: 'self', key: testdata('p256-sec1.key') });
}

test('a CA: usages, critical flags, order of extensions, key identifier of RFC 7093, string types', async () => {
  const { certificate, key } = await ownAuthority();
  expect(key).toBe(testdata('p256-sec1.key'));
  const keyId = openssl(['x509', '-noout', '-ext', 'subjectKeyIdentifier'], certificate).split('\n')[1]?.trim();
  expect(print(certificate)).toBe(`Certificate:
    Data:
        Signature Algorithm: ecdsa-with-SHA256
        Issuer: CN=PRINTABLESTRING:kubernetes
        Validity
            Not Before: Dec  1 11:55:00 2026 GMT
            Not After : Nov 28 12:00:00 2036 GMT
        Subject: CN=PRINTABLESTRING:kubernetes
        X509v3 extensions:
            X509v3 Key Usage: critical
                Digital Signature, Key Encipherment, Certificate Sign
            X509v3 Basic Constraints: critical
                CA:TRUE
            X509v3 Subject Key Identifier: 
                ${keyId}
            X509v3 Subject Alternative Name: 
                DNS:kubernetes
`);
  const publicKeyBits = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }).subarray(26);
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', publicKeyBits)).subarray(0, 20);
  expect(keyId?.replaceAll(':', '').toLowerCase()).toBe(digest.toString('hex'));
});

test('a leaf: usages, critical flags, order of extensions, authority key identifier', async () => {
  const authority = await ownAuthority();
  const { certificate, key } = await issueCertificate(leafRequest, { issuer: authority });
  const keyId = openssl(['x509', '-noout', '-ext', 'subjectKeyIdentifier'], authority.certificate)
    .split('\n')[1]
    ?.trim();
  expect(print(certificate)).toBe(`Certificate:
    Data:
        Signature Algorithm: ecdsa-with-SHA256
        Issuer: CN=PRINTABLESTRING:kubernetes
        Validity
            Not Before: Dec  1 11:55:00 2026 GMT
            Not After : Dec  1 12:00:00 2027 GMT
        Subject: CN=PRINTABLESTRING:kube-apiserver
        X509v3 extensions:
            X509v3 Key Usage: critical
                Digital Signature, Key Encipherment
            X509v3 Extended Key Usage: 
                TLS Web Server Authentication
            X509v3 Basic Constraints: critical
                CA:FALSE
            X509v3 Authority Key Identifier: 
                ${keyId}
            X509v3 Subject Alternative Name: 
                DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, DNS:node-a, IP Address:10.96.0.1, IP Address:192.0.2.10
`);
  withFiles({ ca: authority.certificate, leaf: certificate, key }, (paths) => {
    const at = String(now.getTime() / 1000 + 1).split('.')[0] ?? '';
    expect(openssl(['verify', '-x509_strict', '-attime', at, '-CAfile', paths.ca, paths.leaf])).toContain('OK');
    expect(openssl(['pkey', '-pubout', '-in', paths.key])).toBe(
      openssl(['x509', '-noout', '-pubkey', '-in', paths.leaf]),
    );
  });
});

describe('the signature follows the key of the CA, the new key follows the request', () => {
  test.each([
    ['rsa-pkcs1.key', 'sha256WithRSAEncryption'],
    ['rsa-pkcs8.key', 'sha256WithRSAEncryption'],
    ['p256-params-first.key', 'ecdsa-with-SHA256'],
    ['p384-pkcs8.key', 'ecdsa-with-SHA384'],
    ['p521-sec1.key', 'ecdsa-with-SHA512'],
  ])('%s signs with %s', async (name, algorithm) => {
    const authority = await issueCertificate(caRequest, { issuer: 'self', key: testdata(name) });
    const { certificate } = await issueCertificate(leafRequest, { issuer: authority });
    expect(print(certificate)).toContain(`Signature Algorithm: ${algorithm}\n`);
    expect(new X509Certificate(certificate).verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(new X509Certificate(certificate).publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });
});

describe('what a foreign CA has is copied', () => {
  test.each([
    ['name-printable.crt', 'own'],
    ['name-bmp.crt', 'own'],
    ['name-order.crt', 'own'],
    ['name-multi.crt', 'own'],
    ['ski-odd.crt', '01:02:03'],
    ['ski-none.crt', 'absent'],
    ['ca-false.crt', 'own'],
    ['ca-expired.crt', 'own'],
  ])('%s: name byte by byte, key identifier %s', async (name, keyId) => {
    const issuer = { certificate: testdata(name), key: testdata('root.key') };
    const { certificate } = await issueCertificate(leafRequest, { issuer });
    const [issuerOfLeaf, subjectOfCa] = [derName(certificate, 'issuer'), derName(issuer.certificate, 'subject')];
    expect(issuerOfLeaf).toBe(subjectOfCa);
    const own = openssl(['x509', '-noout', '-ext', 'subjectKeyIdentifier'], issuer.certificate).split('\n')[1]?.trim();
    const authorityKeyId = openssl(['x509', '-noout', '-ext', 'authorityKeyIdentifier'], certificate)
      .split('\n')[1]
      ?.trim();
    expect(authorityKeyId).toBe(keyId === 'own' ? own : keyId === 'absent' ? undefined : keyId);
    expect(openssl(['x509', '-noout', '-ext', 'subjectKeyIdentifier'], certificate)).not.toContain('X509v3');
  });

  /** DER of a name, cut out by openssl from its printed structure: 4th and 6th element of the signed part (RFC 5280 4.1). */
  function derName(pem: string, which: 'issuer' | 'subject'): string {
    const elements = openssl(['asn1parse'], pem)
      .split('\n')
      .filter((line) => /:d=2 /.test(line));
    const [, offset = '', headerLength = '', length = ''] =
      /^ *(\d+):d=2 +hl=(\d+) l= *(\d+)/.exec(elements[which === 'issuer' ? 3 : 5] ?? '') ?? [];
    const der = Buffer.from(pem.replace(/-----[^-]*-----|\s/g, ''), 'base64');
    return der.subarray(Number(offset), Number(offset) + Number(headerLength) + Number(length)).toString('hex');
  }

  const commonName = Buffer.from('0603550403', 'hex');
  const attribute = (tag: number, value: string, type: Uint8Array = commonName) =>
    derElement(derTags.sequence, type, derElement(tag, Buffer.from(value, 'latin1')));
  const rdn = (...attributes: readonly Uint8Array[]) => derElement(0x31, ...attributes);
  const email = Buffer.from('06092a864886f70d010901', 'hex');
  const domainComponent = Buffer.from('060a0992268993f22c640119', 'hex');

  test.each([
    ['TeletexString with a letter of Latin-1', [rdn(attribute(0x14, 'M\u00fcller'))]],
    ['BMPString', [rdn(attribute(0x1e, '\0B\0\u00fc'))]],
    ['NumericString', [rdn(attribute(0x12, '12 34'))]],
    ['IA5String', [rdn(attribute(0x16, 'ca@example.com', email)), rdn(attribute(0x16, 'example', domainComponent))]],
    ['UTF8String with blanks around', [rdn(attribute(0x0c, ' kubernetes  '))]],
    ['a set whose members are not in the order of DER', [rdn(attribute(0x0c, 'b'), attribute(0x0c, 'a'))]],
    ['no name at all', []],
  ])('%s in the name of the CA', async (_, rdns) => {
    const name = derElement(derTags.sequence, ...rdns);
    const key = testdata('p256-sec1.key');
    const signer = await parsePrivateKey(key);
    const parts = {
      publicKey: signer.publicKeyInfo,
      subject: name,
      issuer: name,
      subjectKey: Uint8Array.of(1, 2).buffer,
    };
    const authority = { certificate: await signCertificate(caRequest, parts, signer), key };
    const { certificate } = await issueCertificate(leafRequest, { issuer: authority });
    expect(derName(certificate, 'issuer')).toBe(Buffer.from(name).toString('hex'));
    expect(new X509Certificate(certificate).verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    const at = new Date(now.getTime() + 1000);
    const subject = { artifact: 'leaf', certificate, issuerCertificates: authority.certificate, now: at };
    expect(
      await verifyCertificate({ ...subject, expected: expectationOf(certificateRow('apiserver'), usualFacts) }),
    ).toEqual([]);
  });

  test('the first certificate of a bundle is the issuer', async () => {
    const issuer = { certificate: testdata('issuing.crt') + testdata('root.crt'), key: testdata('issuing.key') };
    const { certificate } = await issueCertificate(leafRequest, { issuer });
    expect(new X509Certificate(certificate).checkIssued(new X509Certificate(testdata('issuing.crt')))).toBe(true);
  });
});

test('no authority key identifier where issuer and subject have one name, as in Go', async () => {
  const authority = await ownAuthority();
  const request = { ...leafRequest, subject: { commonName: 'kubernetes', organizations: [] } };
  const { certificate } = await issueCertificate(request, { issuer: authority });
  expect(print(certificate)).not.toContain('Authority Key Identifier');
});

test('an intermediate CA has its own key identifier and that of its issuer', async () => {
  const { certificate } = await issueCertificate(
    { ...caRequest, subject: { commonName: 'sub', organizations: [] } },
    { issuer: await ownAuthority() },
  );
  expect(print(certificate)).toMatch(
    /CA:TRUE\n +X509v3 Subject Key Identifier: \n.*\n +X509v3 Authority Key Identifier:/,
  );
});

describe('subject', () => {
  test.each([
    [
      'one group',
      'kubernetes-admin',
      ['kubeadm:cluster-admins'],
      'CN=PRINTABLESTRING:kubernetes-admin,O=PRINTABLESTRING:kubeadm:cluster-admins',
    ],
    [
      'several groups make one sorted set',
      'x',
      ['bb', 'a', 'c'],
      'CN=PRINTABLESTRING:x,O=PRINTABLESTRING:bb+O=PRINTABLESTRING:c+O=PRINTABLESTRING:a',
    ],
    ['not printable', 'a_b', ['ü'], 'CN=UTF8STRING:a_b,O=UTF8STRING:\\C3\\BC'],
    ['special characters', '#a, "b" \\c+d=e', [], 'CN=UTF8STRING:\\#a\\, \\"b\\" \\\\c\\+d=e'],
  ])('%s', async (_, commonName, organizations, expected) => {
    const request = { ...leafRequest, subject: { commonName, organizations } };
    const { certificate } = await issueCertificate(request, { issuer: await ownAuthority() });
    const subject = openssl(['x509', '-noout', '-subject', '-nameopt', 'RFC2253,show_type'], certificate);
    // openssl prints a set from its last member to its first; DER puts shorter members first.
    expect(subject.replace(/^subject=/, '').trim()).toBe(expected);
  });
});

test('times after 2049 are GeneralizedTime, and none has fractions of a second', async () => {
  const request = {
    ...caRequest,
    notBefore: new Date('2049-12-31T23:59:59.999Z'),
    notAfter: new Date('2050-01-01T00:00:00.999Z'),
  };
  const { certificate } = await issueCertificate(request, { issuer: 'self', key: testdata('p256-sec1.key') });
  const times = openssl(['asn1parse'], certificate)
    .split('\n')
    .filter((line) => line.includes('TIME'));
  expect(times.map((line) => line.replace(/^.*prim: /, '').replace(/ +/g, ' '))).toEqual([
    'UTCTIME :491231235959Z',
    'GENERALIZEDTIME :20500101000000Z',
  ]);
});

test('usages of the key that are asked for take the place of the usual ones', async () => {
  const request: CertificateRequest = { ...leafRequest, keyUsages: ['digitalSignature'] };
  const { certificate } = await issueCertificate(request, { issuer: await ownAuthority() });
  const text = openssl(['x509', '-noout', '-ext', 'keyUsage'], certificate);
  expect(text).toBe('X509v3 Key Usage: critical\n    Digital Signature\n');
});

test('addresses have 4 and 16 octets', async () => {
  const request: CertificateRequest = {
    ...leafRequest,
    sans: { dnsNames: [], ipAddresses: ['192.0.2.7', '2001:db8::1', '::', '0.0.0.0'] },
  };
  const { certificate } = await issueCertificate(request, { issuer: await ownAuthority() });
  const san = openssl(['asn1parse'], certificate)
    .split('\n')
    .find((line) => line.includes('[HEX DUMP]') && line.includes('8704C0000207'));
  expect(san).toContain(
    '8704C0000207871020010DB800000000000000000000000187100000000000000000000000000000000087040' + '0000000',
  );
});

test('a signing request is answered without its private key', async () => {
  const signingRequest = await createSigningRequest(leafRequest, testdata('rsa-other.key'));
  const { subject, sans, publicKey } = await readSigningRequest(signingRequest);
  const issuer = { certificate: testdata('root.crt'), key: testdata('root.key') };
  const certificate = await certifyPublicKey({ ...leafRequest, subject, sans }, publicKey, issuer);
  expect(await isPair(certificate, testdata('rsa-other.key'))).toBe(true);
  expect(new X509Certificate(certificate).verify(new X509Certificate(issuer.certificate).publicKey)).toBe(true);
  await expect(certifyPublicKey(leafRequest, testdata('root.crt'), issuer)).rejects.toMatchObject({
    code: 'PKI_KEY_UNREADABLE',
  });
});

describe('refusals', () => {
  test('a CA key that is not the CA certificate’s', async () => {
    const issuer = { certificate: testdata('root.crt'), key: testdata('p384-sec1.key') };
    await expect(issueCertificate(leafRequest, { issuer })).rejects.toMatchObject({ code: 'PKI_ISSUER_KEY_MISMATCH' });
  });
  test('no common name', async () => {
    const request = { ...leafRequest, subject: { commonName: '', organizations: ['x'] } };
    await expect(issueCertificate(request, { issuer: 'self' })).rejects.toMatchObject({
      code: 'PKI_REQUEST_INCOMPLETE',
    });
  });
  test('a leaf without usage', async () => {
    const request = { ...leafRequest, extendedKeyUsages: [], sans: noSubjectAlternativeNames };
    await expect(issueCertificate(request, { issuer: 'self' })).rejects.toMatchObject({
      code: 'PKI_REQUEST_INCOMPLETE',
    });
  });
});
