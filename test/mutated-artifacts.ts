import {
  type ArtifactChange,
  beyondCertificateChanges,
  certificateFileChanges,
  directoryChanges,
  fileChanges,
  keyChanges,
  kubeconfigChanges,
  kubeconfigClusterChanges,
  kubeletConfigChanges,
  kubeletFlagsChanges,
  kubeletMainConfigChanges,
  manifestChanges,
  pairChanges,
  pemChanges,
} from './artifact-changes.ts';
import type { ContentKind } from './artifact-view.ts';
import { kubeconfigFieldChanges } from './kubeconfig-field-changes.ts';
import { foreignEtcdChanges, foreignPodChanges, foreignServerChanges } from './static-pod-changes.ts';
import { tokenKeyChanges, weakCertificateChanges } from './weak-key-changes.ts';

/** A file or folder that a phase writes, and what can happen to it. */
export interface MutatedArtifact {
  readonly workflow: 'init' | 'join';
  /** Which node it is a file of: a control plane, a worker whose kubelet is to ask for its certificate, one whose kubelet has it. */
  readonly node: 'control plane' | 'joining worker' | 'joined worker';
  /** Absolute path on the node. */
  readonly path: string;
  readonly content: ContentKind;
  /** The phase that writes it, and that is left out so that another one has to take it; without one nothing is left out. */
  readonly phase?: string;
  /** The phase alone that looks at it. */
  readonly only?: string;
  /** Path of the certificate of its CA. */
  readonly issuer?: string;
  /** Another file that changes with it. */
  readonly beside?: string;
  readonly changes: Readonly<Record<string, ArtifactChange>>;
}

const kubernetes = '/etc/kubernetes';
const pki = `${kubernetes}/pki`;

const { 'that is no CA': noAuthority, 'that may not sign certificates': noSigner, ...ofEvery } = certificateFileChanges;
const { 'with other names': otherNames, 'for another usage': otherUsage, ...ofAuthority } = ofEvery;
const { 'of another issuer': _, ...ofSelfSigned } = ofAuthority;

const authorityChanges = {
  ...fileChanges,
  ...pemChanges,
  ...ofSelfSigned,
  'that is no CA': noAuthority,
  'that may not sign certificates': noSigner,
};
const leafChanges = {
  ...fileChanges,
  ...pemChanges,
  ...ofAuthority,
  'for another usage': otherUsage,
  ...weakCertificateChanges,
};

interface CertificateFacts {
  readonly name: string;
  readonly file: string;
  readonly issuer?: string;
  readonly isServer?: true;
}

const certificates: readonly CertificateFacts[] = [
  { name: 'ca', file: 'ca' },
  { name: 'apiserver', file: 'apiserver', issuer: 'ca', isServer: true },
  { name: 'apiserver-kubelet-client', file: 'apiserver-kubelet-client', issuer: 'ca' },
  { name: 'front-proxy-ca', file: 'front-proxy-ca' },
  { name: 'front-proxy-client', file: 'front-proxy-client', issuer: 'front-proxy-ca' },
  { name: 'etcd-ca', file: 'etcd/ca' },
  { name: 'etcd-server', file: 'etcd/server', issuer: 'etcd/ca', isServer: true },
  { name: 'etcd-peer', file: 'etcd/peer', issuer: 'etcd/ca', isServer: true },
  { name: 'etcd-healthcheck-client', file: 'etcd/healthcheck-client', issuer: 'etcd/ca' },
  { name: 'apiserver-etcd-client', file: 'apiserver-etcd-client', issuer: 'etcd/ca' },
];

const init = { workflow: 'init', node: 'control plane' } as const;
const joining = { workflow: 'join', node: 'joining worker' } as const;
const joined = { workflow: 'join', node: 'joined worker' } as const;

/** Nothing of init starts with it, so that only its own phase looks at it. */
const runOf = (name: string) =>
  name === 'etcd-healthcheck-client' ? { only: `certs/${name}` } : { phase: `certs/${name}` };

const certificateFiles = certificates.flatMap(({ name, file, issuer, isServer }): readonly MutatedArtifact[] => [
  {
    ...init,
    path: `${pki}/${file}.crt`,
    content: 'certificate',
    ...runOf(name),
    ...(issuer === undefined ? {} : { issuer: `${pki}/${issuer}.crt`, beside: `${pki}/${file}.key` }),
    changes: {
      ...(issuer === undefined ? authorityChanges : leafChanges),
      ...beyondCertificateChanges,
      ...(isServer && { 'with other names': otherNames }),
    },
  },
  {
    ...init,
    path: `${pki}/${file}.key`,
    content: 'private key',
    ...runOf(name),
    changes: {
      ...fileChanges,
      ...pemChanges,
      ...keyChanges,
      ...(name === 'front-proxy-client' ? { 'the key of something else': fileChanges['of another cluster'] } : {}),
    },
  },
]);

