import { type CertificateAndKey, firstCertificate, type Subject, type SubjectRole } from '@groundplane/pki';
import { controlPlaneEndpointUrl, type LocalApiEndpoint, localEndpoint } from './endpoint.ts';
import { buildKubeconfig, type Kubeconfig } from './kubeconfig.ts';

export type KubeconfigName = 'admin' | 'super-admin' | 'kubelet' | 'controller-manager' | 'scheduler';

/** One kubeconfig file of a control-plane node. */
export interface KubeconfigRow {
  /** The last part of the phase id. */
  readonly name: KubeconfigName;
  /** Below /etc/kubernetes; also the name that `certs renew` knows. */
  readonly fileName: `${KubeconfigName}.conf`;
  readonly longName: string;
  /** Common name of the client certificate, which is the user's name too, and its groups. */
  readonly subject: (facts: Pick<KubeconfigFacts, 'nodeName'>) => Subject;
  /** `user` where a component needs these very rights, `label` where people may be somebody else. */
  readonly subjectRole: SubjectRole;
  /** The endpoint of the control plane, or the API server of the same node. */
  readonly server: 'control-plane' | 'local';
}

/** What the kubeconfigs of a node depend on. */
export interface KubeconfigFacts extends LocalApiEndpoint {
  readonly clusterName: string;
  readonly nodeName: string;
  /** As configured; empty or undefined if there is none. */
  readonly controlPlaneEndpoint?: string | undefined;
}

const fixed =
  (commonName: string, ...organizations: string[]) =>
  () => ({ commonName, organizations });

/** The five kubeconfig files, in phase order (kubeadm: phases/kubeconfig/kubeconfig.go). */
export const kubeconfigTable: readonly KubeconfigRow[] = [
  {
    name: 'admin',
    fileName: 'admin.conf',
    longName: 'kubeconfig file for the admin to use and for kubeadm itself',
    subject: fixed('kubernetes-admin', 'kubeadm:cluster-admins'),
    subjectRole: 'label',
    server: 'control-plane',
  },
  {
    name: 'super-admin',
    fileName: 'super-admin.conf',
    longName: 'kubeconfig file for the super-admin',
    subject: fixed('kubernetes-super-admin', 'system:masters'),
    subjectRole: 'label',
    server: 'control-plane',
  },
  {
    name: 'kubelet',
    fileName: 'kubelet.conf',
    longName: 'kubeconfig file for the kubelet to use *only* for cluster bootstrapping purposes',
    subject: ({ nodeName }) => ({ commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] }),
    subjectRole: 'user',
    server: 'local',
  },
  {
    name: 'controller-manager',
    fileName: 'controller-manager.conf',
    longName: 'kubeconfig file for the controller manager to use',
    subject: fixed('system:kube-controller-manager'),
    subjectRole: 'user',
    server: 'local',
  },
  {
    name: 'scheduler',
    fileName: 'scheduler.conf',
    longName: 'kubeconfig file for the scheduler to use',
    subject: fixed('system:kube-scheduler'),
    subjectRole: 'user',
    server: 'local',
  },
];

/** User of the kubeconfig that a joining kubelet starts with; it authenticates with a bootstrap token. */
export const tlsBootstrapUser = 'tls-bootstrap-token-user';

export function kubeconfigRow(name: KubeconfigName): KubeconfigRow {
  const row = kubeconfigTable.find((candidate) => candidate.name === name);
  if (row === undefined) throw new TypeError(`Cannot find a kubeconfig as the table has no such name: ${name}`);
  return row;
}

/**
 * The URL that a kubeconfig of the table points to.
 *
 * @throws KUBECONFIG_ENDPOINT_INVALID
 */
export function serverOf(row: KubeconfigRow, facts: KubeconfigFacts): string {
  return row.server === 'local' ? localEndpoint(facts) : controlPlaneEndpointUrl(facts.controlPlaneEndpoint, facts);
}

/**
 * A kubeconfig of the table around an issued client certificate.
 *
 * @param credentials `certificateAuthority`: PEM, of which the first certificate is embedded, as kubeadm does;
 *   `client`: the certificate and its key
 */
export function kubeconfigOf(
  row: KubeconfigRow,
  facts: KubeconfigFacts,
  credentials: { readonly certificateAuthority: string; readonly client: CertificateAndKey },
): Kubeconfig {
  const { certificateAuthority, client } = credentials;
  return buildKubeconfig({
    clusterName: facts.clusterName,
    server: serverOf(row, facts),
    certificateAuthority: firstCertificate(certificateAuthority),
    user: row.subject(facts).commonName,
    clientCertificate: client.certificate,
    clientKey: client.key,
  });
}
