import { readFileSync } from 'node:fs';
import { stringifyYaml } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { clusterDocument, initDocument, resolveSample } from '../test/sample-host.ts';
import { kubeProxyConfiguration } from './kube-proxy-configuration.ts';

const proxy = (...lines: readonly string[]) =>
  ['---', 'apiVersion: kubeproxy.config.k8s.io/v1alpha1', 'kind: KubeProxyConfiguration', ...lines, ''].join('\n');

describe('kubeProxyConfiguration', () => {
  it('without a document is what kubeadm generates', () => {
    const { configuration, userSupplied, warnings } = kubeProxyConfiguration(resolveSample(clusterDocument()));
    const golden = new URL('../test/fixtures/kube-proxy-defaults.yaml', import.meta.url);
    expect(stringifyYaml(configuration)).toBe(readFileSync(golden, 'utf8'));
    expect(userSupplied).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('follows the family of the node and the range of the pods', () => {
    const text = `${clusterDocument('networking: {podSubnet: "fd01::/48"}')}---\n${initDocument('localAPIEndpoint: {advertiseAddress: "2001:db8::5"}')}`;
    expect(kubeProxyConfiguration(resolveSample(text)).configuration).toMatchObject({
      bindAddress: '::',
      clusterCIDR: 'fd01::/48',
    });
  });

  it('keeps what the user set', () => {
    const text =
      clusterDocument() + proxy('mode: nftables', 'conntrack: {tcpCloseWaitTimeout: 1h}', 'bindAddress: "::"');
    const result = kubeProxyConfiguration(resolveSample(text));
    expect(result).toMatchObject({ userSupplied: true, warnings: [] });
    expect(result.configuration).toMatchObject({
      mode: 'nftables',
      bindAddress: '::',
      conntrack: { tcpCloseWaitTimeout: '1h0m0s', min: null },
    });
  });

  it.each([
    ['bindAddress', 'bindAddress: 192.0.2.10'],
    ['clusterCIDR', 'clusterCIDR: 10.0.0.0/8'],
    ['clientConnection.kubeconfig', 'clientConnection: {kubeconfig: /x}'],
    ['mode', 'mode: ipvs'],
  ])('warns about %s', (field, line) => {
    const text = clusterDocument('networking: {podSubnet: 10.244.0.0/16}') + proxy(line);
    const { warnings } = kubeProxyConfiguration(resolveSample(text));
    expect(warnings.map((finding) => finding.artifact)).toEqual([`KubeProxyConfiguration.${field}`]);
  });
});
