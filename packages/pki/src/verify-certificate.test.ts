import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { testdata, usualFacts, withFiles } from '../test/testdata.ts';
import { certificateRow } from './certificate-table.ts';
import type { PkiFindingCode } from './error-codes.ts';
import {
  type CertificateExpectation,
  type CertificateToVerify,
  expectationOf,
  verifyCertificate,
} from './verify-certificate.ts';

const now = new Date('2026-12-01T12:00:00Z');
const noNames = { dnsNames: [], ipAddresses: [] };
const apiserver = expectationOf(certificateRow('apiserver'), usualFacts);

/** Findings as `severity code`. */
async function verdict(
  subject: Omit<CertificateToVerify, 'artifact' | 'now'> & { readonly now?: Date },
): Promise<readonly string[]> {
  const findings = await verifyCertificate({ artifact: 'pki/apiserver.crt', now, ...subject });
  for (const { artifact, message } of findings) {
    expect(artifact).toBe('pki/apiserver.crt');
    expect(message).toMatch(/^Cannot .* as .*/);
  }
  return findings.map(({ severity, code }) => `${severity} ${code}`);
}

/** What `openssl verify` says with the first certificate of `ca` as anchor. */
function opensslTrusts(leaf: string, ca: string, at: Date): boolean {
  const [first = '', ...intermediates] = leaf.split(/(?<=-----END CERTIFICATE-----\n)/);
  const [anchor = ''] = ca.split(/(?<=-----END CERTIFICATE-----\n)/);
  return withFiles({ first, anchor, intermediates: intermediates.join('') }, (paths) => {
    const untrusted = intermediates.length > 0 ? ['-untrusted', paths.intermediates] : [];
    const seconds = String(Math.floor(at.getTime() / 1000));
    try {
      execFileSync(
        'openssl',
        ['verify', '-partial_chain', '-attime', seconds, '-CAfile', paths.anchor, ...untrusted, paths.first],
        { stdio: 'pipe' },
      );
      return true;
    } catch {
      return false;
    }
  });
}

describe('trust, with openssl as second opinion', () => {
  const untrusted: PkiFindingCode = 'PKI_CERTIFICATE_UNTRUSTED';
  const late: PkiFindingCode = 'PKI_ISSUER_OUTSIDE_VALIDITY';
  const early = ['ca-future'];
  test.each<[string, readonly string[], readonly string[], PkiFindingCode | undefined]>([
    ['signed by the CA', ['leaf-of-root'], ['root'], undefined],
    ['CA file is the issuing CA', ['leaf-of-issuing'], ['issuing'], undefined],
    ['CA file is issuing and root', ['leaf-of-issuing'], ['issuing', 'root'], undefined],
    ['intermediate behind the leaf', ['leaf-of-issuing', 'issuing'], ['root'], undefined],
    ['intermediate and root behind the leaf', ['leaf-of-issuing', 'issuing', 'root'], ['root'], undefined],
    ['intermediate missing', ['leaf-of-issuing'], ['root'], untrusted],
    ['intermediate behind the root in the CA file', ['leaf-of-issuing'], ['root', 'issuing'], untrusted],
    ['the anchor itself', ['root'], ['root'], undefined],
    ['RSA-PSS signature', ['leaf-pss'], ['below'], undefined],
    ['another CA', ['leaf-of-root'], ['issuing'], untrusted],
    ['a CA of the same name with another key', ['leaf-of-root'], ['impostor'], untrusted],
    ['path length exceeded', ['leaf-of-below', 'below', 'issuing'], ['root'], untrusted],
    ['path length counts below the anchor only', ['leaf-of-below'], ['below'], undefined],
    ['the CA says it is none', ['leaf-of-root'], ['ca-false'], untrusted],
    ['the CA has no basic constraints', ['leaf-of-root'], ['ca-no-basic-constraints'], untrusted],
    ['the CA may not sign certificates', ['leaf-of-root'], ['ca-no-cert-sign'], untrusted],
    ['the CA does not restrict its key usage', ['leaf-of-root'], ['ca-no-key-usage'], undefined],
    ['names outside the constraints of the CA', ['leaf-of-root'], ['ca-name-constraints'], untrusted],
    ['names inside the constraints of the CA', ['leaf-of-root'], ['ca-name-constraints-met'], undefined],
    ['a critical extension that nobody knows', ['leaf-of-root'], ['ca-critical-unknown'], untrusted],
    ['the CA has expired', ['leaf-of-root'], ['ca-expired'], late],
    ['the CA is not valid yet', ['leaf-of-root'], early, late],
  ])('%s', async (_, leaf, ca, code) => {
    const [certificate, issuerCertificates] = [leaf, ca].map((names) =>
      names.map((name) => testdata(`${name}.crt`)).join(''),
    );
    if (certificate === undefined || issuerCertificates === undefined) throw new Error('nothing to verify');
    const expected: CertificateExpectation = {
      ...apiserver,
      subjectRole: 'free',
      extendedKeyUsages: [],
      sans: noNames,
      requiredSans: noNames,
    };
    expect(await verdict({ certificate, issuerCertificates, expected })).toEqual(
      code === undefined ? [] : [`${ca === early ? 'warning' : 'error'} ${code}`],
    );
    expect(opensslTrusts(certificate, issuerCertificates, now)).toBe(code === undefined);
  });

  test.each([
    ['ca-no-cert-sign', 'warning'],
    ['ca-name-constraints', 'warning'],
    ['impostor', 'error'],
  ])('where the caller takes an unfit CA, %s is a matter of %s', async (ca, severity) => {
    const subject = { certificate: testdata('leaf-of-root.crt'), issuerCertificates: testdata(`${ca}.crt`) };
    expect(await verdict({ ...subject, expected: apiserver, unfitIssuer: 'warning' })).toEqual([
      `${severity} PKI_CERTIFICATE_UNTRUSTED`,
    ]);
  });

  test('with all certificates of the CA file as anchors, an issuing CA may stand anywhere in it', async () => {
    const issuerCertificates = testdata('root.crt') + testdata('issuing.crt');
    expect(
      await verdict({
        certificate: testdata('leaf-of-issuing.crt'),
        issuerCertificates,
        anchors: 'all',
        expected: apiserver,
      }),
    ).toEqual([]);
  });

  test('SHA-1 signatures are refused although openssl takes them, as Go does', async () => {
    const issuerCertificates = testdata('root.crt');
    const certificate = testdata('leaf-sha1.crt');
    const [finding] = await verifyCertificate({
      artifact: 'x',
      now,
      certificate,
      issuerCertificates,
      expected: apiserver,
    });
    expect(finding).toMatchObject({ code: 'PKI_CERTIFICATE_UNTRUSTED', message: expect.stringContaining('SHA-1') });
  });

  test('a CA file that is none', async () => {
    const subject = { certificate: testdata('leaf-of-root.crt'), issuerCertificates: 'x', expected: apiserver };
    expect(await verdict(subject)).toEqual(['error PKI_CERTIFICATE_UNTRUSTED']);
  });

  test('a forged name breaks the signature', async () => {
    const der = Buffer.from(testdata('leaf-of-root.crt').replace(/-----[^-]*-----|\s/g, ''), 'base64');
    const forged = Buffer.from(der.toString('latin1').replace('node-a', 'node-b'), 'latin1').toString('base64');
    const certificate = `-----BEGIN CERTIFICATE-----\n${forged}\n-----END CERTIFICATE-----\n`;
    expect(await verdict({ certificate, issuerCertificates: testdata('root.crt'), expected: apiserver })).toEqual([
      'error PKI_CERTIFICATE_UNTRUSTED',
      'warning PKI_SAN_MISSING',
    ]);
  });
});