const serviceAccountFiles: readonly MutatedArtifact[] = [
  {
    ...init,
    path: `${pki}/sa.key`,
    content: 'private key',
    phase: 'certs/sa',
    beside: `${pki}/sa.pub`,
    changes: { ...fileChanges, ...pemChanges, ...keyChanges, ...tokenKeyChanges },
  },
  {
    ...init,
    path: `${pki}/sa.pub`,
    content: 'public key',
    phase: 'certs/sa',
    changes: { ...fileChanges, ...pemChanges, 'the key of something else': keyChanges['the key of something else'] },
  },
];

const kubeconfigs = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map(
  (name): MutatedArtifact => ({
    ...init,
    path: `${kubernetes}/${name}.conf`,
    content: 'yaml',
    phase: `kubeconfig/${name}`,
    changes: { ...fileChanges, ...kubeconfigChanges, ...kubeconfigFieldChanges },
  }),
);

const manifests = (
  [
    ['etcd', 'etcd/local'],
    ['kube-apiserver', 'control-plane/apiserver'],
    ['kube-controller-manager', 'control-plane/controller-manager'],
    ['kube-scheduler', 'control-plane/scheduler'],
  ] as const
).map(
  ([name, phase]): MutatedArtifact => ({
    ...init,
    path: `${kubernetes}/manifests/${name}.yaml`,
    content: 'yaml',
    phase,
    changes: {
      ...fileChanges,
      ...manifestChanges,
      ...foreignPodChanges,
      ...(name === 'etcd' ? foreignEtcdChanges : {}),
      ...(name === 'kube-apiserver' ? foreignServerChanges : {}),
    },
  }),
);

const etcdData: MutatedArtifact = {
  ...init,
  path: '/var/lib/etcd',
  content: 'directory',
  phase: 'etcd/local',
  changes: directoryChanges,
};

const { 'with the socket of another runtime': otherSocket } = kubeletConfigChanges;

const kubeletFiles = [init, joining].flatMap((of): readonly MutatedArtifact[] => [
  {
    ...of,
    path: '/var/lib/kubelet/config.yaml',
    content: 'yaml',
    phase: 'kubelet-start',
    changes: { ...fileChanges, ...kubeletMainConfigChanges },
  },
  {
    // Nothing but the phase that writes it reads it.
    ...of,
    path: '/var/lib/kubelet/instance-config.yaml',
    content: 'yaml',
    changes: { ...fileChanges, 'with the socket of another runtime': otherSocket },
  },
  {
    ...of,
    path: '/var/lib/kubelet/kubeadm-flags.env',
    content: 'text',
    phase: 'kubelet-start',
    changes: { ...fileChanges, ...kubeletFlagsChanges },
  },
]);

// Another path is another server, as it is with names; its certificate is in a file of its own.
const {
  'with a path behind the server': _path,
  'with a key of 1024 bits': _weak,
  'with a key of 512 bits': _short,
  ...joinedFieldChanges
} = kubeconfigFieldChanges;

const workerFiles: readonly MutatedArtifact[] = [
  {
    ...joining,
    path: `${pki}/ca.crt`,
    content: 'certificate',
    phase: 'kubelet-start',
    changes: authorityChanges,
  },
  {
    ...joining,
    path: `${kubernetes}/bootstrap-kubelet.conf`,
    content: 'yaml',
    phase: 'kubelet-start',
    changes: { ...fileChanges, ...kubeconfigChanges, ...kubeconfigFieldChanges },
  },
  {
    ...joined,
    path: `${kubernetes}/kubelet.conf`,
    content: 'yaml',
    changes: { ...fileChanges, ...kubeconfigClusterChanges, ...joinedFieldChanges },
  },
  {
    ...joined,
    path: '/var/lib/kubelet/pki/kubelet-client-current.pem',
    content: 'pem pair',
    changes: { ...fileChanges, ...pemChanges, ...pairChanges },
  },
];

export const mutatedArtifacts: readonly MutatedArtifact[] = [
  ...certificateFiles,
  ...serviceAccountFiles,
  ...kubeconfigs,
  ...manifests,
  etcdData,
  ...kubeletFiles,
  ...workerFiles,
];
