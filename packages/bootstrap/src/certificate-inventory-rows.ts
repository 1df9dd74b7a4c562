import { kubeconfigRow, kubeconfigTable } from '@groundplane/kubeconfig';
import type { Artifact, Layout } from '@groundplane/phases';
import {
  type CertificateAuthorityName,
  certificateTable,
  isOfEtcd,
  type Subject,
  type SubjectRole,
} from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact } from './artifacts.ts';
import { externalEtcdFiles, kubeletClientCertificate } from './discovery-artifacts.ts';
import { filePathOf } from './file-path-of.ts';
import { placeIn } from './findings-about.ts';
import { type InitContext, kubeconfigFactsOf, layoutOf } from './init-context.ts';
import { bootstrapKubeconfig, joinedAuthority } from './join-artifacts.ts';
import { type JoinContext, joinLayoutOf } from './join-context.ts';

/** `authority` a CA · `certificate` a file of its own · `kubeconfig` inside a kubeconfig · `kubelet` what the kubelet looks after itself. */
export type InventoryKind = 'authority' | 'certificate' | 'kubeconfig' | 'kubelet';

/** One place at which a node has a certificate. */
export interface InventoryRow {
  /** kubeadm's name where it has one: that of `certs renew`, or the file. */
  readonly name: string;
  readonly kind: InventoryKind;
  readonly path: string;
  /** What it is for, in words. */
  readonly purpose: string;
  /** Components that read it or are handed it. */
  readonly usedBy: readonly string[];
  /** The entry of the CA that its users hold it to; absent for a CA and for what nobody verifies. */
  readonly authority?: string;
  /** Path of its private key, if that has a file of its own. */
  readonly keyPath?: string;
  /** True if a finished node may do without it. */
  readonly optional?: true;
  /** True if kubeadm's check-expiration lists it. */
  readonly renewable?: true;
  /** Whom it stands for, where that is not said by the certificate table. */
  readonly subject?: Subject;
  readonly subjectRole?: SubjectRole;
}

const kubernetesAuthority: CertificateAuthorityName = 'ca';

/** Which component a kubeconfig is for. */
const kubeconfigUsers: Readonly<Record<string, readonly string[]>> = {
  'admin.conf': ['administrators', 'kubeadm'],
  'super-admin.conf': ['administrators in an emergency'],
  'kubelet.conf': ['kubelet'],
  'controller-manager.conf': ['kube-controller-manager'],
  'scheduler.conf': ['kube-scheduler'],
};

/** Components that use a kubeconfig of a control-plane node, by its file name. */
export function componentsOfKubeconfig(fileName: string): readonly string[] {
  return kubeconfigUsers[fileName] ?? [];
}

/**
 * The places of a control-plane node.
 *
 * @param serving path of the kubelet's serving certificate
 */
export function controlPlaneRows(context: InitContext, serving: string): readonly InventoryRow[] {
  return [
    ...certificateTable
      .filter((row) => !isOfEtcd(row) || context.cluster.etcd.external === undefined)
      .map((row): InventoryRow => {
        const { certificate, key } = certificateArtifactsOf(row.name);
        return {
          name: row.name,
          kind: row.issuer === 'self' ? 'authority' : 'certificate',
          path: placeIn(context, certificate),
          keyPath: placeIn(context, key),
          purpose: row.longName,
          usedBy: row.usedBy,
          renewable: true,
          ...(row.issuer === 'self' ? {} : { authority: row.issuer }),
        };
      }),
    ...externalEtcdRows(context),
    ...kubeconfigTable.map((row): InventoryRow => {
      const { fileName } = row;
      return {
        name: fileName,
        kind: 'kubeconfig',
        path: placeIn(context, kubeconfigArtifact(fileName)),
        purpose: row.longName,
        usedBy: componentsOfKubeconfig(fileName),
        authority: kubernetesAuthority,
        subject: row.subject(kubeconfigFactsOf(context)),
        subjectRole: row.subjectRole,
        // The kubelet renews its own; super-admin.conf is only on the first node of a cluster.
        ...(fileName === 'kubelet.conf' ? {} : { renewable: true }),
        ...(fileName === 'super-admin.conf' ? { optional: true } : {}),
      };
    }),
    ...kubeletRows(context, { layout: layoutOf(context), serving }),
  ];
}

/** The places of a worker. */
export function workerRows(context: JoinContext, serving: string): readonly InventoryRow[] {
  const layout = joinLayoutOf(context);
  return [
    {
      name: kubernetesAuthority,
      kind: 'authority',
      path: filePathOf(joinedAuthority, layout),
      purpose: 'CA of the cluster',
      usedBy: ['kubelet'],
    },
    {
      name: 'kubelet.conf',
      kind: 'kubeconfig',
      path: filePathOf(kubeconfigArtifact('kubelet.conf'), layout),
      purpose: 'kubeconfig file for the kubelet to use',
      usedBy: ['kubelet'],
      authority: kubernetesAuthority,
      subject: kubeletSubject(context),
      subjectRole: 'user',
    },
    {
      name: 'bootstrap-kubelet.conf',
      kind: 'kubeconfig',
      path: filePathOf(bootstrapKubeconfig, layout),
      purpose: 'kubeconfig file by which the kubelet asks for its certificate',
      usedBy: ['kubelet'],
      authority: kubernetesAuthority,
      optional: true,
    },
    ...kubeletRows(context, { layout, serving }),
  ];
}

/** Somebody else makes and renews these. */
function externalEtcdRows(context: InitContext): readonly InventoryRow[] {
  const pathOf = (artifact: Artifact<string>) => {
    const place = placeIn(context, artifact);
    return place.startsWith('/') ? place : undefined;
  };
  const [ca, certificate, key] = [externalEtcdFiles.caFile, externalEtcdFiles.certFile, externalEtcdFiles.keyFile].map(
    pathOf,
  );
  return [
    ...(ca === undefined
      ? []
      : [
          {
            name: 'external-etcd-ca',
            kind: 'authority' as const,
            path: ca,
            purpose: 'CA of the external etcd',
            usedBy: ['kube-apiserver'],
          },
        ]),
    ...(certificate === undefined
      ? []
      : [
          {
            name: 'external-etcd-client',
            kind: 'certificate' as const,
            path: certificate,
            purpose: 'certificate the apiserver uses to access the external etcd',
            usedBy: ['kube-apiserver'],
            ...(key === undefined ? {} : { keyPath: key }),
            // Which CA etcd asks of its clients is its own affair; mostly it is this one, but nothing says so.
          },
        ]),
  ];
}

function kubeletRows(
  context: InitContext,
  { layout, serving }: { readonly layout: Layout; readonly serving: string },
): readonly InventoryRow[] {
  return [
    {
      name: 'kubelet-client',
      kind: 'kubelet',
      path: filePathOf(kubeletClientCertificate, layout),
      purpose: 'client certificate of the kubelet, which it renews by itself',
      usedBy: ['kubelet'],
      authority: kubernetesAuthority,
      subject: kubeletSubject(context),
      subjectRole: 'user',
      optional: true,
    },
    {
      name: 'kubelet-server',
      kind: 'kubelet',
      path: serving,
      purpose: 'certificate with which the kubelet serves its API',
      usedBy: ['kubelet'],
      optional: true,
    },
  ];
}

function kubeletSubject(context: InitContext): Subject {
  return kubeconfigRow('kubelet').subject(kubeconfigFactsOf(context));
}