test('more certificates than a component takes are refused where one signs, and nowhere else', async () => {
  const ca = {
    certificate: testdata('root.crt') + testdata('issuing.crt'),
    expected: expectationOf(certificateRow('front-proxy-ca'), usualFacts),
  };
  expect(await verdict(ca)).toEqual([]);
  expect(await verdict({ ...ca, soleFor: 'kube-controller-manager' })).toEqual(['error PKI_CERTIFICATE_NOT_ALONE']);
  expect(await verdict({ ...ca, certificate: testdata('root.crt'), soleFor: 'kube-controller-manager' })).toEqual([]);
});

describe('validity', () => {
  test.each<[string, string, readonly string[]]>([
    ['leaf-of-root.crt', '2020-01-01T00:00:00Z', []],
    ['leaf-of-root.crt', '2049-12-01T00:00:00Z', []],
    [
      'leaf-of-root.crt',
      '2049-12-01T00:00:00.001Z',
      ['error PKI_CERTIFICATE_EXPIRED', 'error PKI_ISSUER_OUTSIDE_VALIDITY'],
    ],
    ['leaf-expired.crt', '2026-12-01T12:00:00Z', ['error PKI_CERTIFICATE_EXPIRED']],
    ['leaf-future.crt', '2026-12-01T12:00:00Z', ['error PKI_CERTIFICATE_NOT_YET_VALID']],
    [
      'leaf-of-root.crt',
      '2019-12-01T12:00:00Z',
      ['warning PKI_CERTIFICATE_NOT_YET_VALID', 'warning PKI_ISSUER_OUTSIDE_VALIDITY'],
    ],
  ])('%s at %s', async (name, at, expected) => {
    const subject = {
      certificate: testdata(name),
      issuerCertificates: testdata('root.crt'),
      expected: apiserver,
      now: new Date(at),
    };
    expect(await verdict(subject)).toEqual(expected);
  });
});

