import type { Artifact, Layout } from '@groundplane/phases';
import {
  certificateArtifacts,
  etcdDataDirectory,
  kubeconfigArtifacts,
  serviceAccountKey,
  serviceAccountPublicKey,
} from './artifacts.ts';
import { intermediatesFile, requestArtifacts } from './exchange-artifacts.ts';
import { bootstrapKubeconfig } from './join-artifacts.ts';

/** What reset removes beside the files that other workflows know one by one. */

interface DirectoryRow {
  readonly id: string;
  readonly description: string;
  readonly path: (layout: Layout) => string;
  readonly emptied?: true;
}

function directory({ path, ...row }: DirectoryRow): Artifact<void> {
  return {
    ...row,
    where: (layout) => ({ kind: 'directory', path: path(layout) }),
    format: { name: 'directory', parse: () => undefined, serialize: () => new Uint8Array() },
    policy: 'converge',
    external: true,
  };
}

export const manifestsDirectory = directory({
  id: 'manifests',
  description: 'static pods of this node',
  path: (layout) => `${layout.kubernetes}/manifests`,
  emptied: true,
});

export const temporaryDirectory = directory({
  id: 'tmp',
  description: 'backups of earlier upgrades',
  path: (layout) => `${layout.kubernetes}/tmp`,
  emptied: true,
});

export const kubeletDirectory = directory({
  id: 'kubelet',
  description: 'what the kubelet keeps on this node',
  path: (layout) => layout.kubelet,
  emptied: true,
});

export const etcdData: Artifact<void> = { ...etcdDataDirectory, emptied: true, external: true };

export const pkiDirectory = directory({
  id: 'pki',
  description: 'certificates and keys',
  path: (layout) => layout.pki,
});

export const etcdPkiDirectory = directory({
  id: 'pki/etcd',
  description: 'certificates and keys of etcd',
  path: (layout) => `${layout.pki}/etcd`,
});

const requests = Object.values(requestArtifacts);

/** The certificates and keys that init and join know by name; whatever else is beside them is somebody else's. */
export const pkiFiles: readonly Artifact<string>[] = [
  ...certificateArtifacts.flatMap(({ certificate, key }) => [certificate, key]),
  serviceAccountKey,
  serviceAccountPublicKey,
  ...requests.filter(({ id }) => id.startsWith('pki/')),
  intermediatesFile,
];

/** In kubeadm's order (cmd/phases/reset/cleanupnode.go), but for what has no meaning in it. */
export const kubeconfigFiles: readonly Artifact<string>[] = [
  ...Object.values(kubeconfigArtifacts),
  bootstrapKubeconfig,
  ...requests.filter(({ id }) => !id.startsWith('pki/')),
];
