import { describe, expect, it } from 'vitest';
import { verifyKubeletConfig } from './verify-kubelet-config.ts';

const right = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  staticPodPath: '/etc/kubernetes/manifests',
  containerRuntimeEndpoint: 'unix:///run/x.sock',
  authentication: { x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' }, anonymous: { enabled: false } },
  authorization: { mode: 'Webhook' },
  rotateCertificates: true,
  healthzBindAddress: '127.0.0.1',
  healthzPort: 10248,
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
};
const expectations = {
  containerRuntimeEndpoint: 'unix:///run/x.sock',
  clusterDNS: ['10.96.0.10'],
  clusterDomain: 'cluster.local',
};

describe('verifyKubeletConfig', () => {
  it('has nothing to say about a right one', () => {
    expect(verifyKubeletConfig(right, expectations)).toEqual([]);
  });

  it.each([
    ['no static pods', { staticPodPath: undefined }, 'error staticPodPath'],
    ['static pods elsewhere', { staticPodPath: '/srv' }, 'error staticPodPath'],
    ['another runtime', { containerRuntimeEndpoint: 'unix:///run/y.sock' }, 'error containerRuntimeEndpoint'],
    [
      'another CA',
      { authentication: { ...right.authentication, x509: { clientCAFile: '/ca' } } },
      'error authentication.x509.clientCAFile',
    ],
    [
      'no authentication',
      { authentication: { ...right.authentication, x509: null } },
      'error authentication.x509.clientCAFile',
    ],
    ['no rotation', { rotateCertificates: false }, 'error rotateCertificates'],
    ['another kind', { kind: 'Kubelet' }, 'error kind'],
    ['another version', { apiVersion: 'kubelet.config.k8s.io/v1' }, 'error apiVersion'],
    ['another DNS', { clusterDNS: ['10.96.0.11'] }, 'warning clusterDNS'],
    ['another domain', { clusterDomain: 'x' }, 'warning clusterDomain'],
    ['no health port', { healthzPort: 0 }, 'warning healthzPort'],
    ['health elsewhere', { healthzBindAddress: '0.0.0.0' }, 'warning healthzBindAddress'],
    [
      'anonymous access',
      { authentication: { ...right.authentication, anonymous: { enabled: true } } },
      'warning authentication.anonymous.enabled',
    ],
    ['no authorization', { authorization: { mode: 'AlwaysAllow' } }, 'warning authorization.mode'],
  ])('finds %s', (_name, change, expected) => {
    const findings = verifyKubeletConfig({ ...right, ...change }, expectations);
    expect(findings.map(({ severity, artifact }) => `${severity} ${artifact.replace('config.yaml#', '')}`)).toEqual([
      expected,
    ]);
  });

  it('asks for DNS only where the caller knows it', () => {
    const { clusterDNS: _dns, clusterDomain: _domain, ...others } = right;
    expect(verifyKubeletConfig(others, { containerRuntimeEndpoint: 'unix:///run/x.sock' })).toEqual([]);
  });
});
