import type { Finding } from '@groundplane/errors';
import { humanDuration } from '../render/human-duration.ts';
import type { CertificateReport, ReportedCertificate, ReportedEntry } from './certificate-report.ts';

/** Words that text and page have in common. */

const roles: Readonly<Record<CertificateReport['role'], string>> = {
  'control-plane': 'control-plane node',
  worker: 'worker',
  none: 'no node of a cluster',
  unknown: 'role unknown, as not all can be looked at',
};

export function roleText({ role }: Pick<CertificateReport, 'role'>): string {
  return roles[role];
}

/** How long a certificate has: `364d left`, `expired 3d ago`. */
export function residualText({ residualTime }: Pick<ReportedCertificate, 'residualTime'>): string {
  return residualTime < 0 ? `expired ${humanDuration(-residualTime)} ago` : `${humanDuration(residualTime)} left`;
}

/** `2026-12-01 01:46 UTC` */
export function minuteText(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

export function namesOf({ dnsNames, ipAddresses }: ReportedCertificate): readonly string[] {
  return [...dnsNames, ...ipAddresses];
}

/** Whether its users can trust it, in a word or two. */
export function trustText(entry: ReportedEntry): string {
  if (entry.state !== 'present') return stateTexts[entry.state];
  if (entry.kind === 'authority') return entry.chain[0]?.isSelfSigned ? 'self-signed CA' : 'CA that another one signed';
  if (entry.verified === undefined) return 'nobody verifies it';
  return entry.verified ? `verified by ${entry.authority}` : `not verified by ${entry.authority}`;
}

const stateTexts: Readonly<Record<Exclude<ReportedEntry['state'], 'present'>, string>> = {
  missing: 'missing',
  unreadable: 'cannot be read',
  'without-certificate': 'no certificate in it',
};

/** Where its private key is; nothing where the file that it is in is not one of its own. */
export function keyText({ key, keyPath, kind, externallyManaged }: ReportedEntry): string | undefined {
  if (key === undefined) return undefined;
  if (key === 'present') return keyPath;
  return kind === 'authority' && externallyManaged ? 'not on this node: external CA' : `missing: ${keyPath}`;
}

/** The gravest of what was found. */
export function worstOf(findings: readonly Pick<Finding, 'severity'>[]): 'error' | 'warning' | 'ok' {
  if (findings.some(({ severity }) => severity === 'error')) return 'error';
  return findings.length > 0 ? 'warning' : 'ok';
}

/** `AB:CD:…` as browsers and openssl show it. */
export function fingerprintText({ fingerprint }: ReportedCertificate): string {
  return (fingerprint.toUpperCase().match(/../g) ?? []).join(':');
}

export function summaryText({ certificates, errors, warnings }: CertificateReport): string {
  const of = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  return `${of(certificates.length, 'certificate')}, ${of(errors, 'error')}, ${of(warnings, 'warning')}`;
}
