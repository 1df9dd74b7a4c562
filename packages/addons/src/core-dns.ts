import type {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Container,
  Deployment,
  Service,
  ServiceAccount,
} from '@groundplane/manifest';
import { rbacObjects } from '@groundplane/rbac';
import { defaultCorefile } from './default-corefile.ts';
import { kubeSystem, linuxNodes } from './placement.ts';

/** What CoreDNS' objects depend on. */
export interface CoreDnsFacts {
  /** Reference of the image. */
  readonly image: string;
  /** `networking.dnsDomain` */
  readonly dnsDomain: string;
  /** Address of the Service: the tenth of the first service subnet. */
  readonly clusterIP: string;
  /** Of the Deployment. @default 2 */
  readonly replicas?: number | undefined;
  /** @default the one of {@link defaultCorefile} */
  readonly corefile?: string | undefined;
}

/** In the order in which they are written: the pods come last, and find everything that they need. */
export interface CoreDnsObjects {
  readonly serviceAccount: ServiceAccount;
  readonly clusterRole: ClusterRole;
  readonly clusterRoleBinding: ClusterRoleBinding;
  readonly configMap: ConfigMap;
  readonly service: Service;
  readonly deployment: Deployment;
}

/** Label by which the Service, and everybody who looks for the cluster's DNS, finds the pods. */
export const dnsLabel = 'k8s-app=kube-dns';
const labels = () => ({ 'k8s-app': 'kube-dns' });

/** Number of pods of a new Deployment. */
export const defaultDnsReplicas = 2;

/** The objects of CoreDNS as kubeadm v1.37 deploys them (kubeadm: phases/addons/dns/manifests.go). */
export function coreDns(facts: CoreDnsFacts): CoreDnsObjects {
  const roles = rbacObjects('addon/coredns');
  const named = (name: string) => ({ name, namespace: kubeSystem });
  return {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named('coredns') },
    clusterRole: roles.find(({ kind }) => kind === 'ClusterRole') as ClusterRole,
    clusterRoleBinding: roles.find(({ kind }) => kind === 'ClusterRoleBinding') as ClusterRoleBinding,
    configMap: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: named('coredns'),
      data: { Corefile: facts.corefile ?? defaultCorefile(facts.dnsDomain) },
    },
    service: service(facts.clusterIP),
    deployment: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...named('coredns'), labels: labels() },
      spec: {
        replicas: facts.replicas ?? defaultDnsReplicas,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
        selector: { matchLabels: labels() },
        template: {
          metadata: { labels: labels() },
          spec: {
            priorityClassName: 'system-cluster-critical',
            serviceAccountName: 'coredns',
            affinity: apartFromEachOther(),
            tolerations: [
              { key: 'CriticalAddonsOnly', operator: 'Exists' },
              { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
            ],
            nodeSelector: linuxNodes(),
            containers: [container(facts.image)],
            dnsPolicy: 'Default',
            volumes: [
              { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
            ],
          },
        },
      },
    },
  };
}

function service(clusterIP: string): Service {
  const port = (name: string, number: number, protocol: 'TCP' | 'UDP') => ({
    name,
    port: number,
    protocol,
    targetPort: number,
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace: kubeSystem,
      labels: { ...labels(), 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
    },
    spec: {
      clusterIP,
      ports: [port('dns', 53, 'UDP'), port('dns-tcp', 53, 'TCP'), port('metrics', 9153, 'TCP')],
      selector: labels(),
    },
  };
}

/** Two pods on one node answer no more than one when the node is lost. */
function apartFromEachOther(): Record<string, unknown> {
  const labelSelector = { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] };
  const podAffinityTerm = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
  return { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] } };
}

const containerPorts = [
  ['dns', 53, 'UDP'],
  ['dns-tcp', 53, 'TCP'],
  ['metrics', 9153, 'TCP'],
  ['liveness-probe', 8080, 'TCP'],
  ['readiness-probe', 8181, 'TCP'],
] as const;

function container(image: string): Container {
  return {
    name: 'coredns',
    image,
    imagePullPolicy: 'IfNotPresent',
    resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
    args: ['-conf', '/etc/coredns/Corefile'],
    volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
    ports: containerPorts.map(([name, containerPort, protocol]) => ({ containerPort, name, protocol })),
    livenessProbe: {
      httpGet: { path: '/health', port: 'liveness-probe', scheme: 'HTTP' },
      initialDelaySeconds: 60,
      timeoutSeconds: 5,
      successThreshold: 1,
      failureThreshold: 5,
    },
    readinessProbe: { httpGet: { path: '/ready', port: 'readiness-probe', scheme: 'HTTP' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
}