describe('a CA', () => {
  const expected = expectationOf(certificateRow('ca'), usualFacts);
  test.each<[string, readonly string[]]>([
    ['root.crt', []],
    ['issuing.crt', []],
    ['ca-no-key-usage.crt', []],
    ['ca-name-constraints.crt', []],
    ['ca-client-only.crt', ['warning PKI_USAGE_MISSING']],
    ['ca-expired.crt', ['warning PKI_CERTIFICATE_EXPIRED']],
    ['ca-future.crt', ['warning PKI_CERTIFICATE_NOT_YET_VALID']],
    ['ca-no-cert-sign.crt', ['warning PKI_CERTIFICATE_CANNOT_SIGN']],
    ['ca-false.crt', ['error PKI_CERTIFICATE_NOT_CA']],
    ['ca-no-basic-constraints.crt', ['error PKI_CERTIFICATE_NOT_CA']],
  ])('%s: %j', async (name, findings) => {
    expect(await verdict({ certificate: testdata(name), expected })).toEqual(findings);
  });

  test('its key is compared', async () => {
    expect(await verdict({ certificate: testdata('root.crt'), key: testdata('root.key'), expected })).toEqual([]);
    expect(await verdict({ certificate: testdata('root.crt'), key: testdata('p256-pkcs8.key'), expected })).toEqual([]);
  });
});

describe('a leaf', () => {
  const good = {
    certificate: testdata('leaf-of-root.crt'),
    key: testdata('p256-sec1.key'),
    issuerCertificates: testdata('root.crt'),
    expected: apiserver,
  };
  const withFacts = (facts: Partial<Parameters<typeof expectationOf>[1]>) =>
    expectationOf(certificateRow('apiserver'), { ...usualFacts, ...facts });
  const row = (name: Parameters<typeof certificateRow>[0]) => expectationOf(certificateRow(name), usualFacts);

  test.each<[string, Partial<typeof good>, readonly string[]]>([
    ['as expected', {}, []],
    ['another key', { key: testdata('rsa-other.key') }, ['error PKI_KEY_MISMATCH']],
    ['a key that cannot be read', { key: testdata('encrypted-sec1.key') }, ['error PKI_KEY_UNREADABLE']],
    ['no certificate', { certificate: '' }, ['error PKI_CERTIFICATE_UNREADABLE']],
    [
      'a cut certificate',
      { certificate: testdata('leaf-of-root.crt').slice(0, 300) },
      ['error PKI_CERTIFICATE_UNREADABLE'],
    ],
    [
      'a damaged certificate',
      { certificate: '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n' },
      ['error PKI_CERTIFICATE_UNREADABLE'],
    ],
    ['node name missing', { expected: withFacts({ nodeName: 'node-b' }) }, ['warning PKI_SAN_MISSING']],
    [
      'an extra name missing',
      { expected: withFacts({ apiServerCertSANs: ['new.example.com'] }) },
      ['warning PKI_SAN_MISSING'],
    ],
    [
      'advertise address missing',
      { expected: withFacts({ advertiseAddress: '192.0.2.11' }) },
      ['error PKI_SAN_MISSING'],
    ],
    [
      'endpoint host missing',
      { expected: withFacts({ controlPlaneEndpointHost: 'lb.example.com' }) },
      ['error PKI_SAN_MISSING'],
    ],
    [
      'first service address missing',
      { expected: withFacts({ serviceSubnet: '10.97.0.0/16' }) },
      ['error PKI_SAN_MISSING'],
    ],
    [
      'required and other names missing',
      { expected: withFacts({ advertiseAddress: '::5', nodeName: 'b' }) },
      ['error PKI_SAN_MISSING', 'warning PKI_SAN_MISSING'],
    ],
    [
      'usage missing',
      { expected: { ...apiserver, extendedKeyUsages: ['serverAuth', 'clientAuth'] } },
      ['error PKI_USAGE_MISSING'],
    ],
    [
      'a label differs',
      { expected: { ...apiserver, subject: { commonName: 'x', organizations: [] } } },
      ['warning PKI_SUBJECT_DIFFERS'],
    ],
    [
      'a user differs',
      { expected: { ...row('apiserver-kubelet-client'), extendedKeyUsages: [] } },
      ['error PKI_SUBJECT_DIFFERS'],
    ],
    [
      'a name that a flag asks for differs',
      { expected: { ...row('front-proxy-client'), extendedKeyUsages: [] } },
      ['error PKI_SUBJECT_DIFFERS'],
    ],
    [
      'a server certificate for a client',
      { expected: row('front-proxy-client') },
      ['error PKI_USAGE_MISSING', 'error PKI_SUBJECT_DIFFERS'],
    ],
    [
      'a CA in its place',
      { certificate: testdata('root.crt'), key: testdata('root.key') },
      ['warning PKI_SUBJECT_DIFFERS', 'error PKI_SAN_MISSING', 'warning PKI_SAN_MISSING'],
    ],
  ])('%s', async (_, change, findings) => {
    expect(await verdict({ ...good, ...change })).toEqual(findings);
  });

  test('the message names what is missing and what is there', async () => {
    const expected = withFacts({ controlPlaneEndpointHost: 'lb.example.com' });
    const [finding] = await verifyCertificate({ artifact: 'pki/apiserver.crt', now, ...good, expected });
    expect(finding?.message).toContain('Cannot reach the server by lb.example.com');
    expect(finding?.message).toContain('kubernetes, kubernetes.default');
    expect(finding?.hint).toContain('pki/apiserver.crt');
  });
});
