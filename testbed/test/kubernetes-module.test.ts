import { expect, it } from 'vitest';
import { kubernetesModule } from '../src/kubernetes-module.ts';

it('replaces every staging module by the published one of the same release', () => {
  const upstream = [
    'module k8s.io/kubernetes',
    'go 1.26.0',
    'replace (',
    '\tk8s.io/api => ./staging/src/k8s.io/api',
    '\tk8s.io/cri-client => ./staging/src/k8s.io/cri-client',
    ')',
  ].join('\n');
  const text = kubernetesModule('1.36.3', upstream);
  expect(text).toContain('require k8s.io/kubernetes v1.36.3\n');
  expect(text).toContain('\tk8s.io/api => k8s.io/api v0.36.3\n\tk8s.io/cri-client => k8s.io/cri-client v0.36.3\n');
  expect(text).toContain('\tk8s.io/kubernetes/cmd/kubeadm\n');
});
