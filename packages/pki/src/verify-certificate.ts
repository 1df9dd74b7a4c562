import { type Finding, isGroundplaneError, messageOf, type Severity } from '@groundplane/errors';
import { coversName } from './certificate-names.ts';
import type { Subject } from './certificate-request.ts';
import { type CertificateRow, certificateTable, isAuthority, type SubjectRole } from './certificate-table.ts';
import { type CertificateDescription, describe } from './describe-certificate.ts';
import { type Report, reporter } from './finding-reporter.ts';
import { trustFindings, validityFindings } from './judge-trust.ts';
import { isPair } from './key-pair.ts';
import { weaknessOf } from './key-strength.ts';
import {
  type CertificateFacts,
  noSubjectAlternativeNames,
  type SubjectAlternativeNames,
} from './subject-alternative-names.ts';
import { parseCertificates } from './x509-certificate.ts';
import type { ReadCertificate } from './x509-library.ts';

/** What a certificate is held to. */
export interface CertificateExpectation {
  readonly isCA: boolean;
  readonly subject: Subject;
  readonly subjectRole: SubjectRole;
  readonly extendedKeyUsages: readonly string[];
  readonly sans: SubjectAlternativeNames;
  /** Those whose absence is an error; the absence of others is a warning. */
  readonly requiredSans: SubjectAlternativeNames;
}

export interface CertificateToVerify {
  /** What findings are about: an artifact id or a path. */
  readonly artifact: string;
  /** PEM; the first certificate is the one to verify, others are intermediates. */
  readonly certificate: string;
  /** PEM of its private key, if that is to be compared. */
  readonly key?: string | undefined;
  /**
   * PEM of the CA. Left out for a CA, which is trusted because it is there.
   * Of several certificates the first alone is the anchor, as kubeadm has it, or each one, as the components have it.
   */
  readonly issuerCertificates?: string | undefined;
  readonly anchors?: 'first' | 'all' | undefined;
  /**
   * How bad it is if the CA signed the certificate although by what it says of itself it may not (key usage, name constraints).
   * kubeadm has such a CA sign; what it signed is refused later.
   * @default 'error'
   */
  readonly unfitIssuer?: Severity | undefined;
  /** The component that reads the file and takes one certificate only. @default several are allowed */
  readonly soleFor?: string | undefined;
  readonly expected: CertificateExpectation;
  readonly now: Date;
}

/** What a certificate of the table is held to. A CA is asked for the usages of what it signs, should it restrict any. */
export function expectationOf(row: CertificateRow, facts: CertificateFacts): CertificateExpectation {
  const isCA = isAuthority(row);
  const signed = certificateTable.filter(({ issuer }) => issuer === row.name);
  const usages = new Set((isCA ? signed : [row]).flatMap(({ extendedKeyUsages }) => extendedKeyUsages));
  return {
    isCA,
    subject: { commonName: row.commonName(facts), organizations: row.organizations },
    subjectRole: row.subjectRole,
    extendedKeyUsages: [...usages],
    sans: isCA ? noSubjectAlternativeNames : row.sans(facts),
    requiredSans: row.requiredSans(facts),
  };
}

/**
 * Judges a certificate, whoever made it. Nothing is thrown for what the certificate, its key or its CA hold.
 *
 * @returns findings with the codes of {@link pkiFindingCodes}; none if all is well
 */
export async function verifyCertificate(subject: CertificateToVerify): Promise<readonly Finding[]> {
  const report = reporter(subject.artifact);
  let certificates: readonly [ReadCertificate, ...ReadCertificate[]];
  try {
    certificates = await parseCertificates(subject.certificate);
  } catch (thrown) {
    return [report('PKI_CERTIFICATE_UNREADABLE', 'error', messageOf(thrown), hintOf(thrown))];
  }
  const [certificate, ...intermediates] = certificates;
  const description = await describe(certificate);
  return [
    ...(await validityFindings(description, subject, report)),
    ...(await trustFindings(certificate, intermediates, subject, report)),
    ...authorityFindings(description, subject, report),
    ...numberFindings(certificates.length, subject, report),
    ...(await keyFindings(subject, report)),
    ...strengthFindings(certificate, subject, report),
    ...usageFindings(description, subject, report),
    ...subjectFindings(description, subject, report),
    ...nameFindings(description, subject, report),
  ];
}

function authorityFindings(
  { isCA, keyUsages, subjectText }: CertificateDescription,
  { expected }: CertificateToVerify,
  report: Report,
) {
  if (!expected.isCA) return [];
  if (!isCA) {
    const message = `Cannot use the certificate as it is not a certificate authority, its basic constraints do not say CA:TRUE: ${subjectText}`;
    return [
      report(
        'PKI_CERTIFICATE_NOT_CA',
        'error',
        message,
        'Give a CA certificate with basicConstraints=critical,CA:TRUE',
      ),
    ];
  }
  if (keyUsages !== undefined && !keyUsages.includes('keyCertSign')) {
    const message = `Cannot rely on certificates of this CA as its key usage lacks keyCertSign: ${keyUsages.join(', ')}`;
    return [
      report(
        'PKI_CERTIFICATE_CANNOT_SIGN',
        'warning',
        message,
        'Give a CA certificate with keyUsage=critical,keyCertSign',
      ),
    ];
  }
  return [];
}

