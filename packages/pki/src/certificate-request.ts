import { type CertificateRow, type ExtendedKeyUsage, isAuthority } from './certificate-table.ts';
import type { KeyAlgorithm } from './key-algorithm.ts';
import {
  type CertificateFacts,
  noSubjectAlternativeNames,
  type SubjectAlternativeNames,
} from './subject-alternative-names.ts';

export interface Subject {
  readonly commonName: string;
  /** Groups, where the certificate is a user's. */
  readonly organizations: readonly string[];
}

/** What a certificate is to be: plain data, so that a plan can show it and any signer can answer it. */
export interface CertificateRequest {
  readonly subject: Subject;
  readonly sans: SubjectAlternativeNames;
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly isCA: boolean;
  /** What the key is for, where that differs from {@link requestedKeyUsages}. */
  readonly keyUsages?: readonly KeyUsage[];
  /** Fractions of a second are dropped, as X.509 has none. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Of the new key; the signature's algorithm follows the issuer's key. */
  readonly keyAlgorithm: KeyAlgorithm;
}

export type KeyUsage = 'digitalSignature' | 'keyEncipherment' | 'keyCertSign';

/** What the key of a certificate is for (RFC 5280 4.2.1.3), as kubeadm has it: alike for all, and a CA signs certificates too. */
export function requestedKeyUsages({ isCA }: Pick<CertificateRequest, 'isCA'>): readonly KeyUsage[] {
  return ['digitalSignature', 'keyEncipherment', ...(isCA ? (['keyCertSign'] as const) : [])];
}

/** How long certificates are valid from now on, in milliseconds. */
export interface ValidityPeriods {
  /** `certificateValidityPeriod` */
  readonly certificate: number;
  /** `caCertificateValidityPeriod` */
  readonly authority: number;
}

const hour = 3_600_000;

/** One year and ten years of 365 days. */
export const defaultValidityPeriods: ValidityPeriods = { certificate: 8760 * hour, authority: 87_600 * hour };

/** Certificates begin this much before now, in milliseconds, so that a node whose clock is late accepts them. */
export const backdating = 5 * 60_000;

export interface RequestOptions {
  /** One instant for all certificates of a run. */
  readonly now: Date;
  readonly validityPeriods: ValidityPeriods;
  readonly keyAlgorithm: KeyAlgorithm;
}

/**
 * The request for one certificate of the table.
 *
 * @throws PKI_NAME_INVALID, PKI_SUBNET_INVALID if the facts hold no usable names
 */
export function certificateRequest(
  row: CertificateRow,
  facts: CertificateFacts,
  options: RequestOptions,
): CertificateRequest {
  const isCA = isAuthority(row);
  const { now, validityPeriods, keyAlgorithm } = options;
  return {
    subject: { commonName: row.commonName(facts), organizations: row.organizations },
    sans: row.sans(facts),
    extendedKeyUsages: row.extendedKeyUsages,
    isCA,
    notBefore: later(now, -backdating),
    notAfter: later(now, isCA ? validityPeriods.authority : validityPeriods.certificate),
    keyAlgorithm,
  };
}

export interface ClientRequestOptions extends RequestOptions {
  /** NotBefore of the CA that will sign: the client certificate never begins before it. */
  readonly issuerNotBefore?: Date | undefined;
  /** `issuer` begins when the CA does, as kubeadm's kubeconfigs do; `now` (the default) begins five minutes ago. */
  readonly begin?: 'now' | 'issuer' | undefined;
}

/** The request for a client certificate such as kubeconfigs embed. */
export function clientCertificateRequest(subject: Subject, options: ClientRequestOptions): CertificateRequest {
  const { now, validityPeriods, keyAlgorithm, issuerNotBefore, begin } = options;
  if (begin === 'issuer' && issuerNotBefore === undefined) {
    throw new TypeError(
      "Cannot let a certificate begin with its issuer as issuerNotBefore is not given: begin is 'issuer'",
    );
  }
  const usual = later(now, -backdating);
  const inherits = issuerNotBefore !== undefined && (begin === 'issuer' || issuerNotBefore > usual);
  return {
    subject,
    sans: noSubjectAlternativeNames,
    extendedKeyUsages: ['clientAuth'],
    isCA: false,
    notBefore: inherits ? issuerNotBefore : usual,
    notAfter: later(now, validityPeriods.certificate),
    keyAlgorithm,
  };
}

function later(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
