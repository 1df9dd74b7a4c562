import { readFileSync } from 'node:fs';
import { clusterInfo, detachedSignature, type HttpsGet, parseToken, signatureKey } from '@groundplane/discovery';
import { buildKubeconfig, stringifyKubeconfig } from '@groundplane/kubeconfig';
import type { ClusterObject } from '@groundplane/phases';
import { type Memory, type MemoryPorts, type MemoryPortsOptions, memoryPorts } from '@groundplane/phases/testing';
import { issueCertificate, publicKeyPin } from '@groundplane/pki';
import { type JoinContext, type JoinRequest, resolveJoin } from '../src/index.ts';
import { kernelFiles } from './init-world.ts';

const pem = (name: string) => readFileSync(new URL(`../../pki/testdata/${name}`, import.meta.url), 'utf8');

/** The CA of the cluster, and one of another cluster. */
export const clusterAuthority = { certificate: pem('root.crt'), key: pem('root.key') };
export const otherAuthority = { certificate: pem('impostor.crt') };

export const token = 'abcdef.0123456789abcdef';
export const endpoint = '192.0.2.1:6443';
export const server = `https://${endpoint}`;
export const machineId = '0123456789abcdef0123456789abcdef';
export const bootId = '11111111-2222-3333-4444-555555555555';

export const paths = {
  bootstrap: '/etc/kubernetes/bootstrap-kubelet.conf',
  kubeconfig: '/etc/kubernetes/kubelet.conf',
  authority: '/etc/kubernetes/pki/ca.crt',
  certificate: '/var/lib/kubelet/pki/kubelet-client-current.pem',
  config: '/var/lib/kubelet/config.yaml',
  flags: '/var/lib/kubelet/kubeadm-flags.env',
  instance: '/var/lib/kubelet/instance-config.yaml',
} as const;

/** What the kubelet of a node gets from the cluster: one PEM text of certificate and key. */
export async function kubeletCertificate(
  change: { readonly name?: string; readonly notAfter?: Date } = {},
): Promise<string> {
  const { name = 'node-b', notAfter = new Date('2027-01-01T00:00:00Z') } = change;
  const { certificate, key } = await issueCertificate(
    {
      subject: { commonName: `system:node:${name}`, organizations: ['system:nodes'] },
      sans: { dnsNames: [], ipAddresses: [] },
      extendedKeyUsages: ['clientAuth'],
      isCA: false,
      notBefore: new Date('2025-12-31T00:00:00Z'),
      notAfter,
      keyAlgorithm: 'ECDSA-P256',
    },
    { issuer: clusterAuthority, key: pem('p384-sec1.key') },
  );
  return `${certificate}${key}`;
}

/** The kubeconfig that a kubelet writes when it begins to ask for its certificate. */
export function kubeletKubeconfig(change: { readonly server?: string; readonly authority?: string } = {}): string {
  const kubeconfig = buildKubeconfig({
    clusterName: 'default-cluster',
    server: change.server ?? server,
    certificateAuthority: change.authority ?? clusterAuthority.certificate,
    user: 'default-auth',
  });
  const user = { 'client-certificate': paths.certificate, 'client-key': paths.certificate };
  return stringifyKubeconfig({ ...kubeconfig, users: [{ name: 'default-auth', user }] });
}

const configMap = (name: string, data: Readonly<Record<string, string>>): ClusterObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'kube-system', name },
  data,
});

/** What the cluster keeps for those who join; lines go on in each document. */
export function clusterObjects(
  lines: { readonly cluster?: string; readonly kubelet?: string } = {},
): readonly ClusterObject[] {
  const { cluster = '', kubelet = '' } = lines;
  return [
    configMap('kubeadm-config', {
      ClusterConfiguration: `apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\nclusterName: example\n${cluster}`,
    }),
    configMap('kubelet-config', {
      kubelet: `apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDNS: [10.96.0.10]\nmaxPods: 42\n${kubelet}`,
    }),
  ];
}

/** A Node as the API has it. */
export function nodeNamed(
  name: string,
  info: { readonly ready: boolean; readonly machineID?: string; readonly bootID?: string },
): ClusterObject {
  const { ready, ...nodeInfo } = info;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }], nodeInfo },
  };
}

export interface JoinWorldOptions extends MemoryPortsOptions {
  /** PEM that the cluster issues to the kubelet; without it, nobody approves or signs. */
  readonly certificate?: string | undefined;
}

/**
 * A machine on which join can run to its end: the kubelet writes its kubeconfig when it starts and has none that is valid, and gets its
 * certificate a moment later.
 */
export function joinWorld({ certificate, ...options }: JoinWorldOptions = {}): MemoryPorts {
  const { facts, ...rest } = options;
  const isRunning = (memory: Memory) =>
    memory.unit('kubelet')?.active === true && memory.text(paths.config) !== undefined;
  const live = (memory: Memory) => {
    if (!isRunning(memory) || memory.notes.get('asked') !== true || certificate === undefined) return;
    memory.put(paths.certificate, { content: certificate, mode: 0o600 });
  };
  const start = (memory: Memory) => {
    const hasCertificate =
      memory.text(paths.kubeconfig) !== undefined && memory.text(paths.certificate) === certificate;
    memory.notes.set('asked', !hasCertificate && memory.text(paths.bootstrap) !== undefined);
    if (memory.notes.get('asked') === true) memory.put(paths.kubeconfig, { content: kubeletKubeconfig(), mode: 0o600 });
  };
  const ports = memoryPorts({
    objects: clusterObjects(),
    probe: (url, memory) =>
      isRunning(memory) ? { status: 200, text: 'ok' } : { text: `connect ECONNREFUSED ${new URL(url).host}` },
    onRestart: (_, memory) => start(memory),
    onSleep: live,
    ...rest,
    facts: {
      hostName: async () => 'node-b',
      kernelFile: async (path) => (path.endsWith('/boot_id') ? `${bootId}\n` : kernelFiles[path]),
      cgroups: async () => ({
        version: 2,
        controllers: ['cpu', 'cpuset', 'devices', 'freezer', 'hugetlb', 'io', 'memory', 'pids'],
      }),
      lookup: async () => ['192.0.2.20'],
      output: async () => ({ code: 0, stdout: 'Kubernetes v1.37.2\n', stderr: '' }),
      canListen: async (port) => port !== 10250 || !isRunning(ports.memory),
      machineId: async () => machineId,
      ...facts,
    },
  });
  return ports;
}

/** An API server that hands out its signed cluster-info, whoever asks. */
export const answeringServer: HttpsGet = async () => {
  const { data = {}, ...info } = clusterInfo({ server, certificateAuthority: clusterAuthority.certificate });
  const signature = await detachedSignature(data.kubeconfig ?? '', parseToken(token));
  return { status: 200, text: JSON.stringify({ ...info, data: { ...data, [signatureKey('abcdef')]: signature } }) };
};

export async function joinRequest(ports: MemoryPorts, change: Partial<JoinRequest> = {}): Promise<JoinRequest> {
  const flags = { token, 'discovery-token-ca-cert-hash': [await publicKeyPin(clusterAuthority.certificate)] };
  // Beside a file, flags would be one too many.
  const given = change.configText === undefined ? { ...flags, ...change.flags } : (change.flags ?? {});
  return { ports, fetch: answeringServer, endpoint, ...change, flags: given };
}

/** A resolved context of join: the usual worker. */
export async function joinContext(
  ports: MemoryPorts = joinWorld(),
  change: Partial<JoinRequest> = {},
): Promise<JoinContext> {
  return (await resolveJoin(await joinRequest(ports, change))).context;
}
