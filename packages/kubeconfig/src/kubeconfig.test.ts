import { describe, expect, test } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { currentContextOf } from './current-context.ts';
import { buildKubeconfig, parseKubeconfig, stringifyKubeconfig } from './kubeconfig.ts';

const [certificateAuthority, clientCertificate, clientKey] = ['root.crt', 'leaf-of-root.crt', 'p256-sec1.key'].map(
  testdata,
);
const base64 = (text: string | undefined) => Buffer.from(text ?? '').toString('base64');
const admin = { clusterName: 'kubernetes', server: 'https://192.0.2.10:6443', user: 'kubernetes-admin' };

describe('the text is kubeadm’s', () => {
  test('with a client certificate', () => {
    const text = stringifyKubeconfig(buildKubeconfig({ ...admin, certificateAuthority, clientCertificate, clientKey }));
    expect(text).toBe(`apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${base64(certificateAuthority)}
    server: https://192.0.2.10:6443
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: kubernetes-admin
  name: kubernetes-admin@kubernetes
current-context: kubernetes-admin@kubernetes
kind: Config
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ${base64(clientCertificate)}
    client-key-data: ${base64(clientKey)}
`);
  });

  test('with a token that a YAML 1.1 reader would take for a number', () => {
    const parts = {
      ...admin,
      user: 'tls-bootstrap-token-user',
      certificateAuthority,
      token: '012345.0123456789012345',
    };
    const text = stringifyKubeconfig(buildKubeconfig(parts));
    expect(text).toMatch(
      /\nusers:\n- name: tls-bootstrap-token-user\n {2}user:\n {4}token: ["']?012345\.0123456789012345["']?\n$/,
    );
    expect(currentContextOf(parseKubeconfig(text)).token).toBe(parts.token);
  });

  test('without a CA and a certificate, as `certs generate-csr` leaves it', () => {
    const text = stringifyKubeconfig(buildKubeconfig({ ...admin, clientKey }));
    expect(text).not.toMatch(/certificate-authority|client-certificate/);
    expect(text).toContain(`client-key-data: ${base64(clientKey)}\n`);
  });
});

describe('parseKubeconfig', () => {
  const document = buildKubeconfig({ ...admin, certificateAuthority, clientCertificate, clientKey });

  test('undoes stringifyKubeconfig, and reads JSON', () => {
    expect(parseKubeconfig(stringifyKubeconfig(document))).toEqual(document);
    expect(parseKubeconfig(JSON.stringify(document))).toEqual(document);
  });

  test('keeps what it does not know', () => {
    const more = { ...document, preferences: { colors: true }, extensions: [] };
    expect(parseKubeconfig(JSON.stringify(more))).toEqual(more);
  });

  test('apiVersion, kind and lists may be absent', () => {
    expect(parseKubeconfig('current-context: x')).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [],
      contexts: [],
      users: [],
      'current-context': 'x',
    });
  });

  test.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['a certificate', testdata('root.crt')],
    ['another kind', 'kind: Pod'],
    ['clusters as a mapping', 'clusters: {a: b}'],
    ['an entry without mapping', 'clusters: [a]'],
    ['a cluster that is a text', 'clusters: [{name: a, cluster: b}]'],
    ['a server that is a number', 'clusters: [{name: a, cluster: {server: 1}}]'],
    ['two clusters of one name', 'clusters: [{name: a}, {name: a}]'],
    ['broken YAML', 'clusters: ['],
  ])('refuses %s', (_, text) => {
    expect(() => parseKubeconfig(text)).toThrow(expect.objectContaining({ code: 'KUBECONFIG_UNREADABLE' }));
  });

  test.each([
    ['a mapping', 'kind: {a: b}', 'kind Config: v1, a object'],
    ['a list', 'apiVersion: [s3cret]', 'kind Config: a list, Config'],
    ['a long text', `kind: s3cr${'et'.repeat(40)}`, 'kind Config: v1, s3cr…'],
  ])('does not quote what stands in the place of the kind: %s', (_, text, says) => {
    expect(() => parseKubeconfig(text)).toThrow(says);
  });
});

describe('currentContextOf', () => {
  test.each(['{cluster: c}', '{cluster: c, user: null}'])('reads a context without a user: %s', (context) => {
    const text = `clusters: [{name: c}]\ncontexts: [{name: a, context: ${context}}]\ncurrent-context: a`;
    expect(currentContextOf(parseKubeconfig(text))).toMatchObject({ user: '', hasCredentials: false });
  });

  const document = buildKubeconfig({ ...admin, certificateAuthority, clientCertificate, clientKey });

  test('takes the current context apart', () => {
    expect(currentContextOf(document)).toEqual({
      name: 'kubernetes-admin@kubernetes',
      cluster: 'kubernetes',
      user: 'kubernetes-admin',
      server: 'https://192.0.2.10:6443',
      certificateAuthority,
      clientCertificate,
      clientKey,
      token: undefined,
      files: [],
      hasCredentials: true,
    });
  });

  test('names the files that it needs and takes their contents', () => {
    const text = `
clusters: [{name: c, cluster: {certificate-authority: /pki/ca.crt, server: 'https://x:1'}}]
contexts: [{name: a, context: {cluster: c, user: u}}]
current-context: a
users: [{name: u, user: {client-certificate: /pem, client-key: /pem}}]
`;
    const current = currentContextOf(parseKubeconfig(text), { '/pem': 'both' });
    expect(current).toMatchObject({
      certificateAuthority: undefined,
      clientCertificate: 'both',
      clientKey: 'both',
      hasCredentials: true,
    });
    expect(current.files).toEqual(['/pki/ca.crt', '/pem', '/pem']);
  });

  test.each([
    ['no current context', { ...document, 'current-context': '' }],
    ['an unknown context', { ...document, 'current-context': 'x' }],
    ['an unknown cluster', { ...document, clusters: [] }],
  ])('refuses %s', (_, broken) => {
    expect(() => currentContextOf(broken)).toThrow(expect.objectContaining({ code: 'KUBECONFIG_CONTEXT_MISSING' }));
  });

  test.each([
    ['nothing', {}, false],
    ['a key alone', { 'client-key-data': 'YQ==' }, false],
    ['certificate and key', { 'client-certificate': 'a', 'client-key': 'b' }, true],
    ['a token', { token: 'a' }, true],
    ['a plugin', { exec: { command: 'x' } }, true],
    ['user name and password', { username: 'a', password: 'b' }, true],
    ['a user name alone', { username: 'a' }, false],
  ])('credentials: %s', (_, user, expected) => {
    const name = document.users[0]?.name ?? '';
    expect(currentContextOf({ ...document, users: [{ name, user }] }).hasCredentials).toBe(expected);
  });
});
