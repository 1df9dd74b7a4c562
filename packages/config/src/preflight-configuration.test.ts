import { initPreflightChecks, preflightNames } from '@groundplane/kubelet';
import { describe, expect, it } from 'vitest';
import { clusterDocument, resolveSample } from '../test/sample-host.ts';
import { preflightConfiguration } from './preflight-configuration.ts';

describe('preflightConfiguration', () => {
  it('of a plain cluster', () => {
    expect(preflightConfiguration(resolveSample(clusterDocument()))).toMatchObject({
      kubernetesVersion: 'v1.37.2',
      nodeName: 'node-a',
      subnets: [{ cidr: '10.96.0.0/12', firstAddress: '10.96.0.1' }],
      families: ['ipv4'],
      localEtcd: { dataDir: '/var/lib/etcd', address: '192.0.2.10' },
      bindAddresses: {},
    });
  });

  it('of a dual-stack cluster with external etcd and bind addresses', () => {
    const text = clusterDocument(
      'networking: {serviceSubnet: "10.96.0.0/16,fd00::/112", podSubnet: 10.244.0.0/16}',
      'etcd: {external: {endpoints: ["https://e:2379"], caFile: /ca.crt}}',
      'scheduler: {extraArgs: [{name: bind-address, value: 1.1.1.1}, {name: bind-address, value: 127.0.0.1}]}',
    );
    const configuration = preflightConfiguration(resolveSample(text));
    expect(configuration).toMatchObject({
      families: ['ipv4', 'ipv6'],
      bindAddresses: { scheduler: '127.0.0.1' },
      externalEtcd: { httpEndpoints: ['https://e:2379'], caFile: '/ca.crt' },
    });
    expect(configuration).not.toHaveProperty('localEtcd');
    expect(configuration.subnets).toHaveLength(3);
    expect(preflightNames(initPreflightChecks, configuration)).toEqual(
      expect.arrayContaining([
        'FileContent--proc-sys-net-ipv6-conf-default-forwarding',
        'ExternalEtcdClientCertificates',
      ]),
    );
  });
});