function numberFindings(count: number, { artifact, soleFor }: CertificateToVerify, report: Report) {
  if (soleFor === undefined || count === 1) return [];
  const message = `Cannot have ${soleFor} sign with this CA as it takes a file of one certificate, and does not start with more: ${count}`;
  return [
    report('PKI_CERTIFICATE_NOT_ALONE', 'error', message, `Leave the first certificate of ${artifact} alone in it`),
  ];
}

function hintOf(thrown: unknown): string | undefined {
  return isGroundplaneError(thrown) ? thrown.hint : undefined;
}

async function keyFindings({ certificate, key }: CertificateToVerify, report: Report) {
  if (key === undefined) return [];
  try {
    if (await isPair(certificate, key)) return [];
  } catch (thrown) {
    return [report('PKI_KEY_UNREADABLE', 'error', messageOf(thrown), hintOf(thrown))];
  }
  const hint = 'Compare: openssl x509 -noout -pubkey -in CERTIFICATE; openssl pkey -pubout -in KEY';
  return [
    report('PKI_KEY_MISMATCH', 'error', 'Cannot use the certificate as the private key beside it is another one', hint),
  ];
}

function strengthFindings({ publicKey }: ReadCertificate, { artifact, expected }: CertificateToVerify, report: Report) {
  const weakness = weaknessOf(publicKey.rawData, { isShown: !expected.isCA });
  if (weakness === undefined) return [];
  const message = `Cannot rely on the certificate as ${weakness.reason}: ${weakness.value}`;
  const hint = `Make a key of 2048 to 8192 bits with exponent 65537 and have ${artifact} signed again for it, or move it and its key away and run the phase that makes both`;
  return [report('PKI_KEY_WEAK', weakness.severity, message, hint)];
}

function usageFindings(
  { extendedKeyUsages, subjectText }: CertificateDescription,
  { expected, artifact }: CertificateToVerify,
  report: Report,
) {
  // No restriction at all, or the one that stands for all, allows every usage (RFC 5280 4.2.1.12).
  if (extendedKeyUsages.length === 0 || extendedKeyUsages.includes('any')) return [];
  const missing = expected.extendedKeyUsages.filter((usage) => !extendedKeyUsages.includes(usage));
  if (missing.length === 0) return [];
  const message = `Cannot use the certificate '${subjectText}' as its extended key usage lacks ${missing.join(' and ')}: ${extendedKeyUsages.join(', ')}`;
  // kubeadm takes such a CA; the components will refuse what it signs.
  const hint = expected.isCA
    ? 'Give a CA certificate that restricts no usages, or to these'
    : `Have ${artifact} signed again with extendedKeyUsage=${expected.extendedKeyUsages.join(',')}, or move it and its key away and run the phase that makes both`;
  return [report('PKI_USAGE_MISSING', expected.isCA ? 'warning' : 'error', message, hint)];
}

/** The group whose members may do everything, so that it does not matter who they are. */
export const superusers = 'system:masters';

function subjectFindings(
  { subject, subjectText }: CertificateDescription,
  { expected, artifact }: CertificateToVerify,
  report: Report,
) {
  const { subjectRole } = expected;
  if (subjectRole === 'free') return [];
  const missing = expected.subject.organizations.filter((name) => !subject.organizations.includes(name));
  if (subject.commonName === expected.subject.commonName && missing.length === 0) return [];
  const isUserWithoutRights = subjectRole === 'user' && !subject.organizations.includes(superusers);
  const severity = subjectRole === 'exact' || isUserWithoutRights ? 'error' : 'warning';
  const wanted = [
    ...expected.subject.organizations.map((name) => `O=${name}`),
    `CN=${expected.subject.commonName}`,
  ].join(', ');
  const message = `Cannot take the certificate as its subject is not '${wanted}': ${subjectText}`;
  const hint = `Have ${artifact} signed again for this subject, or move it and its key away and run the phase that makes both`;
  return [report('PKI_SUBJECT_DIFFERS', severity, message, hint)];
}

function nameFindings({ sans }: CertificateDescription, { expected, artifact }: CertificateToVerify, report: Report) {
  const required = allNames(expected.requiredSans).filter((name) => !coversName(sans, name));
  const others = allNames(expected.sans).filter((name) => !coversName(sans, name) && !required.includes(name));
  const present = allNames(sans).join(', ') || 'none';
  const hint = `Have ${artifact} signed again with these names, or move it and its key away and run the phase that makes both`;
  const finding = (severity: Severity, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          report(
            'PKI_SAN_MISSING',
            severity,
            `Cannot reach the server by ${names.join(', ')} as the names of its certificate are others: ${present}`,
            hint,
          ),
        ];
  return [...finding('error', required), ...finding('warning', others)];
}

function allNames({ dnsNames, ipAddresses }: SubjectAlternativeNames): readonly string[] {
  return [...dnsNames, ...ipAddresses];
}
