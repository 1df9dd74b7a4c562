import {
  type ClusterRoleBinding,
  type ConfigMap,
  type Node,
  type Pod,
  type Role,
  type RoleBinding,
  sameObject,
} from '@groundplane/manifest';
import type { Artifact, Format, Layout, ObjectQuery, ObjectReference, Policy } from '@groundplane/phases';
import { type CertificateRow, certificateTable, serviceAccountKeyPair } from '@groundplane/pki';
import { agreeOnClusterSigner } from './cluster-signer-annotation.ts';
import {
  apiObject,
  apiObjects,
  pemCertificate,
  pemPrivateKey,
  pemPublicKey,
  plainText,
  yamlDocument,
  yamlText,
} from './formats.ts';

/** Everything that the phases of bootstrap hand to one another, in one place. */

export interface FileRow<T> {
  readonly id: string;
  readonly description: string;
  readonly path: (layout: Layout) => string;
  readonly format: Format<T>;
  readonly policy: Policy;
  readonly mode: number;
  readonly maxMode?: number;
  readonly directoryMode?: number;
  readonly secret?: true;
}

/** An artifact that is a file of the node. */
export function file<T>({ path, ...row }: FileRow<T>): Artifact<T> {
  return { ...row, where: (layout) => ({ kind: 'file', path: path(layout) }) };
}

/** An artifact that is one object of the API. */
export function object<T>(
  id: string,
  description: string,
  reference: ObjectReference,
  policy: Policy = 'converge',
): Artifact<T> {
  return {
    id,
    description,
    policy,
    where: () => ({ kind: 'object', reference }),
    format: apiObject<T>(reference.kind),
  };
}

export interface CertificateArtifacts {
  readonly row: CertificateRow;
  readonly certificate: Artifact<string>;
  readonly key: Artifact<string>;
}

/** Certificate and key files of every row of the certificate table, in phase order (kubeadm: phases/certs/certlist.go). */
export const certificateArtifacts: readonly CertificateArtifacts[] = certificateTable.map((row) => ({
  row,
  certificate: file({
    id: `pki/${row.baseName}.crt`,
    description: row.longName,
    path: (layout) => `${layout.pki}/${row.baseName}.crt`,
    format: pemCertificate,
    policy: 'preserve',
    mode: 0o644,
    maxMode: 0o644,
  }),
  key: file({
    id: `pki/${row.baseName}.key`,
    description: `private key of ${row.name}`,
    path: (layout) => `${layout.pki}/${row.baseName}.key`,
    format: pemPrivateKey,
    policy: 'preserve',
    mode: 0o600,
    maxMode: 0o640,
    secret: true,
  }),
}));

/** The two files of one row of the certificate table. */
/** Those of the certificates that a CA signs. */
export function leafArtifactsOf(authority: string): readonly CertificateArtifacts[] {
  return certificateArtifacts.filter(({ row }) => row.issuer === authority);
}

export function certificateArtifactsOf(name: string): CertificateArtifacts {
  const found = certificateArtifacts.find(({ row }) => row.name === name);
  if (found === undefined) throw new TypeError(`Cannot find the certificate '${name}' as the table does not list it`);
  return found;
}

export const serviceAccountKey: Artifact<string> = file({
  id: `pki/${serviceAccountKeyPair.privateKeyFile}`,
  description: 'private key that signs service account tokens',
  path: (layout) => `${layout.pki}/${serviceAccountKeyPair.privateKeyFile}`,
  format: pemPrivateKey,
  policy: 'preserve',
  mode: 0o600,
  maxMode: 0o640,
  secret: true,
});

export const serviceAccountPublicKey: Artifact<string> = file({
  id: `pki/${serviceAccountKeyPair.publicKeyFile}`,
  description: 'public key that verifies service account tokens',
  path: (layout) => `${layout.pki}/${serviceAccountKeyPair.publicKeyFile}`,
  format: pemPublicKey,
  policy: 'preserve',
  mode: 0o600,
  maxMode: 0o644,
});

/** File name → the kubeconfig file of that name. */
export const kubeconfigArtifacts = Object.fromEntries(
  ['admin.conf', 'super-admin.conf', 'kubelet.conf', 'controller-manager.conf', 'scheduler.conf'].map((name) => [
    name,
    file({
      id: name,
      description: `kubeconfig ${name}`,
      path: (layout) => (name === 'admin.conf' && layout.adminKubeconfig) || `${layout.kubernetes}/${name}`,
      format: yamlText('kubeconfig'),
      policy: 'preserve',
      mode: 0o600,
      maxMode: 0o640,
      secret: true,
    }),
  ]),
) as Readonly<Record<string, Artifact<string>>>;

export function kubeconfigArtifact(name: string): Artifact<string> {
  const found = kubeconfigArtifacts[name];
  if (found === undefined) throw new TypeError(`Cannot find the kubeconfig '${name}' as the table does not list it`);
  return found;
}

export const adminKubeconfig = kubeconfigArtifact('admin.conf');

export type StaticPodName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

