import { stringifyKubeconfig } from '@groundplane/kubeconfig';
import type { MemoryContent } from '@groundplane/phases/testing';
import { describe, expect, test } from 'vitest';
import { joinWorld, kubeletKubeconfig, paths, token } from '../test/join-world.ts';
import { kubeconfigFactsOf } from './init-context.ts';
import { workerExchange } from './worker-exchange.ts';

const place = { workingDirectory: '/root', kubeconfigDirectory: '/etc/kubernetes' };
const joining = (discovery: string, more = '') =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: ${discovery}\n${more}`;
const byToken = `{bootstrapToken: {token: ${token}, apiServerEndpoint: "192.0.2.2:6443", unsafeSkipCAVerification: true}}`;

/** As `certs requests` leaves it, without its certificate. */
const waiting = stringifyKubeconfig({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'kubernetes', cluster: { server: 'https://192.0.2.4:6443' } }],
  contexts: [{ name: 'c', context: { cluster: 'kubernetes', user: 'u' } }],
  'current-context': 'c',
  users: [{ name: 'u', user: { 'client-key-data': 'eA==' } }],
});

describe('what a worker asks a CA for', () => {
  test.each<[string, object, Readonly<Record<string, MemoryContent>>, string]>([
    ['the argument', { endpoint: '192.0.2.1:6443', configText: joining(byToken) }, {}, '192.0.2.1:6443'],
    ['the configuration', { configText: joining(byToken) }, { [paths.kubeconfig]: waiting }, '192.0.2.2:6443'],
    [
      'the file of the configuration',
      { configText: joining('{file: {kubeConfigPath: conf}, tlsBootstrapToken: ""}') },
      { '/root/conf': kubeletKubeconfig({ server: 'https://[2001:db8::1]' }) },
      '[2001:db8::1]:443',
    ],
    ['the kubelet.conf that waits', {}, { [paths.kubeconfig]: waiting }, '192.0.2.4:6443'],
  ])('is for the server that is told by %s', async (_, request, files, server) => {
    const { context } = await workerExchange({ ...place, ...request, ports: joinWorld({ files }) });
    expect(context.cluster.controlPlaneEndpoint).toBe(server);
    expect(kubeconfigFactsOf(context).nodeName).toBe('node-b');
  });

  test('is for the name and the folder of the configuration', async () => {
    const more = 'caCertPath: /srv/pki/ca.crt\nnodeRegistration: {name: Other}\n';
    const { context } = await workerExchange({ ...place, configText: joining(byToken, more), ports: joinWorld() });
    expect([kubeconfigFactsOf(context).nodeName, context.cluster.certificatesDir]).toEqual(['other', '/srv/pki']);
  });

  test.each([
    ['nothing tells of a server', {}, 'BOOTSTRAP_SERVER_UNKNOWN'],
    ['the server is none', { endpoint: 'a b' }, 'KUBECONFIG_ENDPOINT_INVALID'],
  ])('is not known where %s', async (_, request, code) => {
    await expect(workerExchange({ ...place, ...request, ports: joinWorld() })).rejects.toMatchObject({ code });
  });
});
