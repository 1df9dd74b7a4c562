import { clientCertificateRequest, defaultValidityPeriods, issueCertificate } from '@groundplane/pki';
import { beforeAll, describe, expect, test } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { buildKubeconfig, type KubeconfigParts, parseKubeconfig, stringifyKubeconfig } from './kubeconfig.ts';
import { type KubeconfigToVerify, verifyKubeconfig } from './verify-kubeconfig.ts';

const now = new Date('2026-12-01T12:00:00Z');
const root = { certificate: testdata('root.crt'), key: testdata('root.key') };
const issuing = { certificate: testdata('issuing.crt'), key: testdata('issuing.key') };
const subject = { commonName: 'system:node:node-a', organizations: ['system:nodes'] };
const server = 'https://192.0.2.10:6443';
const parts: Record<string, Partial<KubeconfigParts>> = {};

beforeAll(async () => {
  const client = async (name: string, change: Partial<typeof subject>, { issuer = root, at = now } = {}) => {
    const options = { now: at, validityPeriods: defaultValidityPeriods, keyAlgorithm: 'ECDSA-P256' } as const;
    const { certificate, key } = await issueCertificate(clientCertificateRequest({ ...subject, ...change }, options), {
      issuer,
    });
    parts[name] = { clientCertificate: certificate, clientKey: key };
  };
  await Promise.all([
    client('good', {}),
    client('of the issuing CA', {}, { issuer: issuing }),
    client('expired', {}, { at: new Date('2024-01-01T00:00:00Z') }),
    client('another user', { commonName: 'system:node:node-b' }),
    client('no group', { organizations: [] }),
    client('another user with all rights', { commonName: 'me', organizations: ['system:masters'] }),
  ]);
});

function text(change: Partial<KubeconfigParts>): string {
  const usual = { clusterName: 'kubernetes', server, certificateAuthority: root.certificate, user: subject.commonName };
  return stringifyKubeconfig(buildKubeconfig({ ...usual, ...change }));
}

function findingsOf(kubeconfig: string, change: Partial<KubeconfigToVerify> = {}) {
  return verifyKubeconfig({
    artifact: 'kubelet.conf',
    kubeconfig,
    certificateAuthority: root.certificate,
    server,
    subject,
    now,
    ...change,
  });
}

async function verdict(kubeconfig: string, change: Partial<KubeconfigToVerify> = {}): Promise<readonly string[]> {
  const findings = await findingsOf(kubeconfig, change);
  return findings.map(
    ({ severity, code, artifact }) => `${severity} ${code}${artifact === 'kubelet.conf' ? '' : ` ${artifact}`}`,
  );
}

describe('the client certificate', () => {
  test.each<[string, readonly string[]]>([
    ['good', []],
    ['expired', ['error PKI_CERTIFICATE_EXPIRED']],
    ['of the issuing CA', ['error PKI_CERTIFICATE_UNTRUSTED']],
    ['another user', ['error PKI_SUBJECT_DIFFERS']],
    ['no group', ['error PKI_SUBJECT_DIFFERS']],
    ['another user with all rights', ['warning PKI_SUBJECT_DIFFERS']],
  ])('%s', async (name, expected) => {
    expect(await verdict(text(parts[name] ?? {}))).toEqual(expected);
  });

  test('another key', async () => {
    expect(await verdict(text({ ...parts.good, clientKey: testdata('rsa-other.key') }))).toEqual([
      'error PKI_KEY_MISMATCH',
    ]);
  });

  test('a server certificate', async () => {
    const change = { clientCertificate: testdata('leaf-of-root.crt'), clientKey: testdata('p256-sec1.key') };
    expect(await verdict(text(change), { subjectRole: 'label' })).toEqual([
      'error PKI_USAGE_MISSING',
      'warning PKI_SUBJECT_DIFFERS',
    ]);
  });

  test('any certificate of the CA file may have signed it, as the API server has it', async () => {
    const certificateAuthority = root.certificate + issuing.certificate;
    expect(await verdict(text(parts['of the issuing CA'] ?? {}), { certificateAuthority })).toEqual([]);
  });

  test('in a file of its own, as the kubelet keeps it', async () => {
    const embedded = text({ token: 'x' });
    const rotated = embedded.replace(
      'token: x',
      'client-certificate: /pki/current.pem\n    client-key: /pki/current.pem',
    );
    expect(rotated).not.toBe(embedded);
    expect(await verdict(rotated)).toEqual(['warning KUBECONFIG_CREDENTIALS_UNJUDGED']);
    const { clientCertificate = '', clientKey = '' } = parts.good ?? {};
    expect(await verdict(rotated, { files: { '/pki/current.pem': clientCertificate + clientKey } })).toEqual([]);
    const expired = (parts.expired?.clientCertificate ?? '') + clientKey;
    expect(await verdict(rotated, { files: { '/pki/current.pem': expired } })).toEqual([
      'error PKI_CERTIFICATE_EXPIRED',
      'error PKI_KEY_MISMATCH',
    ]);
  });
});

