import {
  type ClusterRoleBinding,
  type ConfigMap,
  type DaemonSet,
  type Role,
  type RoleBinding,
  type ServiceAccount,
  stringifyYaml,
} from '@groundplane/manifest';
import { rbacObjects } from '@groundplane/rbac';
import { kubeSystem, linuxNodes } from './placement.ts';

/** What kube-proxy's objects depend on. */
export interface KubeProxyFacts {
  /** Reference of the image. */
  readonly image: string;
  /** URL of the control plane's API server. */
  readonly server: string;
  /** The KubeProxyConfiguration as YAML. */
  readonly configuration: string;
}

/** In the order in which they are written: the pods come last, and find everything that they need. */
export interface KubeProxyObjects {
  readonly serviceAccount: ServiceAccount;
  readonly clusterRoleBinding: ClusterRoleBinding;
  readonly role: Role;
  readonly roleBinding: RoleBinding;
  readonly configMap: ConfigMap;
  readonly daemonSet: DaemonSet;
}

const name = 'kube-proxy';
const labels = () => ({ 'k8s-app': name });
const directory = '/var/lib/kube-proxy';

/** The objects of kube-proxy as kubeadm v1.37 deploys them (kubeadm: phases/addons/proxy/manifests.go). */
export function kubeProxy(facts: KubeProxyFacts): KubeProxyObjects {
  const roles = rbacObjects('addon/kube-proxy');
  const metadata = () => ({ name, namespace: kubeSystem });
  return {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata() },
    clusterRoleBinding: roles.find(({ kind }) => kind === 'ClusterRoleBinding') as ClusterRoleBinding,
    role: roles.find(({ kind }) => kind === 'Role') as Role,
    roleBinding: roles.find(({ kind }) => kind === 'RoleBinding') as RoleBinding,
    configMap: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata(), labels: { app: name } },
      // Without their last line ends, as kubeadm's template has them.
      data: {
        'config.conf': facts.configuration.trimEnd(),
        'kubeconfig.conf': kubeconfig(facts.server).trimEnd(),
      },
    },
    daemonSet: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { ...metadata(), labels: labels() },
      spec: {
        selector: { matchLabels: labels() },
        updateStrategy: { type: 'RollingUpdate' },
        template: {
          metadata: { labels: labels() },
          spec: {
            priorityClassName: 'system-node-critical',
            containers: [
              {
                name,
                image: facts.image,
                imagePullPolicy: 'IfNotPresent',
                command: [
                  '/usr/local/bin/kube-proxy',
                  `--config=${directory}/config.conf`,
                  '--hostname-override=$(NODE_NAME)',
                ],
                securityContext: { privileged: true },
                volumeMounts: [
                  { mountPath: directory, name },
                  { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
                  { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
                ],
                env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
              },
            ],
            hostNetwork: true,
            serviceAccountName: name,
            volumes: [
              { name, configMap: { name } },
              { name: 'xtables-lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } },
              { name: 'lib-modules', hostPath: { path: '/lib/modules' } },
            ],
            tolerations: [{ operator: 'Exists' }],
            nodeSelector: linuxNodes(),
          },
        },
      },
    },
  };
}

/** The pod's own identity at the control plane, its fields in the order of kubeadm's template. */
function kubeconfig(server: string): string {
  const credentials = '/var/run/secrets/kubernetes.io/serviceaccount';
  return [
    { apiVersion: 'v1' },
    { kind: 'Config' },
    { clusters: [{ cluster: { 'certificate-authority': `${credentials}/ca.crt`, server }, name: 'default' }] },
    { contexts: [{ context: { cluster: 'default', namespace: 'default', user: 'default' }, name: 'default' }] },
    { 'current-context': 'default' },
    { users: [{ name: 'default', user: { tokenFile: `${credentials}/token` } }] },
  ]
    .map((field) => stringifyYaml(field))
    .join('');
}
