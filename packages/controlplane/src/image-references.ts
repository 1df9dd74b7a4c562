import type { ControlPlaneComponent, ImageFacts } from './control-plane-facts.ts';
import { kubernetesMinor } from './kubernetes-minors.ts';

/** The repository whose CoreDNS image lies one folder deeper. */
export const defaultImageRepository = 'registry.k8s.io';

type KubernetesImage = Exclude<ControlPlaneComponent, 'etcd'> | 'kube-proxy';

/** The reference of an image that is built with Kubernetes itself. */
export function kubernetesImage(name: KubernetesImage, facts: ImageFacts): string {
  return `${facts.ciImageRepository || facts.imageRepository}/${name}:${imageTag(facts.kubernetesVersion)}`;
}

/** The reference of CoreDNS. */
export function coreDNSImage(facts: ImageFacts): string {
  const repository = facts.dns?.imageRepository || facts.imageRepository;
  const folder = repository === defaultImageRepository ? `${repository}/coredns` : repository;
  return `${folder}/coredns:${facts.dns?.imageTag || kubernetesMinor(facts.kubernetesVersion).coreDNSTag}`;
}

/** The reference of the pause image, which holds a pod's namespaces. */
export function pauseImage(facts: ImageFacts): string {
  return `${facts.imageRepository}/pause:${kubernetesMinor(facts.kubernetesVersion).pauseTag}`;
}

/** The reference of a local etcd. */
export function etcdImage(facts: ImageFacts): string {
  const { local } = facts.etcd;
  const tag = local?.imageTag || kubernetesMinor(facts.kubernetesVersion).etcdTag;
  return `${local?.imageRepository || facts.imageRepository}/etcd:${tag}`;
}

/** The image of a static pod's container. */
export function componentImage(component: ControlPlaneComponent, facts: ImageFacts): string {
  return component === 'etcd' ? etcdImage(facts) : kubernetesImage(component, facts);
}

/**
 * All images that a control plane node needs, in the order in which kubeadm lists them: what is disabled or run by
 * somebody else is left out. Source: cmd/kubeadm/app/images/images.go.
 */
export function imageReferences(facts: ImageFacts): string[] {
  return [
    kubernetesImage('kube-apiserver', facts),
    kubernetesImage('kube-controller-manager', facts),
    kubernetesImage('kube-scheduler', facts),
    ...(facts.proxy?.disabled === true ? [] : [kubernetesImage('kube-proxy', facts)]),
    ...(facts.dns?.disabled === true ? [] : [coreDNSImage(facts)]),
    pauseImage(facts),
    ...(facts.etcd.external === undefined ? [etcdImage(facts)] : []),
  ];
}

/** A version as an image tag, which knows no `+`. */
export function imageTag(version: string): string {
  return version.replaceAll(/[^-a-zA-Z0-9_.]/g, '_');
}
