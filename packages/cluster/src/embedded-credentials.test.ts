import { readFileSync } from 'node:fs';
import { buildKubeconfig, stringifyKubeconfig, type User } from '@groundplane/kubeconfig';
import { describe, expect, test } from 'vitest';
import { embeddedCredentials } from './embedded-credentials.ts';

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');
const certificateAuthority = pem('root.crt');
const server = 'https://192.0.2.1:6443';
const parts = { clusterName: 'a', server, certificateAuthority, user: 'b' };

function withUser(user: User, cluster: object = {}): string {
  const kubeconfig = buildKubeconfig(parts);
  return stringifyKubeconfig({
    ...kubeconfig,
    clusters: kubeconfig.clusters.map((entry) => ({ ...entry, cluster: { ...entry.cluster, ...cluster } })),
    users: [{ name: 'b', user }],
  });
}

describe('without the client library are used', () => {
  test('a client certificate', () => {
    const client = { clientCertificate: pem('leaf-of-root.crt'), clientKey: pem('p256-sec1.key') };
    const found = embeddedCredentials(stringifyKubeconfig(buildKubeconfig({ ...parts, ...client })));
    expect(found).toEqual({
      server,
      options: { ca: certificateAuthority, cert: client.clientCertificate, key: client.clientKey },
    });
  });

  test('a token', () => {
    expect(embeddedCredentials(withUser({ token: 'abcdef.0123456789abcdef\n' }))).toEqual({
      server,
      options: { ca: certificateAuthority, headers: { Authorization: 'Bearer abcdef.0123456789abcdef' } },
    });
  });

  test('a CA alone', () => {
    expect(embeddedCredentials(withUser({}))).toEqual({ server, options: { ca: certificateAuthority } });
  });
});

test.each<[string, string]>([
  ['a program', withUser({ exec: { command: 'get-token' } })],
  ['a token in a file', withUser({ tokenFile: '/token' })],
  ['a name and a password', withUser({ username: 'a', password: 'b' })],
  ['another identity', withUser({ token: 'a', as: 'somebody' })],
  ['a certificate in a file', withUser({ 'client-certificate': '/a.crt', 'client-key': '/a.key' })],
  ['a certificate without its key', withUser({ 'client-certificate-data': 'YQ==' })],
  ['a CA in a file', withUser({}, { 'certificate-authority-data': undefined, 'certificate-authority': '/ca.crt' })],
  ['no CA', withUser({}, { 'certificate-authority-data': undefined })],
  ['another name for the server', withUser({}, { 'tls-server-name': 'kubernetes' })],
  ['a proxy', withUser({}, { 'proxy-url': 'http://proxy:3128' })],
  ['no verification', withUser({}, { 'insecure-skip-tls-verify': true })],
  ['no context', withUser({}).replace('current-context: b@a', 'current-context: x')],
  ['no YAML', '{'],
])('left to the library is %s', (_, kubeconfig) => {
  expect(embeddedCredentials(kubeconfig)).toBeUndefined();
});
