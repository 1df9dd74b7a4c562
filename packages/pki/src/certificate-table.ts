import {
  apiServerNames,
  type CertificateFacts,
  etcdNames,
  loopbackAddress,
  noSubjectAlternativeNames,
  requiredApiServerNames,
  type SubjectAlternativeNames,
  subjectAlternativeNames,
} from './subject-alternative-names.ts';

/** Purposes of a certificate (RFC 5280 4.2.1.12) that Kubernetes and etcd ask for. */
export type ExtendedKeyUsage = 'serverAuth' | 'clientAuth';

export type CertificateAuthorityName = 'ca' | 'front-proxy-ca' | 'etcd-ca';

export type CertificateName =
  | CertificateAuthorityName
  | 'apiserver'
  | 'apiserver-kubelet-client'
  | 'front-proxy-client'
  | 'etcd-server'
  | 'etcd-peer'
  | 'etcd-healthcheck-client'
  | 'apiserver-etcd-client';

/**
 * What the subject of a certificate is good for.
 * `user`: the user and groups that RBAC knows · `exact`: a name that a flag asks for · `label`: nobody looks at it ·
 * `free`: not even expected to be ours, as with a CA of the company.
 */
export type SubjectRole = 'user' | 'exact' | 'label' | 'free';

/** One certificate of a control-plane node. */
export interface CertificateRow {
  /** The last part of the phase id, and the name that `certs renew` knows. */
  readonly name: CertificateName;
  /** Path below the PKI folder without `.crt` and `.key`. */
  readonly baseName: string;
  readonly issuer: 'self' | CertificateAuthorityName;
  /** What it is for, in words. */
  readonly longName: string;
  readonly commonName: (facts: Pick<CertificateFacts, 'nodeName'>) => string;
  readonly organizations: readonly string[];
  readonly subjectRole: SubjectRole;
  /** Empty for a CA. */
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly sans: (facts: CertificateFacts) => SubjectAlternativeNames;
  /** The part of {@link sans} without which the cluster does not work. */
  readonly requiredSans: (facts: CertificateFacts) => SubjectAlternativeNames;
  /** Components that read the certificate or are handed it. */
  readonly usedBy: readonly string[];
  /** The component that signs with it wherever its key is, and then does not start unless the file holds one certificate. */
  readonly signer?: string;
}

const named = (commonName: string) => () => commonName;
const noNames = () => noSubjectAlternativeNames;

/** A CA carries its common name as its only DNS name. */
const authority = (commonName: string) => ({
  issuer: 'self' as const,
  commonName: named(commonName),
  organizations: [],
  subjectRole: 'free' as const,
  extendedKeyUsages: [],
  sans: () => subjectAlternativeNames([commonName]),
  requiredSans: noNames,
});

const client = (issuer: CertificateAuthorityName, commonName: string, subjectRole: SubjectRole) => ({
  issuer,
  commonName: named(commonName),
  organizations: [],
  subjectRole,
  extendedKeyUsages: ['clientAuth'] as const,
  sans: noNames,
  requiredSans: noNames,
});

/** etcd asks its servers for client usage too, as a member dials itself (etcd issue 9785). */
const etcdMember = {
  issuer: 'etcd-ca' as const,
  commonName: ({ nodeName }: Pick<CertificateFacts, 'nodeName'>) => nodeName,
  organizations: [],
  subjectRole: 'label' as const,
  extendedKeyUsages: ['serverAuth', 'clientAuth'] as const,
};

