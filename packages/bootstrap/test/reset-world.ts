import type { PodSandbox } from '@groundplane/phases';
import { type MemoryPorts, type MemoryPortsOptions, memoryPorts } from '@groundplane/phases/testing';
import { type ResetContext, type ResetRequest, resolveReset } from '../src/index.ts';

const pod = (name: string, namespace = 'kube-system'): PodSandbox => ({
  id: `id-${name}`,
  name,
  namespace,
  ready: true,
});

/** Pods of a control-plane node, and one that Kubernetes did not make. */
export const pods: readonly PodSandbox[] = [
  pod('elsewhere', ''),
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => pod(`${name}-node-a`)),
];

export const mounts: readonly string[] = [
  'proc /proc proc rw 0 0',
  'tmpfs /var/lib/kubelet/pods/1/volumes/kubernetes.io~secret/tok tmpfs rw 0 0',
  '/dev/sdc /var/lib/kubelet/plugins/csi/pv\\040one ext4 rw 0 0',
  'tmpfs /var/lib/kubelet/pods/1/volumes/kubernetes.io~secret/tok/sub tmpfs rw 0 0',
  '/dev/sdd /var/lib/kubelet-extra ext4 rw 0 0',
];

const etcdManifest = (dataDirectory: string) => `apiVersion: v1
kind: Pod
metadata: {name: etcd, namespace: kube-system}
spec:
  containers: [{name: etcd, image: etcd}]
  volumes:
  - {name: etcd-certs, hostPath: {path: /etc/kubernetes/pki/etcd}}
  - {name: etcd-data, hostPath: {path: ${dataDirectory}}}
`;

/** What init leaves on a node, by path. */
export const initFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map((name) => `${name}.conf`),
      ...['ca', 'apiserver', 'apiserver-kubelet-client', 'front-proxy-ca', 'front-proxy-client', 'etcd/ca']
        .concat(['etcd/server', 'etcd/peer', 'etcd/healthcheck-client', 'apiserver-etcd-client'])
        .flatMap((name) => [`pki/${name}.crt`, `pki/${name}.key`]),
      ...['pki/sa.key', 'pki/sa.pub'],
      ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => `manifests/${name}.yaml`),
    ].map((name) => [`/etc/kubernetes/${name}`, name]),
  ),
  '/etc/kubernetes/manifests/etcd.yaml': etcdManifest('/var/lib/etcd'),
  '/var/lib/etcd/member/snap/db': 'data',
  '/var/lib/kubelet/config.yaml': 'kind: KubeletConfiguration',
  '/var/lib/kubelet/instance-config.yaml': 'containerRuntimeEndpoint: unix:///run/other.sock',
  '/var/lib/kubelet/pki/kubelet-client-current.pem': 'pem',
};

/** A node that init made, whose API server does not answer. */
export function resetWorld(options: MemoryPortsOptions = {}): MemoryPorts {
  return memoryPorts({
    files: { ...initFiles, ...options.files },
    units: { kubelet: { active: true } },
    sandboxes: pods,
    mounts,
    apiRefusal: () => 'connection refused',
    ...Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'files')),
  });
}

export async function resetContext(request: Partial<ResetRequest> = {}): Promise<ResetContext> {
  return (await resolveReset({ flags: { force: true }, ports: resetWorld(), ...request })).context;
}

export { etcdManifest };
