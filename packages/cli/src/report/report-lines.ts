import { sourceText } from '../render/configuration-source.ts';
import type { CertificateReport, ReportedCertificate, ReportedEntry } from './certificate-report.ts';
import {
  fingerprintText,
  keyText,
  minuteText,
  namesOf,
  residualText,
  roleText,
  summaryText,
  trustText,
  worstOf,
} from './report-words.ts';

/** The report for people in a terminal: an overview, each certificate, and what is wrong. */
export function reportLines(report: CertificateReport): readonly string[] {
  const { node, configuration, certificatesDir, namesCompared, certificates } = report;
  const width = Math.max(0, ...certificates.map(({ name }) => name.length));
  return [
    `${node === '' ? 'This node' : node}: ${roleText(report)}, ${sourceText(configuration)}`,
    `${summaryText(report)}; folder of certificates: ${certificatesDir}`,
    ...(namesCompared ? [] : ['Nothing tells which names the certificates are to have, so that is not judged']),
    '',
    ...certificates.map((entry) => overviewLine(entry, width)),
    ...certificates.flatMap(entryLines),
  ];
}

function overviewLine(entry: ReportedEntry, width: number): string {
  const [leaf] = entry.chain;
  const worst = worstOf(entry.findings);
  const verdict = worst === 'ok' ? '' : `  ${worst.toUpperCase()}`;
  const facts = leaf === undefined ? entry.state : `${leaf.notAfter.slice(0, 10)}  ${residualText(leaf)}`;
  return `${entry.name.padEnd(width)}  ${facts}  ${trustText(entry)}${verdict}`;
}

function entryLines(entry: ReportedEntry): readonly string[] {
  const { name, purpose, path, usedBy, reason, chain, further, findings } = entry;
  const [leaf, ...above] = chain;
  const key = keyText(entry);
  return [
    '',
    `${name}: ${purpose}`,
    `  file         ${path}`,
    ...(usedBy.length === 0 ? [] : [`  used by      ${usedBy.join(', ')}`]),
    ...(reason === undefined ? [] : [`  state        ${trustText(entry)}: ${reason}`]),
    ...(leaf === undefined ? [] : certificateLines(leaf)),
    ...above.map((link) => `  signed by    ${link.subject}, until ${minuteText(link.notAfter)} (${link.role})`),
    ...(key === undefined ? [] : [`  private key  ${key}`]),
    ...further.map(
      ({ in: place, certificate }) =>
        `  ${place === 'file' ? 'also in it ' : 'trusts     '}  ${certificate.subject}, until ${minuteText(certificate.notAfter)}`,
    ),
    ...findings.flatMap(({ severity, message, hint }) => [
      `  ${severity === 'error' ? 'ERROR' : 'WARNING'}: ${message}`,
      ...(hint === undefined ? [] : [`    ${hint}`]),
    ]),
  ];
}

function certificateLines(leaf: ReportedCertificate): readonly string[] {
  const names = namesOf(leaf);
  return [
    `  subject      ${leaf.subject}`,
    ...(names.length === 0 ? [] : [`  names        ${names.join(', ')}`]),
    `  valid        ${minuteText(leaf.notBefore)} to ${minuteText(leaf.notAfter)}, ${residualText(leaf)}`,
    `  algorithms   ${leaf.keyAlgorithm}, ${leaf.signatureAlgorithm}`,
    `  SHA-256      ${fingerprintText(leaf)}`,
  ];
}
