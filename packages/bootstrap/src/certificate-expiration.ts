import type { CertificateInventory, InventoryEntry } from './certificate-inventory.ts';

/** One certificate of kubeadm's output API. */
export interface ExpiringCertificate {
  readonly name: string;
  /** RFC 3339, whole seconds; null where it is missing. */
  readonly expirationDate: string | null;
  /** Whole seconds; negative once it has expired. */
  readonly residualTime: number;
  readonly externallyManaged: boolean;
  /** Name of its CA; absent for a CA. */
  readonly caName?: string;
  readonly missing: boolean;
}

/** CertificateExpirationInfo of output.kubeadm.k8s.io/v1alpha3 (kubeadm: apis/output/v1alpha3/types.go). */
export interface CertificateExpirationInfo {
  readonly kind: 'CertificateExpirationInfo';
  readonly apiVersion: 'output.kubeadm.k8s.io/v1alpha3';
  readonly certificates: readonly ExpiringCertificate[];
  readonly certificateAuthorities: readonly ExpiringCertificate[];
}

/** When the certificates that `certs renew` knows expire, and their CAs, each sorted by name (kubeadm: cmd/certs.go). */
export function certificateExpirations({ entries, time }: CertificateInventory): CertificateExpirationInfo {
  const listed = entries
    .filter(({ renewable }) => renewable)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const of = (isAuthority: boolean) =>
    listed.filter(({ kind }) => (kind === 'authority') === isAuthority).map((entry) => expirationOf(entry, time));
  return {
    kind: 'CertificateExpirationInfo',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    certificates: of(false),
    certificateAuthorities: of(true),
  };
}

function expirationOf(
  { name, authority, chain: [leaf], externallyManaged }: InventoryEntry,
  now: Date,
): ExpiringCertificate {
  if (leaf === undefined) {
    return { name, expirationDate: null, residualTime: 0, externallyManaged: false, missing: true };
  }
  const { notAfter } = leaf;
  return {
    name,
    expirationDate: notAfter.toISOString().replace(/\.\d+Z$/, 'Z'),
    residualTime: Math.trunc((notAfter.getTime() - now.getTime()) / 1000),
    externallyManaged,
    ...(authority === undefined ? {} : { caName: authority }),
    missing: false,
  };
}
