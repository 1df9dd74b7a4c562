/** One program, built by `go build` (or `go test -c`) of one package. */
export interface Component {
  /** Name of the built file. */
  readonly name: string;
  /** Go package path, or `.` for the main package beside the group's go.mod. */
  readonly package: string;
  /** `test` builds the package's tests as a program. Default: `program`. */
  readonly build?: 'program' | 'test';
  /** Folder in a machine's root that the program goes to; absent: not in a machine's root. */
  readonly installTo?: '/usr/bin' | '/opt/cni/bin';
  /** Not built unless everything is asked for, although its group is. */
  readonly optional?: boolean;
}

/** Components that share one go.mod: the folder `components/<name>`. */
export interface ComponentGroup {
  readonly name: string;
  /** Built unless only named groups are asked for. */
  readonly inDefaultSet: boolean;
  /** Go variables set at link time: `import/path.name` → value. */
  readonly linkVariables: Readonly<Record<string, string>>;
  readonly components: readonly Component[];
}

/** The Kubernetes version that machines have unless another is asked for. */
export const defaultKubernetesVersion = '1.37.2';

interface KubernetesRelease {
  readonly version: string;
  /** Time of the release's tag, which its binaries give as their build date. */
  readonly released: string;
  readonly inDefaultSet: boolean;
}

const kubernetesReleases: readonly KubernetesRelease[] = [
  { version: defaultKubernetesVersion, released: '2026-10-27T12:01:04Z', inDefaultSet: true },
];

/** What is built of every Kubernetes version. */
export const kubernetesComponents: readonly Component[] = [
  { name: 'kubeadm', package: 'k8s.io/kubernetes/cmd/kubeadm', installTo: '/usr/bin' },
  { name: 'kubectl', package: 'k8s.io/kubernetes/cmd/kubectl', installTo: '/usr/bin' },
  { name: 'kubelet', package: 'k8s.io/kubernetes/cmd/kubelet', installTo: '/usr/bin' },
  { name: 'kube-apiserver', package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  { name: 'kube-controller-manager', package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  { name: 'kube-scheduler', package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  { name: 'kube-proxy', package: 'k8s.io/kubernetes/cmd/kube-proxy' },
  {
    name: 'e2e_kubeadm.test',
    package: 'k8s.io/kubernetes/test/e2e_kubeadm',
    build: 'test',
    installTo: '/usr/bin',
    optional: true,
  },
];

function kubernetesGroup({ version, released, inDefaultSet }: KubernetesRelease): ComponentGroup {
  const [major = '', minor = ''] = version.split('.');
  const variable = 'k8s.io/component-base/version.';
  return {
    name: kubernetesGroupName(version),
    inDefaultSet,
    // Without these the programs call themselves v0.0.0 and version checks fail.
    linkVariables: {
      [`${variable}gitVersion`]: `v${version}`,
      [`${variable}gitMajor`]: major,
      [`${variable}gitMinor`]: minor,
      [`${variable}gitTreeState`]: 'clean',
      [`${variable}buildDate`]: released,
    },
    components: kubernetesComponents,
  };
}

/** Name of the group with the programs of one Kubernetes version, given without `v`. */
export function kubernetesGroupName(version: string): string {
  return `kubernetes-${version}`;
}

/** Every group that can be built, in the order of building. */
export const componentGroups: readonly ComponentGroup[] = [
  {
    name: 'pause',
    inDefaultSet: true,
    linkVariables: {},
    components: [{ name: 'pause', package: '.' }],
  },
  {
    name: 'etcd',
    inDefaultSet: true,
    linkVariables: {},
    components: [{ name: 'etcd', package: '.' }],
  },
  {
    name: 'cni-crictl',
    inDefaultSet: true,
    linkVariables: { 'sigs.k8s.io/cri-tools/pkg/version.Version': 'v1.37.0' },
    components: [
      {
        name: 'bridge',
        package: 'github.com/containernetworking/plugins/plugins/main/bridge',
        installTo: '/opt/cni/bin',
      },
      {
        name: 'host-local',
        package: 'github.com/containernetworking/plugins/plugins/ipam/host-local',
        installTo: '/opt/cni/bin',
      },
      {
        name: 'loopback',
        package: 'github.com/containernetworking/plugins/plugins/main/loopback',
        installTo: '/opt/cni/bin',
      },
      {
        name: 'portmap',
        package: 'github.com/containernetworking/plugins/plugins/meta/portmap',
        installTo: '/opt/cni/bin',
      },
      { name: 'crictl', package: 'sigs.k8s.io/cri-tools/cmd/crictl', installTo: '/usr/bin' },
    ],
  },
  {
    name: 'containerd',
    inDefaultSet: true,
    linkVariables: { 'github.com/containerd/containerd/v2/version.Version': 'v2.4.2' },
    components: [
      { name: 'containerd', package: 'github.com/containerd/containerd/v2/cmd/containerd', installTo: '/usr/bin' },
      {
        name: 'containerd-shim-runc-v2',
        package: 'github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2',
        installTo: '/usr/bin',
      },
      { name: 'ctr', package: 'github.com/containerd/containerd/v2/cmd/ctr', installTo: '/usr/bin' },
    ],
  },
  ...kubernetesReleases.map(kubernetesGroup),
  {
    name: 'coredns',
    inDefaultSet: true,
    linkVariables: {},
    components: [{ name: 'coredns', package: 'github.com/coredns/coredns' }],
  },
  {
    name: 'step-ca',
    inDefaultSet: false,
    linkVariables: {},
    components: [{ name: 'step-ca', package: 'github.com/smallstep/certificates/cmd/step-ca' }],
  },
  {
    name: 'cfssl',
    inDefaultSet: false,
    linkVariables: {},
    components: [{ name: 'cfssl', package: 'github.com/cloudflare/cfssl/cmd/cfssl' }],
  },
  {
    name: 'cluster-api',
    inDefaultSet: false,
    linkVariables: {},
    components: [{ name: 'cloud-init-renderer', package: '.' }],
  },
];

/**
 * The group of that name.
 *
 * @throws Error that lists the names there are.
 */
export function findGroup(name: string): ComponentGroup {
  const group = componentGroups.find((candidate) => candidate.name === name);
  if (group) return group;
  const names = componentGroups.map((candidate) => candidate.name).join(', ');
  throw new Error(`there is no component group ${name}; there are: ${names}`);
}
