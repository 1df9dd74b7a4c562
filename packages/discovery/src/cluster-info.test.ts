import { describe, expect, it } from 'vitest';
import { testdata } from '../test/testdata.ts';
import { clusterInfo, readClusterInfo, readClusterLocation } from './cluster-info.ts';
import { pinsOf } from './public-key-pins.ts';

const server = 'https://192.0.2.10:6443';
const ca = testdata('ca.crt');
const kubeconfigOf = (location: { server: string; certificateAuthority: string }) =>
  clusterInfo(location).data?.kubeconfig ?? '';
const good = kubeconfigOf({ server, certificateAuthority: ca });

it('cluster-info is the ConfigMap that everybody can read', () => {
  expect(clusterInfo({ server, certificateAuthority: ca })).toMatchObject({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'kube-public', name: 'cluster-info' },
  });
});

describe('kubeadm’s own cluster-info, of its dry run', () => {
  const theirs = testdata('dry-run-kubeconfig.yaml');

  it('is read, and its CA has the pin that kubeadm gives for it', async () => {
    const location = readClusterLocation(theirs);
    expect(location.server).toBe('https://192.168.0.101:6443');
    expect(await pinsOf(location.certificateAuthority)).toEqual([
      'sha256:3b793efefe27a19f93b0fbe6e637e9c41d0dde8a377d6ab1c0f656bf1136dd8a',
    ]);
  });

  it('has the bytes that we write', () => {
    expect(kubeconfigOf(readClusterLocation(theirs))).toBe(theirs);
  });
});

it('signatures are told by the id of their token', () => {
  const info = readClusterInfo({ data: { kubeconfig: good, 'jws-kubeconfig-abcdef': 'a..b', other: 'x' } });
  expect(info).toEqual({ kubeconfig: good, signatures: new Map([['abcdef', 'a..b']]) });
  expect(readClusterInfo({})).toEqual({ kubeconfig: '', signatures: new Map() });
});

describe('readClusterLocation', () => {
  const base64 = Buffer.from(ca).toString('base64');
  const config = (more: object) => JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...more });
  const named = (name: string, cluster: object) => ({ clusters: [{ name, cluster }] });
  const cluster = { server, 'certificate-authority-data': base64 };
  const context = { contexts: [{ name: 'x', context: { cluster: 'k', user: '' } }], 'current-context': 'x' };

  it.each([
    ['the cluster without name', good],
    ['that of the current context', config({ ...named('k', cluster), ...context })],
    ['a user without anything', config({ ...named('', cluster), users: [{ name: 'u', user: {} }] })],
    ['a user of empty texts', config({ ...named('', cluster), users: [{ name: 'u', user: { token: '' } }] })],
    ['several CA certificates', kubeconfigOf({ server, certificateAuthority: ca + testdata('other-ca.crt') })],
  ])('takes %s', (_, text) => {
    expect(readClusterLocation(text)).toMatchObject({ server, certificateAuthority: expect.stringContaining(ca) });
  });

  it.each([
    ['a token', { token: 'abcdef.0123456789abcdef' }],
    ['a client certificate', { 'client-certificate-data': 'YQ==' }],
    ['the path of a key', { 'client-key': '/etc/kubernetes/pki/ca.key' }],
    ['a password', { username: 'admin', password: 'TopSecret' }],
    ['a program to run', { exec: { command: '/bin/sh', args: ['-c', 'id'], apiVersion: 'v1' } }],
    ['a field that is not known', { something: 'else' }],
  ])('refuses credentials: %s', (_, user) => {
    const text = config({ ...named('', cluster), users: [{ name: 'u', user }] });
    expect(() => readClusterLocation(text)).toThrow(
      expect.objectContaining({ code: 'DISCOVERY_CREDENTIALS_INSIDE', kind: 'refused' }),
    );
    expect(() => readClusterLocation(text)).not.toThrow(/TopSecret|0123456789abcdef/);
  });

  it.each([
    ['no YAML', '{', 'its kubeconfig is not readable'],
    ['another kind', JSON.stringify({ kind: 'ConfigMap' }), 'its kubeconfig is not readable'],
    ['no cluster', config({}), 'it names no cluster'.slice(3)],
    ['a cluster that no context names', config(named('k', cluster)), 'names no cluster'],
    ['no server', config(named('', { 'certificate-authority-data': base64 })), "no https URL of a host and a port: ''"],
    ['a server without TLS', config(named('', { ...cluster, server: 'http://192.0.2.10:6443' })), 'no https URL'],
    ['a server that is no URL', config(named('', { ...cluster, server: 'https://a b:6443' })), 'no https URL'],
    ['no CA', config(named('', { server })), 'no CA certificate'],
    ['a CA in a file', config(named('', { server, 'certificate-authority': '/ca.crt' })), 'no CA certificate'],
    ['a CA that is no base64', config(named('', { ...cluster, 'certificate-authority-data': '*' })), 'must be base64'],
    [
      'a CA that is no PEM',
      config(named('', { ...cluster, 'certificate-authority-data': 'YQ==' })),
      'no CA certificate',
    ],
  ])('refuses %s', (_, text, why) => {
    expect(() => readClusterLocation(text)).toThrow(
      expect.objectContaining({ code: 'DISCOVERY_CLUSTER_INFO_INVALID', message: expect.stringContaining(why) }),
    );
  });
});
