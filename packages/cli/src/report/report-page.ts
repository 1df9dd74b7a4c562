import { createHash } from 'node:crypto';
import { html } from 'ghtml';
import { sourceText } from '../render/configuration-source.ts';
import { visibleText, withheldData } from '../render/shown-text.ts';
import type { CertificateReport, ReportedEntry } from './certificate-report.ts';
import { anchorOf } from './entry-anchor.ts';
import { entryArticle } from './entry-article.ts';
import { pageStyle } from './page-style.ts';
import { minuteText, roleText, summaryText, trustText, worstOf } from './report-words.ts';
import { timeLine } from './time-line.ts';

/**
 * The report as one page for a browser. It loads nothing, holds no script, and its own policy allows neither (Content Security Policy Level 3,
 * with the digest of its style sheet). Every text of a certificate is escaped, characters that turn text around too.
 *
 * @returns HTML
 */
export function reportPage(given: CertificateReport): string {
  const report = withheldData(given, visibleText);
  const { certificates, time, node, configuration, certificatesDir, namesCompared } = report;
  const digest = createHash('sha256').update(pageStyle).digest('base64');
  const title = `Certificates of ${node === '' ? 'a node' : node}`;
  // An exclamation mark before a value: it is HTML already.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>!${pageStyle}</style>
</head>
<body>
<a class="skip" href="#certificates">Skip to the certificates</a>
<header>
<h1>${title}</h1>
<p>${roleText(report)}, ${sourceText(configuration)}. Folder of certificates: <code>${certificatesDir}</code></p>
<p><strong>${summaryText(report)}</strong>, looked at on <time datetime="${time}">${minuteText(time)}</time>.</p>
!${namesCompared ? '' : html`<p>Nothing tells which names the certificates are to have, so that is not judged.</p>`}
</header>
<main>
!${findingsSection(certificates)}
<section aria-labelledby="chains-title"><h2 id="chains-title">Who signed whom</h2>
<ul class="plain tree">!${tree(certificates)}</ul>
</section>
<section aria-labelledby="timeline-title"><h2 id="timeline-title">Validity</h2>
!${timeLine(report)}
</section>
<section aria-labelledby="certificates"><h2 id="certificates" tabindex="-1">Certificates</h2>
!${certificates.map(entryArticle)}
</section>
</main>
</body>
</html>
`;
}

function findingsSection(certificates: readonly ReportedEntry[]): string {
  const findings = certificates.flatMap((entry) => entry.findings.map((finding) => ({ entry, finding })));
  const sorted = findings.toSorted((one, other) => severityOrder(one.finding) - severityOrder(other.finding));
  const items = sorted.map(
    ({ entry, finding }) =>
      html`<li class="finding ${finding.severity}"><a href="#${anchorOf(entry)}">${entry.name}</a> <span class="badge ${finding.severity}">${finding.severity}</span>: ${finding.message}</li>`,
  );
  return html`<section aria-labelledby="findings-title"><h2 id="findings-title">What to look at</h2>
!${items.length === 0 ? '<p>Nothing: all is well.</p>' : html`<ul class="plain">!${items}</ul>`}
</section>`;
}

function severityOrder({ severity }: { readonly severity: string }): number {
  return severity === 'error' ? 0 : 1;
}

/** CAs with what they sign below them; then what nobody verifies. */
function tree(certificates: readonly ReportedEntry[]): readonly string[] {
  const authorities = certificates.filter(({ kind }) => kind === 'authority');
  const signedBy = (name: string) => certificates.filter(({ authority }) => authority === name);
  const others = certificates.filter(
    ({ kind, authority }) => kind !== 'authority' && !authorities.some(({ name }) => name === authority),
  );
  return [
    ...authorities.map((entry) => {
      const signed = signedBy(entry.name);
      const below =
        signed.length === 0 ? '' : html`<ul class="plain">!${signed.map((one) => html`<li>!${link(one)}</li>`)}</ul>`;
      return html`<li>!${link(entry)}!${below}</li>`;
    }),
    ...others.map((entry) => html`<li>!${link(entry)}</li>`),
  ];
}

function link(entry: ReportedEntry): string {
  const { findings, name, usedBy } = entry;
  const worst = worstOf(findings);
  const verdict = worst === 'ok' ? '' : html` <span class="badge ${worst}">${worst}</span>`;
  return html`<a href="#${anchorOf(entry)}">${name}</a> <span class="soft">${trustText(entry)}; used by ${usedBy.join(', ')}</span>!${verdict}`;
}
