import { defaultKubernetesVersion, kubernetesGroupName } from './component-table.ts';

/** A container image: one layer, with one of our programs and what it needs. */
export interface Image {
  /** The name kubeadm expects, with its tag. */
  readonly name: string;
  /** Component group and component whose program is in the image. */
  readonly group: string;
  readonly component: string;
  /** Path of the program in the image, which is also its entrypoint unless `entrypoint` says so. */
  readonly path: string;
  /** False where the pod's manifest names the command, as kubeadm's static pods do. */
  readonly isEntrypoint: boolean;
  /** Programs out of the Debian root that go in with the libraries they load. */
  readonly debianPrograms?: readonly string[];
}

/** Versions that kubeadm of one Kubernetes version expects, tag by tag. */
interface KubernetesImageTags {
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
}

/** By Kubernetes minor: from `constants.go` of kubeadm. */
const imageTags: Readonly<Record<string, KubernetesImageTags>> = {
  '1.37': { etcd: '3.7.0-0', coredns: 'v1.14.6', pause: '3.10.2' },
};

const kubernetesPrograms = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'] as const;

/** kube-proxy runs these to set its rules. */
const packetFilterPrograms: readonly string[] = ['/usr/sbin/nft', '/usr/sbin/xtables-nft-multi', '/usr/sbin/conntrack'];

function tagsFor(version: string): KubernetesImageTags {
  const minor = version.split('.').slice(0, 2).join('.');
  const tags = imageTags[minor];
  if (tags) return tags;
  throw new Error(`cannot name the images of Kubernetes ${version}: minor ${minor} is not in the image table`);
}

/** The sandbox image that containerd of a machine with this Kubernetes version uses. */
export function pauseImageName(version: string = defaultKubernetesVersion): string {
  return `registry.k8s.io/pause:${tagsFor(version).pause}`;
}

/**
 * Every image that a control plane of this Kubernetes version (without `v`) needs.
 *
 * @throws Error when the version's minor is not in the table.
 */
export function imagesFor(version: string = defaultKubernetesVersion): readonly Image[] {
  const tags = tagsFor(version);
  return [
    ...kubernetesPrograms.map((component) => ({
      name: `registry.k8s.io/${component}:v${version}`,
      group: kubernetesGroupName(version),
      component,
      path: `/usr/local/bin/${component}`,
      isEntrypoint: false,
      ...(component === 'kube-proxy' ? { debianPrograms: packetFilterPrograms } : {}),
    })),
    {
      name: `registry.k8s.io/etcd:${tags.etcd}`,
      group: 'etcd',
      component: 'etcd',
      path: '/usr/local/bin/etcd',
      isEntrypoint: false,
    },
    {
      name: `registry.k8s.io/coredns/coredns:${tags.coredns}`,
      group: 'coredns',
      component: 'coredns',
      path: '/coredns',
      isEntrypoint: true,
    },
    {
      name: pauseImageName(version),
      group: 'pause',
      component: 'pause',
      path: '/pause',
      isEntrypoint: true,
    },
  ];
}
