import { GroundplaneError } from '@groundplane/errors';
import { currentContextOf, parseKubeconfig } from '@groundplane/kubeconfig';
import type { Cluster, ClusterObject, ContainerState, ProbeResult, SuppliedPorts } from '@groundplane/phases';
import { type Memory, type MemoryPorts, type MemoryPortsOptions, memoryPorts } from '@groundplane/phases/testing';
import { type InitContext, type InitRequest, resolveInit, webCryptoSigner } from '../src/index.ts';

/** Keys of this kind are made in no time. */
const clusterConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.37.2
encryptionAlgorithm: ECDSA-P256
`;

const initConfiguration = `apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint:
  advertiseAddress: 192.0.2.10
nodeRegistration:
  name: node-a
`;

/** A resolved context of init: the usual node, with more lines for each of the two documents; `init` goes on in nodeRegistration. */
export async function initContext(
  lines: { readonly cluster?: string; readonly init?: string; readonly documents?: string } = {},
  request: Partial<InitRequest> = {},
): Promise<InitContext> {
  const { cluster = '', init = '', documents = '' } = lines;
  const configText = `${clusterConfiguration}${cluster}---\n${initConfiguration}${init}${documents}`;
  return (await resolveInit({ configText, ports: memoryPorts(), ...request })).context;
}

const manifestNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
const manifestPath = (name: string) => `/etc/kubernetes/manifests/${name}.yaml`;
const binding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  name: 'kubeadm:cluster-admins',
};
export const nodeReference = { apiVersion: 'v1', kind: 'Node', name: 'node-a' } as const;

/** Whether the kubelet runs and every static pod is there; with external etcd its manifest is not asked for. */
function isUp(memory: Memory): boolean {
  const wanted = manifestNames.filter((name) => name !== 'etcd' || memory.notes.get('externalEtcd') !== true);
  return memory.unit('kubelet')?.active === true && wanted.every((name) => memory.text(manifestPath(name)));
}

/** A kubelet that starts keeps its client certificate in a file of its own, from which it renews it. */
const kubeletPem = '/var/lib/kubelet/pki/kubelet-client-current.pem';

function keepCertificate(memory: Memory): void {
  const kubeconfig = memory.text('/etc/kubernetes/kubelet.conf');
  if (memory.unit('kubelet')?.active !== true || kubeconfig === undefined || memory.text(kubeletPem) !== undefined)
    return;
  const { clientCertificate, clientKey } = currentContextOf(parseKubeconfig(kubeconfig));
  if (clientCertificate !== undefined)
    memory.put(kubeletPem, { content: `${clientCertificate}${clientKey}`, mode: 0o600 });
}

/** The kubelet registers its node as soon as there is an API server. */
function registerNode(memory: Memory): void {
  if (!isUp(memory) || memory.object(nodeReference) !== undefined) return;
  memory.putObject({
    ...nodeReference,
    metadata: { name: nodeReference.name, labels: { 'kubernetes.io/hostname': nodeReference.name } },
  });
}

const kernelConfig = [
  ...['NAMESPACES', 'NET_NS', 'PID_NS', 'IPC_NS', 'UTS_NS', 'CPUSETS', 'MEMCG', 'INET', 'EXT4_FS', 'PROC_FS'],
  ...['NETFILTER_XT_TARGET_REDIRECT', 'NETFILTER_XT_MATCH_COMMENT', 'FAIR_GROUP_SCHED'],
  ...['CGROUPS', 'CGROUP_BPF', 'CGROUP_PIDS', 'CGROUP_SCHED'],
]
  .map((name) => `CONFIG_${name}=y\n`)
  .join('');

/** Files of the kernel as a machine that can be a node has them. */
export const kernelFiles: Readonly<Record<string, string>> = {
  '/proc/config.gz': kernelConfig,
  '/proc/sys/net/ipv4/ip_forward': '1\n',
  '/proc/swaps': 'Filename\tType\tSize\tUsed\tPriority\n',
};

/** What health endpoints answer: the kubelet's once it runs, those of the control plane once it is up. */
export function healthOf(url: string, memory: Memory): ProbeResult {
  if (url.endsWith('/version')) return { status: 200, text: '{"etcdserver":"3.6.8"}' };
  return (url.includes(':10248/') ? memory.unit('kubelet')?.active : isUp(memory))
    ? { status: 200, text: 'ok' }
    : { text: `connect ECONNREFUSED ${new URL(url).host}` };
}

export interface InitWorldOptions extends MemoryPortsOptions {
  readonly externalEtcd?: boolean;
}

/**
 * A machine on which init can run to its end: the kubelet, once it runs and finds all static pods, has them answer and registers the
 * node; admin.conf may do nothing before its group is bound, super-admin.conf may do everything.
 */
export function initWorld({ externalEtcd = false, ...options }: InitWorldOptions = {}): MemoryPorts {
  const { facts, runtime, ...rest } = options;
  const ports = memoryPorts({
    signer: webCryptoSigner(),
    probe: healthOf,
    apiRefusal: (_, memory) => (isUp(memory) ? undefined : 'connect ECONNREFUSED 192.0.2.10:6443'),
    onRestart: (_, memory) => {
      keepCertificate(memory);
      registerNode(memory);
    },
    onSleep: registerNode,
    ...rest,
    facts: {
      hostName: async () => 'node-a',
      kernelFile: async (path) => kernelFiles[path],
      cgroups: async () => ({
        version: 2,
        controllers: ['cpu', 'cpuset', 'devices', 'freezer', 'hugetlb', 'io', 'memory', 'pids'],
      }),
      lookup: async () => ['192.0.2.10'],
      output: async () => ({ code: 0, stdout: 'Kubernetes v1.37.2\n', stderr: '' }),
      // As on a real machine, the ports are taken once the components run.
      canListen: async () => !isUp(ports.memory),
      ...facts,
    },
    runtime: { containers: async () => (isUp(ports.memory) ? runningContainers() : []), ...runtime },
  });
  ports.memory.notes.set('externalEtcd', externalEtcd);
  return { ...ports, clusters: authorized(ports.clusters, ports.memory) };
}

function runningContainers(): readonly ContainerState[] {
  return manifestNames.map((name) => ({ id: name, name, pod: `${name}-node-a`, state: 'running', attempt: 0 }));
}

/** The API server lets admin.conf do nothing as long as its group is not bound. */
function authorized(clusters: SuppliedPorts['clusters'], memory: Memory): SuppliedPorts['clusters'] {
  return {
    async connect(options) {
      const cluster = await clusters.connect(options);
      const isSuper = options.kubeconfig.includes('kubernetes-super-admin');
      const permitted = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
        return async (...args: A): Promise<R> => {
          if (isSuper || !isUp(memory) || memory.object(binding) !== undefined) return call(...args);
          throw new GroundplaneError('CLUSTER_FORBIDDEN', 'Cannot use the API as kubernetes-admin may not', {
            kind: 'unavailable',
          });
        };
      };
      return {
        ...cluster,
        get: permitted(cluster.get),
        list: permitted(cluster.list),
        create: permitted(cluster.create),
        apply: permitted(cluster.apply),
        patch: permitted(cluster.patch),
        delete: permitted(cluster.delete),
      } satisfies Cluster;
    },
  };
}

/** An object of the API as a test reads it. */
export function objectOf(
  ports: MemoryPorts,
  apiVersion: string,
  kind: string,
  name: string,
): ClusterObject | undefined {
  return ports.memory
    .objects()
    .find((one) => one.apiVersion === apiVersion && one.kind === kind && one.metadata.name === name);
}