function staticPod(name: StaticPodName): Artifact<Pod> {
  return file<Pod>({
    id: `manifests/${name}.yaml`,
    description: `static pod of ${name}`,
    path: (layout) => `${layout.kubernetes}/manifests/${name}.yaml`,
    format: yamlDocument<Pod>('YAML Pod'),
    policy: 'converge',
    mode: 0o600,
    maxMode: 0o644,
    directoryMode: 0o700,
  });
}

export const staticPods: Readonly<Record<StaticPodName, Artifact<Pod>>> = {
  etcd: staticPod('etcd'),
  'kube-apiserver': staticPod('kube-apiserver'),
  'kube-controller-manager': staticPod('kube-controller-manager'),
  'kube-scheduler': staticPod('kube-scheduler'),
};

export const etcdDataDirectory: Artifact<void> = {
  id: 'etcd-data',
  description: "etcd's data directory",
  where: (layout) => ({ kind: 'directory', path: layout.etcdData }),
  format: { name: 'directory', parse: () => undefined, serialize: () => new Uint8Array() },
  policy: 'converge',
  mode: 0o700,
};

const kubeletFile = (name: string, description: string, format: Format<string>): Artifact<string> =>
  file({
    id: `kubelet/${name}`,
    description,
    path: (layout) => `${layout.kubelet}/${name}`,
    format,
    policy: 'converge',
    mode: 0o644,
    maxMode: 0o644,
    directoryMode: 0o700,
  });

export const kubeletFlagsFile = kubeletFile('kubeadm-flags.env', 'command-line flags of the kubelet', plainText);
export const kubeletInstanceConfig = kubeletFile(
  'instance-config.yaml',
  "this node's own part of the kubelet configuration",
  yamlText('YAML KubeletConfiguration'),
);
export const kubeletConfigFile = kubeletFile(
  'config.yaml',
  'configuration of the kubelet',
  yamlText('YAML KubeletConfiguration'),
);

const rbacVersion = 'rbac.authorization.k8s.io/v1';

export const clusterAdminsBinding: Artifact<ClusterRoleBinding> = object(
  'object/kubeadm:cluster-admins',
  'lets the group of admin.conf administer the cluster',
  { apiVersion: rbacVersion, kind: 'ClusterRoleBinding', name: 'kubeadm:cluster-admins' },
);

export const kubeletAccessName = 'kubeadm:apiserver-kubelet-client';

export const apiserverKubeletClientBinding: Artifact<ClusterRoleBinding> = object(
  `object/${kubeletAccessName}`,
  'lets the API server talk to kubelets: logs, exec, port-forward',
  { apiVersion: rbacVersion, kind: 'ClusterRoleBinding', name: kubeletAccessName },
);

/** A ConfigMap in kube-system, with the role and the binding that let nodes and those who join read it. */
export interface SharedConfiguration {
  readonly name: string;
  readonly namespace: 'kube-system';
  readonly configMap: Artifact<ConfigMap>;
  readonly role: Artifact<Role>;
  readonly roleBinding: Artifact<RoleBinding>;
}

function sharedConfiguration(name: string, description: string, roleName: string): SharedConfiguration {
  const namespace = 'kube-system';
  const rbac = { apiVersion: rbacVersion, namespace, name: roleName };
  return {
    name,
    namespace,
    configMap: object(`object/${name}`, description, { apiVersion: 'v1', kind: 'ConfigMap', namespace, name }),
    role: object(`object/role/${roleName}`, `allows reading ${name}`, { ...rbac, kind: 'Role' }),
    roleBinding: object(`object/rolebinding/${roleName}`, `gives nodes and joining nodes ${name}`, {
      ...rbac,
      kind: 'RoleBinding',
    }),
  };
}

const kubeadmConfigObjects = sharedConfiguration(
  'kubeadm-config',
  'the ClusterConfiguration that later commands read',
  'kubeadm:nodes-kubeadm-config',
);

export const kubeadmConfig: SharedConfiguration = {
  ...kubeadmConfigObjects,
  configMap: {
    ...kubeadmConfigObjects.configMap,
    format: {
      ...apiObject<ConfigMap>('ConfigMap'),
      satisfied: (desired, existing) => sameObject(desired, existing) && agreeOnClusterSigner(desired, existing),
    },
  },
};

export const kubeletConfig = sharedConfiguration(
  'kubelet-config',
  'the KubeletConfiguration that joining nodes start from',
  'kubeadm:kubelet-config',
);

/** There only where somebody gives the document. */
export const groundplaneConfig = sharedConfiguration(
  'groundplane-config',
  'the settings that kubeadm does not have, for later commands and joining nodes',
  'groundplane:nodes-groundplane-config',
);

/** This node's Node object; the kubelet registers it, we add a label and a taint. */
export const nodeObject: Artifact<Node> = {
  id: 'object/node',
  description: 'the Node object of this node',
  policy: 'extend',
  external: true,
  where: (layout) => ({ kind: 'object', reference: { apiVersion: 'v1', kind: 'Node', name: layout.nodeName } }),
  format: apiObject<Node>('Node'),
};

/** Objects that are only looked at. */
export function list<T>(id: string, description: string, query: ObjectQuery): Artifact<readonly T[]> {
  return {
    id,
    description,
    policy: 'observe',
    external: true,
    where: () => ({ kind: 'list', query }),
    format: apiObjects<T>(query.kind),
  };
}
