import { stringifyYaml } from '@groundplane/manifest';
import type { ControlPlaneFacts } from '../src/control-plane-facts.ts';

/** A configuration whose manifests are compared with those of kubeadm. What a row does not say is kubeadm's default. */
export interface GoldenConfiguration {
  readonly name: string;
  /** Fields of kubeadm's ClusterConfiguration. */
  readonly cluster: Partial<ControlPlaneFacts>;
  readonly advertiseAddress?: string;
  readonly bindPort?: number;
  readonly healthCheckTimeoutSeconds?: number;
  /** Proxy variables in kubeadm's process environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The folders that the host of the golden files had. */
export const goldenCADirectories = [
  '/etc/ca-certificates',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
];

const yaml11Strings = ['on', 'y', 'No', '0640', '0o17', '0b11', 'null', '~', '1e3', '0x1F', '12:30:45', '2026-01-02'];
const moreStrings = [
  '1_000',
  '.inf',
  '.NaN',
  '1.',
  '+1',
  '089',
  '1,000',
  '*',
  '- a',
  'a: b',
  '#a',
  "it's",
  '',
  ' a',
  'a\nb',
];

export const goldenConfigurations: readonly GoldenConfiguration[] = [
  { name: 'default', cluster: {} },
  {
    name: 'pod-subnet',
    cluster: { networking: { serviceSubnet: '10.96.0.0/12', podSubnet: '10.244.0.0/16', dnsDomain: 'k8s.example' } },
  },
  {
    name: 'ipv6',
    advertiseAddress: '2001:db8::10',
    cluster: { networking: { serviceSubnet: 'fd00:ab::/112', podSubnet: 'fd01::/48', dnsDomain: 'cluster.local' } },
  },
  {
    name: 'dual-stack',
    cluster: {
      networking: {
        serviceSubnet: '10.96.0.0/16,fd00:ab::/112',
        podSubnet: '10.244.0.0/16,fd01::/48',
        dnsDomain: 'cluster.local',
      },
    },
  },
  {
    name: 'external-etcd',
    cluster: {
      etcd: {
        external: {
          endpoints: ['https://e1.example.com:2379', 'https://[2001:db8::5]:2379'],
          caFile: '/opt/etcd/pki/ca.crt',
          certFile: '/opt/etcd/pki/client/c.crt',
          keyFile: '/opt/etcd/keys/c.key',
        },
      },
    },
  },
  {
    name: 'external-etcd-covered',
    cluster: {
      etcd: {
        external: {
          endpoints: ['https://e1:2379'],
          caFile: '/etc/kubernetes/pki/etcd/ca.crt',
          certFile: '/etc/kubernetes/pki2/c.crt',
          keyFile: '/etc/ssl/certs/x/c.key',
        },
      },
    },
  },
  { name: 'external-etcd-plain', cluster: { etcd: { external: { endpoints: ['http://e1:2379'] } } } },
  {
    name: 'extra-arguments',
    cluster: {
      apiServer: {
        extraArgs: [
          { name: 'zz-last', value: '1' },
          { name: 'service-account-issuer', value: 'https://issuer.example.com' },
          { name: 'service-account-issuer', value: 'https://kubernetes.default.svc.cluster.local' },
          { name: 'aa-first', value: '' },
          { name: 'tls-cert-file', value: '/x.crt' },
          { name: 'zz-last', value: '2' },
          { name: '--dashed', value: 'x' },
          { name: 'Upper-Case', value: 'y' },
          { name: 'sentence', value: `${'many words '.repeat(20)}end: # here` },
          { name: 'authorization-config', value: '/etc/kubernetes/authorization.yaml' },
        ],
      },
      controllerManager: { extraArgs: [{ name: 'bind-address', value: '0.0.0.0' }] },
      scheduler: { extraArgs: [{ name: 'bind-address', value: '::1' }] },
      etcd: {
        local: {
          dataDir: '/data/etcd',
          extraArgs: [
            { name: 'listen-metrics-urls', value: 'https://[2001:db8::10]:4001,http://127.0.0.1:2381' },
            { name: 'advertise-client-urls', value: 'https://etcd.example.com:2379' },
          ],
        },
      },
    },
  },
  {
    name: 'authorization-mode',
    cluster: { apiServer: { extraArgs: [{ name: 'authorization-mode', value: 'Webhook,Bogus' }] } },
  },
  {
    name: 'extra-environment',
    cluster: {
      apiServer: { extraEnvs: [{ name: 'no_proxy', value: 'mine' }] },
      scheduler: {
        extraEnvs: [
          ...[...yaml11Strings, ...moreStrings].map((value, index) => ({ name: `V_${index}`, value })),
          { name: 'lower', value: '1' },
          { name: 'V_1', value: 'again' },
          { name: 'NONE' },
          { name: 'REF', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        ],
      },
      etcd: {
        local: { dataDir: '/var/lib/etcd', extraEnvs: [{ name: 'ETCD_QUOTA_BACKEND_BYTES', value: '8589934592' }] },
      },
    },
    environment: { HTTPS_PROXY: 'http://p.example.com:3128', no_proxy: '10.0.0.0/8', Http_Proxy: 'x', empty_proxy: '' },
  },
  {
    name: 'extra-volumes',
    cluster: {
      apiServer: {
        extraVolumes: [
          {
            name: 'audit',
            hostPath: '/var/log/audit',
            mountPath: '/audit',
            readOnly: false,
            pathType: 'DirectoryOrCreate',
          },
          { name: 'k8s-certs', hostPath: '/other/pki', mountPath: '/etc/kubernetes/pki', readOnly: false },
          { name: 'a-config', hostPath: '/etc/a.yaml', mountPath: '/etc/a.yaml', readOnly: true, pathType: 'File' },
        ],
      },
      scheduler: { extraVolumes: [{ name: 'z', hostPath: '/z', mountPath: '/z', pathType: '' }] },
    },
  },
  {
    name: 'images',
    cluster: {
      kubernetesVersion: 'v1.37.1+custom.1',
      imageRepository: 'registry.example.com:5000/a/b',
      etcd: { local: { dataDir: '/var/lib/etcd', imageRepository: 'etcd.example.com', imageTag: '3.7.0-1' } },
    },
  },
  { name: 'kubernetes-1.36', cluster: { kubernetesVersion: 'v1.36.3' } },
  { name: 'certificates-directory', cluster: { certificatesDir: '/etc/kubernetes/x/../certs/', clusterName: 'on' } },
  { name: 'port-and-timeout', cluster: {}, bindPort: 8443, healthCheckTimeoutSeconds: 95 },
];

/** The facts of a row. */
export function factsOf(row: GoldenConfiguration, presentCADirectories = goldenCADirectories): ControlPlaneFacts {
  return {
    advertiseAddress: row.advertiseAddress ?? '192.0.2.10',
    bindPort: row.bindPort ?? 6443,
    nodeName: 'node-a',
    certificatesDir: '/etc/kubernetes/pki',
    kubernetesVersion: 'v1.37.2',
    imageRepository: 'registry.k8s.io',
    clusterName: 'kubernetes',
    networking: { serviceSubnet: '10.96.0.0/12', podSubnet: '', dnsDomain: 'cluster.local' },
    apiServer: {},
    controllerManager: {},
    scheduler: {},
    etcd: { local: { dataDir: '/var/lib/etcd' } },
    healthCheckTimeoutSeconds: row.healthCheckTimeoutSeconds ?? 240,
    hasCAKey: true,
    presentCADirectories,
    proxyEnvironment: Object.entries(row.environment ?? {})
      .filter(([, value]) => value !== '')
      .map(([name, value]) => ({ name, value })),
    ...row.cluster,
  };
}

/** The row as kubeadm's configuration file. */
export function configurationOf(row: GoldenConfiguration): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const { advertiseAddress, bindPort, nodeName, healthCheckTimeoutSeconds } = factsOf(row);
  const cluster = { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: 'v1.37.2', ...row.cluster };
  const init = {
    apiVersion,
    kind: 'InitConfiguration',
    localAPIEndpoint: { advertiseAddress, bindPort },
    nodeRegistration: { name: nodeName, criSocket: 'unix:///var/run/containerd/containerd.sock' },
    timeouts: { controlPlaneComponentHealthCheck: `${healthCheckTimeoutSeconds}s` },
  };
  return `${stringifyYaml(cluster)}---\n${stringifyYaml(init)}`;
}

/** The components that have a manifest in this row. */
export function componentsOf(
  row: GoldenConfiguration,
): readonly ('etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler')[] {
  const rest = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
  return row.cluster.etcd?.external === undefined ? ['etcd', ...rest] : rest;
}
