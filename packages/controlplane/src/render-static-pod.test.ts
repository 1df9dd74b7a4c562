import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../test/golden-configurations.ts';
import type { ControlPlaneFacts } from './control-plane-facts.ts';
import { renderStaticPod } from './render-static-pod.ts';

const facts = factsOf({ name: 'render', cluster: {} });

/** What has no golden file: kubeadm needs a running cluster, a CA or an experimental API version for it. */
describe('renderStaticPod()', () => {
  it('names all members for an etcd that joins', () => {
    const etcdInitialCluster = [
      { name: 'node-b', peerURL: 'https://192.0.2.11:2380' },
      { name: '8e9e05c52164694d', peerURL: 'https://192.0.2.12:2380' },
      { name: 'node-a', peerURL: 'https://192.0.2.10:2380' },
    ];
    const command = renderStaticPod('etcd', { ...facts, etcdInitialCluster }).spec.containers[0]?.command;
    expect(command?.filter((word) => word.startsWith('--initial-cluster'))).toEqual([
      '--initial-cluster=node-b=https://192.0.2.11:2380,8e9e05c52164694d=https://192.0.2.12:2380,node-a=https://192.0.2.10:2380',
      '--initial-cluster-state=existing',
    ]);
  });

  it('refuses the pod of an external etcd', () => {
    const external = { ...facts, etcd: { external: { endpoints: ['http://e:2379'] } } };
    let thrown: unknown;
    try {
      renderStaticPod('etcd', external);
    } catch (error) {
      thrown = error;
    }
    expect(isGroundplaneError(thrown) && thrown.code).toBe('CONTROLPLANE_ETCD_EXTERNAL');
  });

  it.each<[string, Partial<ControlPlaneFacts>, string[]]>([
    ['append', { scheduler: { extraArgs: [{ name: 'leader-elect', value: 'x', mergeMethod: 'append' }] } }, ['truex']],
    [
      'prepend',
      { scheduler: { extraArgs: [{ name: 'leader-elect', value: 'x', mergeMethod: 'prepend' }] } },
      ['xtrue'],
    ],
    [
      'replace last',
      {
        scheduler: {
          extraArgs: [
            { name: 'leader-elect', value: 'x', mergeMethod: 'append' },
            { name: 'leader-elect', value: 'y' },
          ],
        },
      },
      ['y'],
    ],
    [
      'merge last',
      {
        scheduler: {
          extraArgs: [
            { name: 'leader-elect', value: 'y' },
            { name: 'leader-elect', value: 'x', mergeMethod: 'append' },
          ],
        },
      },
      ['truex', 'y'],
    ],
  ])('merges an argument of the user: %s', (_, changed, expected) => {
    const command = renderStaticPod('kube-scheduler', { ...facts, ...changed }).spec.containers[0]?.command ?? [];
    expect(command.filter((word) => word.startsWith('--leader-elect=')).map((word) => word.slice(15))).toEqual(
      expected,
    );
  });

  it.each([
    ['unspecified IPv4', '0.0.0.0', undefined],
    ['unspecified IPv6', '::', undefined],
    ['mapped IPv4', '::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ])('sends the API server probes to the right host: %s', (_, advertiseAddress, expected) => {
    const pod = renderStaticPod('kube-apiserver', { ...facts, advertiseAddress });
    expect(pod.spec.containers[0]?.livenessProbe?.httpGet?.host).toBe(expected);
  });

  it('takes an IPv4 address in IPv6 form for IPv4, as Go does', () => {
    const pod = renderStaticPod('kube-apiserver', { ...facts, advertiseAddress: '::ffff:192.0.2.1' });
    expect(pod.spec.containers[0]?.command).toContain('--etcd-servers=https://127.0.0.1:2379');
  });

  it.each([
    ['no scheme', 'localhost:2381', '127.0.0.1', 2381, 'HTTP'],
    ['https', 'https://10.0.0.1:99', '10.0.0.1', 99, 'HTTPS'],
    ['IPv6 first of two', 'http://[fd00::1]:4001,http://x:1', 'fd00::1', 4001, 'HTTP'],
    ['no host', 'http://:4001', '127.0.0.1', 4001, 'HTTP'],
    ['no port', 'https://x', 'x', 2381, 'HTTPS'],
    ['port out of range', 'http://x:99999', 'x', 2381, 'HTTP'],
    ['empty', '', '127.0.0.1', 2381, 'HTTP'],
  ])('probes etcd where its metrics are: %s', (_, value, host, port, scheme) => {
    const local = { dataDir: '/var/lib/etcd', extraArgs: [{ name: 'listen-metrics-urls', value }] };
    const container = renderStaticPod('etcd', { ...facts, etcd: { local } }).spec.containers[0];
    expect(container?.readinessProbe?.httpGet).toMatchObject({ host, scheme });
    expect(container?.ports?.[0]?.containerPort).toBe(port);
  });
});