describe('kubeadm’s rule for existing files', () => {
  test.each<[string, Partial<KubeconfigParts>, Partial<KubeconfigToVerify>, readonly string[]]>([
    [
      'another server is only a warning',
      { server: 'https://lb.example.com:6443' },
      {},
      ['warning KUBECONFIG_SERVER_DIFFERS'],
    ],
    ['another CA', { certificateAuthority: testdata('impostor.crt') }, {}, ['error KUBECONFIG_CA_DIFFERS']],
    [
      'the first CA counts',
      { certificateAuthority: issuing.certificate + root.certificate },
      {},
      ['error KUBECONFIG_CA_DIFFERS'],
    ],
    ['it may be any of the expected ones', {}, { certificateAuthority: issuing.certificate + root.certificate }, []],
    [
      'where only the first is expected, another is not ours',
      {},
      { certificateAuthority: issuing.certificate + root.certificate, expectedAuthority: 'first' },
      ['error KUBECONFIG_CA_DIFFERS'],
    ],
    ['blanks around the CA', { certificateAuthority: `\n\n${root.certificate}\n ` }, {}, []],
    ['no CA', { certificateAuthority: undefined }, {}, ['error KUBECONFIG_CA_UNREADABLE']],
    ['a CA that is none', { certificateAuthority: 'x' }, {}, ['error KUBECONFIG_CA_UNREADABLE']],
  ])('%s', async (_, change, expectation, expected) => {
    expect(await verdict(text({ ...parts.good, ...change }), expectation)).toEqual(expected);
  });

  test('a CA in a file of its own', async () => {
    const kubeconfig = text(parts.good ?? {}).replace(
      /certificate-authority-data: .*/,
      'certificate-authority: /pki/ca.crt',
    );
    expect(await verdict(kubeconfig, { files: { '/pki/ca.crt': root.certificate } })).toEqual([]);
    expect(await verdict(kubeconfig)).toEqual(['warning KUBECONFIG_CA_ELSEWHERE']);
  });

  test.each<[string, string, readonly string[]]>([
    ['no YAML', 'x: [', ['error KUBECONFIG_UNREADABLE']],
    ['empty', '', ['error KUBECONFIG_UNREADABLE']],
    ['no current context', '{}', ['error KUBECONFIG_CONTEXT_MISSING']],
  ])('%s', async (_, kubeconfig, expected) => {
    expect(await verdict(kubeconfig)).toEqual(expected);
  });

  test('data that are not base64', async () => {
    const kubeconfig = text(parts.good ?? {}).replace(/client-key-data: .*/, 'client-key-data: "!"');
    expect(await verdict(kubeconfig)).toEqual(['error KUBECONFIG_UNREADABLE']);
  });
});

const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/plugin', interactiveMode: 'Never' };
const withoutCertificate = { 'client-certificate-data': undefined, 'client-key-data': undefined };

