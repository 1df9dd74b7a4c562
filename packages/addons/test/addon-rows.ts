import type { CoreDnsFacts, KubeProxyFacts } from '../src/index.ts';

/** A cluster: what kubeadm is told, and what it comes to for the addons. */
export interface AddonRow {
  /** Name of the folder of its golden files. */
  readonly name: string;
  readonly advertiseAddress: string;
  /** Fields of the ClusterConfiguration. */
  readonly cluster: object;
  readonly coreDns: CoreDnsFacts;
  readonly kubeProxy: Omit<KubeProxyFacts, 'configuration'>;
}

export const addonRows: readonly AddonRow[] = [
  {
    name: 'usual',
    advertiseAddress: '192.0.2.10',
    cluster: {},
    coreDns: {
      image: 'registry.k8s.io/coredns/coredns:v1.14.6',
      dnsDomain: 'cluster.local',
      clusterIP: '10.96.0.10',
    },
    kubeProxy: { image: 'registry.k8s.io/kube-proxy:v1.37.2', server: 'https://192.0.2.10:6443' },
  },
  {
    name: 'other-names',
    advertiseAddress: '192.0.2.10',
    cluster: {
      controlPlaneEndpoint: 'lb.example.com:8443',
      imageRepository: 'registry.example.com/k8s',
      dns: { imageTag: 'v1.12.0-own.1' },
      networking: { dnsDomain: 'on.example', serviceSubnet: '10.32.0.0/24,fd00:32::/112', podSubnet: '10.244.0.0/16' },
    },
    coreDns: {
      image: 'registry.example.com/k8s/coredns:v1.12.0-own.1',
      dnsDomain: 'on.example',
      clusterIP: '10.32.0.10',
    },
    kubeProxy: { image: 'registry.example.com/k8s/kube-proxy:v1.37.2', server: 'https://lb.example.com:8443' },
  },
  {
    name: 'ipv6',
    advertiseAddress: '2001:db8::10',
    cluster: {
      dns: { imageRepository: 'registry.example.com/dns' },
      networking: { serviceSubnet: 'fd00:10:96::/112,10.32.0.0/16', podSubnet: 'fd00:10:244::/56,10.244.0.0/16' },
    },
    coreDns: {
      image: 'registry.example.com/dns/coredns:v1.14.6',
      dnsDomain: 'cluster.local',
      clusterIP: 'fd00:10:96::a',
    },
    kubeProxy: { image: 'registry.k8s.io/kube-proxy:v1.37.2', server: 'https://[2001:db8::10]:6443' },
  },
];

/** The documents of kubeadm for the rows, by row and addon. */
export function goldenFile(row: AddonRow, addon: 'coredns' | 'kube-proxy'): URL {
  return new URL(`../testdata/1.37/${row.name}/${addon}.yaml`, import.meta.url);
}
