import type { X509Certificate } from '@peculiar/x509';
import { namesOf, otherNamesOf } from './certificate-names.ts';
import type { Subject } from './certificate-request.ts';
import { hex, subjectOf } from './distinguished-name.ts';
import type { SubjectAlternativeNames } from './subject-alternative-names.ts';
import { parseCertificate } from './x509-certificate.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A certificate as plain data. */
export interface CertificateDescription extends Validity {
  readonly subject: Subject;
  /** The whole name in the order of the certificate, for people: `O=Example, CN=kubernetes`. */
  readonly subjectText: string;
  readonly issuer: Subject;
  readonly issuerText: string;
  readonly sans: SubjectAlternativeNames;
  /** Subject alternative names of other kinds: `email:…`, `URI:…`. */
  readonly otherNames: readonly string[];
  /** The identifier of a user that Kubernetes takes from the subject (attribute 1.3.6.1.4.1.57683.2); undefined without one. */
  readonly userIdentifier: string | undefined;
  /** Hexadecimal, upper case, at least two digits. */
  readonly serialNumber: string;
  readonly isCA: boolean;
  /** Names of RFC 5280 4.2.1.3; undefined if the certificate does not restrict the usage of its key. */
  readonly keyUsages: readonly string[] | undefined;
  /** `serverAuth`, `clientAuth`, other names of RFC 5280 4.2.1.12, or object identifiers. */
  readonly extendedKeyUsages: readonly string[];
  /** `RSA-2048`, `ECDSA-P256` and the like; an object identifier where the kind is not known. */
  readonly keyAlgorithm: string;
  /** For instance `ECDSA with SHA-384`. */
  readonly signatureAlgorithm: string;
  /** Hexadecimal, lower case; undefined if the certificate has none. */
  readonly subjectKeyIdentifier: string | undefined;
  readonly authorityKeyIdentifier: string | undefined;
  /** SHA-256 of the certificate, in hexadecimal, lower case. */
  readonly fingerprint: string;
}

/**
 * When a certificate is valid; both ends belong to it.
 *
 * @param pem of several certificates the first counts
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function validityOf(pem: string): Promise<Validity> {
  const { notBefore, notAfter } = await parseCertificate(pem);
  return { notBefore, notAfter };
}

/**
 * Everything about a certificate that a person or a rule asks for.
 *
 * @param pem of several certificates the first counts
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export async function describeCertificate(pem: string): Promise<CertificateDescription> {
  return describe(await parseCertificate(pem));
}

export async function describe(certificate: X509Certificate): Promise<CertificateDescription> {
  const library = await loadX509Library();
  const { x509 } = library;
  const { notBefore, notAfter } = certificate;
  return {
    subject: subjectOf(certificate.subjectName),
    subjectText: certificate.subject,
    issuer: subjectOf(certificate.issuerName),
    issuerText: certificate.issuer,
    sans: await namesOf(certificate.extensions),
    otherNames: await otherNamesOf(certificate.extensions),
    userIdentifier: certificate.subjectName.getField(userIdentifierAttribute).at(-1),
    serialNumber: certificate.serialNumber.toUpperCase(),
    notBefore,
    notAfter,
    isCA: certificate.getExtension(x509.BasicConstraintsExtension)?.ca ?? false,
    keyUsages: keyUsagesOf(certificate, library),
    extendedKeyUsages: extendedKeyUsagesOf(certificate, library),
    keyAlgorithm: keyAlgorithmOf(certificate),
    signatureAlgorithm: signatureAlgorithmOf(certificate),
    subjectKeyIdentifier: certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
    authorityKeyIdentifier: certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
    fingerprint: hex(await crypto.subtle.digest('SHA-256', certificate.rawData)),
  };
}

function keyUsagesOf(certificate: X509Certificate, { x509 }: X509Library): readonly string[] | undefined {
  const usages = certificate.getExtension(x509.KeyUsagesExtension)?.usages;
  if (usages === undefined) return undefined;
  const names = Object.keys(x509.KeyUsageFlags).filter((name) => Number.isNaN(Number(name)));
  return names.filter((name) => (usages & x509.KeyUsageFlags[name as keyof typeof x509.KeyUsageFlags]) !== 0);
}

function extendedKeyUsagesOf(certificate: X509Certificate, { x509 }: X509Library): readonly string[] {
  const names = new Map<string, string>(Object.entries(x509.ExtendedKeyUsage).map(([name, oid]) => [oid, name]));
  const usages = [...(certificate.getExtension(x509.ExtendedKeyUsageExtension)?.usages ?? [])];
  return usages.map((usage) => (usage === anyExtendedKeyUsage ? 'any' : (names.get(String(usage)) ?? String(usage))));
}

/** k8s.io/apiserver, pkg/authentication/request/x509. */
const userIdentifierAttribute = '1.3.6.1.4.1.57683.2';

const anyExtendedKeyUsage = '2.5.29.37.0';

function keyAlgorithmOf({ publicKey }: X509Certificate): string {
  const { name, modulusLength, namedCurve }: { name?: string; modulusLength?: number; namedCurve?: string } =
    publicKey.algorithm;
  if (modulusLength !== undefined) return `RSA-${modulusLength}`;
  if (namedCurve !== undefined && name === 'ECDSA') return `ECDSA-${namedCurve.replace('-', '')}`;
  return name ?? 'unknown';
}

function signatureAlgorithmOf({ signatureAlgorithm }: X509Certificate): string {
  const { name, hash }: { name?: string; hash?: { name: string } } = signatureAlgorithm;
  const kind = name === 'RSASSA-PKCS1-v1_5' ? 'RSA' : (name ?? 'unknown');
  return hash === undefined ? kind : `${kind} with ${hash.name}`;
}