interface Fields {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

/** A good kubeconfig with other fields in it. */
function withFields({ cluster = {}, user = {} }: Fields): string {
  const document = JSON.parse(JSON.stringify(parseKubeconfig(text(parts.good ?? {}))));
  Object.assign(document.clusters[0].cluster, cluster);
  Object.assign(document.users[0].user, user);
  return JSON.stringify(document);
}

/** By what kube-controller-manager and kubectl 1.37 do with such a file. */
describe('what else a kubeconfig can say', () => {
  test.each<[string, Fields, readonly string[]]>([
    [
      'a plain server',
      { cluster: { server: 'http://192.0.2.10:6443' } },
      ['warning SERVER_DIFFERS', 'error SERVER_PLAIN'],
    ],
    [
      'a server without scheme',
      { cluster: { server: '192.0.2.10:6443' } },
      ['warning SERVER_DIFFERS', 'error SERVER_PLAIN'],
    ],
    ['no server', { cluster: { server: '' } }, ['warning SERVER_DIFFERS', 'error SERVER_PLAIN']],
    ['a server with a path', { cluster: { server: `${server}/k8s` } }, ['warning SERVER_DIFFERS']],
    ['trust in everybody', { cluster: { 'insecure-skip-tls-verify': true } }, ['error UNUSABLE']],
    ['no trust in everybody', { cluster: { 'insecure-skip-tls-verify': false } }, []],
    ['a text as a boolean', { cluster: { 'insecure-skip-tls-verify': 'true' } }, ['error UNREADABLE']],
    ['the CA twice', { cluster: { 'certificate-authority': '/pki/ca.crt' } }, ['error UNUSABLE']],
    ['a proxy', { cluster: { 'proxy-url': 'http://me:secret@proxy.example:3128' } }, ['warning CONNECTION_UNUSUAL']],
    ['a proxy of SOCKS', { cluster: { 'proxy-url': 'socks5://proxy.example' } }, ['warning CONNECTION_UNUSUAL']],
    ['a proxy of another kind', { cluster: { 'proxy-url': 'ftp://proxy.example' } }, ['error UNUSABLE']],
    ['a proxy without scheme', { cluster: { 'proxy-url': 'proxy.example:3128' } }, ['error UNUSABLE']],
    ['another server name', { cluster: { 'tls-server-name': 'elsewhere.example' } }, ['warning CONNECTION_UNUSUAL']],
    ['no compression', { cluster: { 'disable-compression': true } }, []],
    ['a token beside', { user: { token: 'x' } }, ['warning CREDENTIALS_UNJUDGED']],
    ['a token instead', { user: { ...withoutCertificate, token: 'x' } }, ['warning CREDENTIALS_UNJUDGED']],
    ['a password beside', { user: { username: 'me', password: 'x' } }, ['warning CREDENTIALS_UNJUDGED']],
    [
      'a password instead',
      { user: { ...withoutCertificate, username: 'me', password: 'x' } },
      ['error CREDENTIALS_REFUSED', 'warning CREDENTIALS_UNJUDGED'],
    ],
    [
      'a token and a password',
      { user: { username: 'me', password: 'x', token: 'x' } },
      ['error UNUSABLE', 'warning CREDENTIALS_UNJUDGED'],
    ],
    ['a plugin beside', { user: { exec } }, ['warning CREDENTIALS_UNJUDGED']],
    ['a plugin instead', { user: { ...withoutCertificate, exec } }, ['warning CREDENTIALS_UNJUDGED']],
    [
      'a plugin without command',
      { user: { exec: { ...exec, command: '' } } },
      ['error UNUSABLE', 'warning CREDENTIALS_UNJUDGED'],
    ],
    [
      'a plugin without mode',
      { user: { exec: { ...exec, interactiveMode: undefined } } },
      ['error UNUSABLE', 'warning CREDENTIALS_UNJUDGED'],
    ],
    [
      'an older plugin without mode',
      { user: { exec: { ...exec, interactiveMode: undefined, apiVersion: `${exec.apiVersion}beta1` } } },
      ['warning CREDENTIALS_UNJUDGED'],
    ],
    [
      'a plugin of another version',
      { user: { exec: { ...exec, apiVersion: `${exec.apiVersion}alpha1` } } },
      ['error UNUSABLE', 'warning CREDENTIALS_UNJUDGED'],
    ],
    ['a plugin that is none', { user: { exec: 'plugin' } }, ['error UNREADABLE']],
    ['OpenID Connect', { user: { 'auth-provider': { name: 'oidc' } } }, ['warning CREDENTIALS_UNJUDGED']],
    [
      'a provider that is gone',
      { user: { 'auth-provider': { name: 'gcp' } } },
      ['error UNUSABLE', 'warning CREDENTIALS_UNJUDGED'],
    ],
    ['the certificate twice', { user: { 'client-certificate': '/pki/my.crt' } }, ['error UNUSABLE']],
    ['no key', { user: { 'client-key-data': undefined } }, ['error UNUSABLE', 'error CREDENTIALS_MISSING']],
    ['the name of somebody else', { user: { as: 'somebody' } }, ['error IMPERSONATES']],
    ['groups of nobody', { user: { 'as-groups': ['system:masters'] } }, ['error UNUSABLE']],
    ['no groups', { user: { 'as-groups': [], as: '' } }, []],
  ])('%s', async (_, fields, expected) => {
    const kubeconfig = withFields(fields);
    expect(JSON.stringify(await findingsOf(kubeconfig))).not.toMatch(/undefined|\[object/);
    const codes = await verdict(kubeconfig);
    expect(codes.map((code) => code.replace('KUBECONFIG_', ''))).toEqual(expected);
  });

  test('who may do everything may do it in the name of others', async () => {
    const all = 'another user with all rights';
    const kubeconfig = withFields({ user: { as: 'somebody' } }).replaceAll(
      /"client-(certificate|key)-data":"[^"]*"/g,
      (_, name: string) => {
        const pem = name === 'key' ? parts[all]?.clientKey : parts[all]?.clientCertificate;
        return `"client-${name}-data":"${Buffer.from(pem ?? '').toString('base64')}"`;
      },
    );
    expect(await verdict(kubeconfig)).toEqual(['warning KUBECONFIG_IMPERSONATES', 'warning PKI_SUBJECT_DIFFERS']);
    expect(await verdict(withFields({ user: { as: 'somebody' } }), { subjectRole: 'label' })).toEqual([
      'warning KUBECONFIG_IMPERSONATES',
    ]);
  });

  test('several contexts, of which the current one counts', async () => {
    const document = JSON.parse(withFields({}));
    document.contexts.unshift({ name: 'other', context: { cluster: 'other', user: 'other' } });
    document.clusters.unshift({ name: 'other', cluster: { server: 'http://elsewhere' } });
    expect(await verdict(JSON.stringify(document))).toEqual([]);
  });
});

test('a user without credentials, and one with a token', async () => {
  expect(await verdict(text({}))).toEqual(['error KUBECONFIG_CREDENTIALS_MISSING']);
  const token = text({ token: 'abcdef.0123456789abcdef' });
  expect(await verdict(token)).toEqual(['warning KUBECONFIG_CREDENTIALS_UNJUDGED']);
  expect(await verdict(token, { subjectRole: 'free' })).toEqual([]);
});

test('no finding shows secret bytes', async () => {
  const clientKey = testdata('rsa-other.key');
  const good = JSON.parse(withFields({ user: { password: 'hush', username: 'me', token: 'hush' } }));
  Object.assign(good.clusters[0].cluster, { server: 'https://me:hush@x', 'proxy-url': 'ftp://me:hush@y' });
  const kubeconfig = JSON.stringify(good).replace(
    /"client-key-data":"[^"]*"/,
    `"client-key-data":"${Buffer.from(clientKey).toString('base64')}"`,
  );
  const findings = await verifyKubeconfig({
    artifact: 'a',
    kubeconfig,
    certificateAuthority: root.certificate,
    server: 'x',
    subject,
    now,
  });
  expect(findings.length).toBeGreaterThan(1);
  const shown = JSON.stringify(findings);
  expect(shown).not.toContain('hush');
  for (const line of clientKey.split('\n').slice(1, -2)) expect(shown).not.toContain(line);
  expect(shown).not.toContain(Buffer.from(clientKey).toString('base64').slice(100, 140));
});