/** The ten X.509 certificates of a control-plane node with local etcd, in phase order (kubeadm: phases/certs/certlist.go). */
export const certificateTable: readonly CertificateRow[] = [
  {
    name: 'ca',
    baseName: 'ca',
    longName: 'self-signed Kubernetes CA to provision identities for other Kubernetes components',
    ...authority('kubernetes'),
    usedBy: ['kube-apiserver', 'kube-controller-manager', 'kubelet', 'clients'],
    // kubernetes pkg/controller/certificates/signer/ca_provider.go
    signer: 'kube-controller-manager',
  },
  {
    name: 'apiserver',
    baseName: 'apiserver',
    longName: 'certificate for serving the Kubernetes API',
    issuer: 'ca',
    commonName: named('kube-apiserver'),
    organizations: [],
    subjectRole: 'label',
    extendedKeyUsages: ['serverAuth'],
    sans: (facts) => subjectAlternativeNames(apiServerNames(facts)),
    requiredSans: (facts) => subjectAlternativeNames(requiredApiServerNames(facts)),
    usedBy: ['kube-apiserver'],
  },
  {
    name: 'apiserver-kubelet-client',
    baseName: 'apiserver-kubelet-client',
    longName: 'certificate for the API server to connect to kubelet',
    ...client('ca', 'kube-apiserver-kubelet-client', 'user'),
    usedBy: ['kube-apiserver'],
  },
  {
    name: 'front-proxy-ca',
    baseName: 'front-proxy-ca',
    longName: 'self-signed CA to provision identities for front proxy',
    ...authority('front-proxy-ca'),
    usedBy: ['kube-apiserver', 'kube-controller-manager', 'extension API servers'],
  },
  {
    name: 'front-proxy-client',
    baseName: 'front-proxy-client',
    longName: 'certificate for the front proxy client',
    ...client('front-proxy-ca', 'front-proxy-client', 'exact'),
    usedBy: ['kube-apiserver'],
  },
  {
    name: 'etcd-ca',
    baseName: 'etcd/ca',
    longName: 'self-signed CA to provision identities for etcd',
    ...authority('etcd-ca'),
    usedBy: ['etcd', 'kube-apiserver'],
  },
  {
    name: 'etcd-server',
    baseName: 'etcd/server',
    longName: 'certificate for serving etcd',
    ...etcdMember,
    sans: (facts) => subjectAlternativeNames(etcdNames(facts, facts.etcdServerCertSANs)),
    requiredSans: (facts) => subjectAlternativeNames([facts.advertiseAddress, loopbackAddress(facts)]),
    usedBy: ['etcd'],
  },
  {
    name: 'etcd-peer',
    baseName: 'etcd/peer',
    longName: 'certificate for etcd nodes to communicate with each other',
    ...etcdMember,
    sans: (facts) => subjectAlternativeNames(etcdNames(facts, facts.etcdPeerCertSANs)),
    requiredSans: (facts) => subjectAlternativeNames([facts.advertiseAddress]),
    usedBy: ['etcd'],
  },
  {
    name: 'etcd-healthcheck-client',
    baseName: 'etcd/healthcheck-client',
    longName: 'certificate for liveness probes to healthcheck etcd',
    ...client('etcd-ca', 'kube-etcd-healthcheck-client', 'label'),
    usedBy: ['etcd health checks'],
  },
  {
    name: 'apiserver-etcd-client',
    baseName: 'apiserver-etcd-client',
    longName: 'certificate the apiserver uses to access etcd',
    ...client('etcd-ca', 'kube-apiserver-etcd-client', 'label'),
    usedBy: ['kube-apiserver'],
  },
];

/** The key pair that signs service-account tokens: no certificate, but made in the same phase group. */
export const serviceAccountKeyPair = {
  name: 'sa',
  baseName: 'sa',
  privateKeyFile: 'sa.key',
  publicKeyFile: 'sa.pub',
  longName: 'a private key for signing service account tokens along with its public key',
  usedBy: ['kube-apiserver', 'kube-controller-manager'],
} as const;

/** The row of a certificate. */
export function certificateRow(name: CertificateName): CertificateRow {
  const row = certificateTable.find((candidate) => candidate.name === name);
  if (row === undefined) throw new TypeError(`Cannot find a certificate as the table has no such name: ${name}`);
  return row;
}

/** True for the rows that sign others. */
export function isAuthority(row: CertificateRow): row is CertificateRow & { readonly name: CertificateAuthorityName } {
  return row.issuer === 'self';
}

/** True for the CA of etcd and what it signs, which a cluster with an external etcd does not have. */
export function isOfEtcd({ name, issuer }: CertificateRow): boolean {
  return name === 'etcd-ca' || issuer === 'etcd-ca';
}
