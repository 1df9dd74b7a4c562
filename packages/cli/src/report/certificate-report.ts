import type { CertificateInventory, InventoryEntry } from '@groundplane/bootstrap';
import type { Finding } from '@groundplane/errors';

type Link = InventoryEntry['chain'][number];
type Described = InventoryEntry['further'][number]['certificate'];

/** A certificate as plain data. */
export interface ReportedCertificate {
  /** `leaf` · `intermediate` · `anchor`: what its users trust; absent for what is in no chain. */
  readonly role?: Link['role'];
  readonly subject: string;
  readonly issuer: string;
  readonly isSelfSigned?: boolean;
  readonly isCA: boolean;
  readonly serialNumber: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** Whole seconds until then; negative once it has expired. */
  readonly residualTime: number;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly keyUsages?: readonly string[];
  readonly extendedKeyUsages: readonly string[];
  readonly keyAlgorithm: string;
  readonly signatureAlgorithm: string;
  /** SHA-256, hexadecimal, lower case. */
  readonly fingerprint: string;
}

/** One place at which the node has a certificate. */
export interface ReportedEntry {
  readonly name: string;
  readonly kind: InventoryEntry['kind'];
  readonly path: string;
  readonly purpose: string;
  readonly usedBy: readonly string[];
  readonly state: InventoryEntry['state'];
  readonly reason?: string;
  readonly authority?: string;
  readonly verified?: boolean;
  readonly externallyManaged: boolean;
  readonly keyPath?: string;
  readonly key?: 'present' | 'missing';
  /** The certificate first. */
  readonly chain: readonly ReportedCertificate[];
  readonly further: readonly {
    readonly in: InventoryEntry['further'][number]['in'];
    readonly certificate: ReportedCertificate;
  }[];
  readonly findings: readonly Finding[];
}

/** What `certs report` prints, as text, as JSON and as a page. Holds nothing secret. */
export interface CertificateReport {
  readonly node: string;
  readonly role: CertificateInventory['role'];
  /** RFC 3339. */
  readonly time: string;
  readonly configuration: CertificateInventory['configuration'];
  readonly certificatesDir: string;
  readonly namesCompared: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly certificates: readonly ReportedEntry[];
  readonly notes: readonly Finding[];
}

/** The report out of an inventory. What may be missing and is does not appear. */
export function certificateReport(inventory: CertificateInventory): CertificateReport {
  const { node, role, time, configuration, certificatesDir, namesCompared, warnings: notes } = inventory;
  const certificates = inventory.entries
    .filter(({ optional, state }) => !(optional && state === 'missing'))
    .map((entry) => reportedEntry(entry, time));
  const findings = certificates.flatMap((entry) => entry.findings);
  const count = (wanted: Finding['severity']) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    node,
    role,
    time: time.toISOString(),
    configuration,
    certificatesDir,
    namesCompared,
    errors: count('error'),
    warnings: count('warning'),
    certificates,
    notes,
  };
}

/** Field by field, so that nothing else of an inventory gets into a report. */
function reportedEntry(entry: InventoryEntry, now: Date): ReportedEntry {
  const { name, kind, path, purpose, usedBy, state, externallyManaged, findings, chain, further } = entry;
  const { reason, authority, verified, keyPath, key } = entry;
  return {
    name,
    kind,
    path,
    purpose,
    usedBy,
    state,
    ...(reason === undefined || state === 'present' ? {} : { reason }),
    ...(authority === undefined ? {} : { authority }),
    ...(verified === undefined ? {} : { verified }),
    externallyManaged,
    ...(keyPath === undefined ? {} : { keyPath }),
    ...(key === undefined ? {} : { key }),
    chain: chain.map((link) => ({
      role: link.role,
      ...reportedCertificate(link, now),
      isSelfSigned: link.isSelfSigned,
    })),
    further: further.map(({ in: place, certificate }) => ({
      in: place,
      certificate: reportedCertificate(certificate, now),
    })),
    findings,
  };
}

function reportedCertificate(certificate: Described, now: Date): ReportedCertificate {
  const { notBefore, notAfter, sans, keyUsages } = certificate;
  return {
    subject: certificate.subjectText,
    issuer: certificate.issuerText,
    isCA: certificate.isCA,
    serialNumber: certificate.serialNumber,
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    residualTime: Math.trunc((notAfter.getTime() - now.getTime()) / 1000),
    dnsNames: sans.dnsNames,
    ipAddresses: sans.ipAddresses,
    ...(keyUsages === undefined ? {} : { keyUsages }),
    extendedKeyUsages: certificate.extendedKeyUsages,
    keyAlgorithm: certificate.keyAlgorithm,
    signatureAlgorithm: certificate.signatureAlgorithm,
    fingerprint: certificate.fingerprint,
  };
}
