import { readFileSync } from 'node:fs';
import { parseYaml, stringifyYaml } from '@groundplane/manifest';
import { describe, expect, it } from 'vitest';
import { clusterDocument, resolveSample } from '../test/sample-host.ts';
import { joinPath, kubeletConfiguration } from './kubelet-configuration.ts';

const fixture = (name: string) => readFileSync(new URL(`../test/fixtures/${name}`, import.meta.url), 'utf8');
const kubelet = (...lines: readonly string[]) =>
  ['---', 'apiVersion: kubelet.config.k8s.io/v1beta1', 'kind: KubeletConfiguration', ...lines, ''].join('\n');

describe('kubeletConfiguration', () => {
  it('without a document is what kubeadm generates', () => {
    const { configuration, userSupplied, warnings } = kubeletConfiguration(resolveSample(clusterDocument()));
    expect(stringifyYaml(configuration)).toBe(fixture('kubelet-defaults.yaml'));
    expect(userSupplied).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('keeps what the user set and warns where it is unusual', () => {
    const text = clusterDocument('networking: {serviceSubnet: 10.87.116.64/26}');
    const result = kubeletConfiguration(
      resolveSample(
        text +
          kubelet(
            'maxPods: 50',
            'imageMinimumGCAge: 0.5h',
            'rotateCertificates: false',
            'staticPodPath: /srv',
            'failSwapOn: false',
            'tlsCipherSuites: []',
          ),
      ),
    );
    expect(result.configuration).toMatchObject({
      maxPods: 50,
      imageMinimumGCAge: '30m0s',
      rotateCertificates: true,
      staticPodPath: '/srv',
      failSwapOn: false,
      clusterDNS: ['10.87.116.74'],
    });
    expect(result.configuration).not.toHaveProperty('tlsCipherSuites');
    expect(result.userSupplied).toBe(true);
    expect(result.warnings.map((finding) => finding.artifact)).toEqual(['KubeletConfiguration.staticPodPath']);
  });

  it('warns of a number with which the kubelet does not start', () => {
    const { warnings } = kubeletConfiguration(resolveSample(clusterDocument() + kubelet('port: 99999', 'maxPods: 0')));
    expect(warnings).toMatchObject([{ code: 'CONFIG_COMPONENT_VALUE_REFUSED', artifact: 'KubeletConfiguration.port' }]);
    expect(warnings[0]?.message).toContain('from 1 to 65535: 99999');
  });

  it.each([
    ['clusterDNS', 'clusterDNS: []'],
    ['clusterDomain', 'clusterDomain: other.local'],
    ['authentication.x509.clientCAFile', 'authentication: {x509: {clientCAFile: /ca.crt}}'],
    ['authentication.anonymous.enabled', 'authentication: {anonymous: {enabled: true}}'],
    ['authentication.webhook.enabled', 'authentication: {webhook: {enabled: false}}'],
    ['authorization.mode', 'authorization: {mode: AlwaysAllow}'],
    ['healthzBindAddress', 'healthzBindAddress: 0.0.0.0'],
    ['healthzPort', 'healthzPort: 0'],
    ['readOnlyPort', 'readOnlyPort: 10255'],
  ])('warns about %s', (field, line) => {
    const { warnings } = kubeletConfiguration(resolveSample(clusterDocument() + kubelet(line)));
    expect(warnings.map((finding) => finding.artifact)).toEqual([`KubeletConfiguration.${field}`]);
  });

  it('writes every duration as text', () => {
    const { configuration } = kubeletConfiguration(
      resolveSample(clusterDocument() + kubelet('logging: {flushFrequency: 5s}')),
    );
    const document = parseYaml(stringifyYaml(configuration)) as Record<string, unknown>;
    for (const field of Object.keys(document).filter((name) => /Frequency$|Period$|Timeout$|GCAge$/.test(name))) {
      expect([field, document[field]]).toEqual([field, '0s']);
    }
    expect(document.logging).toMatchObject({ flushFrequency: '5s', options: { text: { infoBufferSize: '0' } } });
  });
});

it.each([
  ['/etc/kubernetes/pki/', '/etc/kubernetes/pki/ca.crt'],
  ['/a/../b//c/.', '/b/c/ca.crt'],
  ['/', '/ca.crt'],
])('joins %s as Go does', (folder, expected) => {
  expect(joinPath(folder, 'ca.crt')).toBe(expected);
});
