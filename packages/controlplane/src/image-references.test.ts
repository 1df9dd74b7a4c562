import { describe, expect, it } from 'vitest';
import type { ImageFacts } from './control-plane-facts.ts';
import { imageReferences } from './image-references.ts';
import { kubernetesMinor } from './kubernetes-minors.ts';

const facts: ImageFacts = {
  imageRepository: 'registry.k8s.io',
  kubernetesVersion: 'v1.37.2',
  etcd: { local: { dataDir: '/var/lib/etcd' } },
};

const [apiServer, controllerManager, scheduler, proxy, dns, pause, etcd] = [
  'registry.k8s.io/kube-apiserver:v1.37.2',
  'registry.k8s.io/kube-controller-manager:v1.37.2',
  'registry.k8s.io/kube-scheduler:v1.37.2',
  'registry.k8s.io/kube-proxy:v1.37.2',
  'registry.k8s.io/coredns/coredns:v1.14.6',
  'registry.k8s.io/pause:3.10.2',
  'registry.k8s.io/etcd:3.7.0-0',
];

/** The lists are those of kubeadm v1.37.2 `config images list`. */
describe('imageReferences()', () => {
  it.each<[string, Partial<ImageFacts>, (string | undefined)[]]>([
    ['default', {}, [apiServer, controllerManager, scheduler, proxy, dns, pause, etcd]],
    [
      'addons disabled',
      { dns: { disabled: true }, proxy: { disabled: true } },
      [apiServer, controllerManager, scheduler, pause, etcd],
    ],
    [
      'external etcd',
      { etcd: { external: { endpoints: ['https://e:2379'] } } },
      [apiServer, controllerManager, scheduler, proxy, dns, pause],
    ],
    [
      'parts',
      {
        dns: { imageRepository: 'dns.example.com', imageTag: 'v9' },
        etcd: { local: { dataDir: '/', imageTag: '3.5.0-0', imageRepository: '[2001:db8::1]:5000/e' } },
      },
      [
        apiServer,
        controllerManager,
        scheduler,
        proxy,
        'dns.example.com/coredns:v9',
        pause,
        '[2001:db8::1]:5000/e/etcd:3.5.0-0',
      ],
    ],
    [
      'empty strings',
      { dns: { imageRepository: '', imageTag: '' }, etcd: { local: { dataDir: '/', imageTag: '' } } },
      [apiServer, controllerManager, scheduler, proxy, dns, pause, etcd],
    ],
  ])('lists the images of kubeadm: %s', (_, changed, expected) => {
    expect(imageReferences({ ...facts, ...changed })).toEqual(expected);
  });

  it('has no further folder for CoreDNS on a mirror', () => {
    expect(imageReferences({ ...facts, imageRepository: 'r.example.com:5000/a' })[4]).toBe(
      'r.example.com:5000/a/coredns:v1.14.6',
    );
  });

  it('takes the images of Kubernetes itself from the repository of CI builds', () => {
    const references = imageReferences({
      ...facts,
      ciImageRepository: 'ci.example.com',
      kubernetesVersion: 'v1.37.2-1+abc',
    });
    expect(references[0]).toBe('ci.example.com/kube-apiserver:v1.37.2-1_abc');
    expect(references[5]).toBe(pause);
  });
});

it.each([
  ['v1.37.2', '1.37'],
  ['1.36.0', '1.36'],
  ['v1.20.0', '1.36'],
  ['v1.99.0', '1.37'],
  ['stable-1', '1.37'],
])('kubernetesMinor() of %s', (version, expected) => {
  expect(kubernetesMinor(version).minor).toBe(expected);
});
