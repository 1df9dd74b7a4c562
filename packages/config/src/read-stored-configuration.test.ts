import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, test } from 'vitest';
import { clusterDocument } from '../test/sample-host.ts';
import { readStoredConfiguration } from './read-stored-configuration.ts';

const kubelet = (...lines: readonly string[]) =>
  ['apiVersion: kubelet.config.k8s.io/v1beta1', 'kind: KubeletConfiguration', ...lines, ''].join('\n');

function refusal(texts: { readonly cluster?: string; readonly kubelet?: string }) {
  try {
    readStoredConfiguration({ cluster: clusterDocument(), kubelet: kubelet(), ...texts });
  } catch (thrown) {
    if (isGroundplaneError(thrown)) return { code: thrown.code, message: thrown.message };
    throw thrown;
  }
  return undefined;
}

test('defaults are filled in as kubeadm does, and the kubelet takes them from the cluster', () => {
  const stored = readStoredConfiguration({
    cluster: clusterDocument('controlPlaneEndpoint: lb.example.com', 'networking: {serviceSubnet: 10.87.116.64/26}'),
    kubelet: kubelet('maxPods: 50', 'clusterDNS: [10.87.116.99]', 'rotateCertificates: false'),
  });
  expect(stored.cluster).toMatchObject({
    kubernetesVersion: 'v1.37.2',
    controlPlaneEndpoint: 'lb.example.com:6443',
    certificatesDir: '/etc/kubernetes/pki',
    clusterName: 'kubernetes',
    etcd: { local: { dataDir: '/var/lib/etcd' } },
  });
  expect(stored.kubelet).toMatchObject({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    maxPods: 50,
    clusterDNS: ['10.87.116.99'],
    clusterDomain: 'cluster.local',
    rotateCertificates: true,
    healthzPort: 10248,
  });
  expect(stored.init).toMatchObject({ bootstrapTokens: [], localAPIEndpoint: { bindPort: 6443 } });
  expect(stored.warnings).toEqual([]);
});

test('what rules for new clusters would refuse is in use already', () => {
  const { cluster } = readStoredConfiguration({
    cluster: clusterDocument('networking: {serviceSubnet: 10.0.0.0/8, dnsDomain: a..b}', 'certificatesDir: pki'),
    kubelet: kubelet(),
  });
  expect(cluster).toMatchObject({ certificatesDir: 'pki', networking: { dnsDomain: 'a..b' } });
});

test('a field that is not known is a warning: a newer release may have written it', () => {
  const { warnings } = readStoredConfiguration({
    cluster: clusterDocument('fromTheFuture: true'),
    kubelet: kubelet('alsoNew: {a: 1}'),
  });
  expect(warnings.map(({ code, message }) => [code, /"[a-zA-Z]+"/.exec(message)?.[0]])).toEqual([
    ['CONFIG_FIELD_UNKNOWN', '"fromTheFuture"'],
    ['CONFIG_FIELD_UNKNOWN', '"alsoNew"'],
  ]);
});

test('the version of a CI build stays known', () => {
  const cluster = clusterDocument().replace('v1.37.2', 'ci/v1.37.3-alpha.0.12+a1b2c3');
  expect(readStoredConfiguration({ cluster, kubelet: kubelet() })).toMatchObject({
    cluster: { kubernetesVersion: 'v1.37.3-alpha.0.12+a1b2c3' },
    storedKubernetesVersion: 'ci/v1.37.3-alpha.0.12+a1b2c3',
    kubernetesImageRepository: 'gcr.io/k8s-staging-ci-images',
  });
});

describe('refused is', () => {
  test.each([
    ['no YAML', { cluster: '{' }, 'CONFIG_UNREADABLE', 'flow map must end'],
    ['nothing', { cluster: '' }, 'CONFIG_DOCUMENT_MISSING', 'it is empty'],
    ['another kind', { kubelet: clusterDocument() }, 'CONFIG_DOCUMENT_MISSING', 'ClusterConfiguration'],
    [
      'an API version of older releases',
      { cluster: clusterDocument().replace('v1beta4', 'v1beta3') },
      'CONFIG_API_VERSION_UNSUPPORTED',
      'v1beta3',
    ],
    [
      'a control plane that is too old',
      { cluster: clusterDocument().replace('v1.37.2', 'v1.34.0') },
      'CONFIG_INVALID',
      'v1.34.0',
    ],
    ['a value of a wrong type', { cluster: clusterDocument('clusterName: [a]') }, 'CONFIG_INVALID', 'clusterName'],
    ['a kubelet value of a wrong type', { kubelet: kubelet('maxPods: many') }, 'CONFIG_INVALID', 'maxPods'],
  ])('%s', (_, texts, code, part) => {
    expect(refusal(texts)).toEqual({ code, message: expect.stringContaining(part) });
  });
});
