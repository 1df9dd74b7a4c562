import { html } from 'ghtml';
import type { ReportedCertificate, ReportedEntry } from './certificate-report.ts';
import { anchorOf } from './entry-anchor.ts';
import { fingerprintText, keyText, minuteText, namesOf, residualText, trustText } from './report-words.ts';

const roles: Readonly<Record<NonNullable<ReportedCertificate['role']>, string>> = {
  leaf: 'the certificate',
  intermediate: 'intermediate CA',
  anchor: 'trusted CA',
};

/** One certificate with its chain and all that is to be said about it. */
export function entryArticle(entry: ReportedEntry): string {
  const { name, purpose, path, usedBy, reason, chain, further, findings, state } = entry;
  const [leaf] = chain;
  const key = keyText(entry);
  const facts: readonly Fact[] = [
    ['File', html`<code>${path}</code>`],
    ['Used by', html`${usedBy.join(', ')}`],
    ['Trust', html`${trustText(entry)}${reason === undefined ? '' : `: ${reason}`}`],
    ...(leaf === undefined ? [] : certificateFacts(leaf)),
    ...(key === undefined ? [] : [['Private key', html`<code>${key}</code>`] as const]),
  ];
  const links = chain.map((link) => html`<li>!${linkText(link)}</li>`);
  return html`<article id="${anchorOf(entry)}" aria-labelledby="${anchorOf(entry)}-title">
<h3 id="${anchorOf(entry)}-title">${name}</h3>
<p class="soft">${purpose}</p>
!${findings.map(
    ({ severity, message, hint = '' }) =>
      html`<p class="finding ${severity}"><span class="badge ${severity}">${severity}</span>: ${message}!${hint === '' ? '' : html`<span class="hint">${hint}</span>`}</p>`,
  )}
<dl>!${facts.map(([term, text]) => html`<dt>${term}</dt><dd>!${text}</dd>`)}</dl>
!${state === 'present' ? html`<h4>Chain</h4><ol class="chain">!${links}</ol>` : ''}
!${further.length === 0 ? '' : furtherList(further)}
</article>
`;
}

/** A term, and its description as HTML. */
type Fact = readonly [term: string, text: string];

function certificateFacts(leaf: ReportedCertificate): readonly Fact[] {
  const names = namesOf(leaf);
  return [
    ['Subject', html`<span class="mono">${leaf.subject}</span>`],
    ['Issuer', html`<span class="mono">${leaf.issuer}</span>`],
    ...(names.length === 0 ? [] : [['Names', html`<span class="mono">${names.join(', ')}</span>`] as const]),
    [
      'Valid',
      html`<time datetime="${leaf.notBefore}">${minuteText(leaf.notBefore)}</time> to <time datetime="${leaf.notAfter}">${minuteText(leaf.notAfter)}</time>, ${residualText(leaf)}`,
    ],
    ['Usages', html`${[...(leaf.keyUsages ?? []), ...leaf.extendedKeyUsages].join(', ') || 'not restricted'}`],
    ['Algorithms', html`${leaf.keyAlgorithm}, ${leaf.signatureAlgorithm}`],
    ['Serial number', html`<span class="mono">${leaf.serialNumber}</span>`],
    ['SHA-256', html`<span class="mono">${fingerprintText(leaf)}</span>`],
  ];
}

function linkText(link: ReportedCertificate): string {
  const role = link.role === undefined ? '' : ` (${roles[link.role]})`;
  return html`<span class="mono">${link.subject}</span>${role}, until ${minuteText(link.notAfter)}, ${residualText(link)}`;
}

function furtherList(further: ReportedEntry['further']): string {
  const title = further[0]?.in === 'file' ? 'Also in the file' : 'CA in the kubeconfig';
  return html`<h4>${title}</h4><ul>!${further.map(({ certificate }) => html`<li>!${linkText(certificate)}, SHA-256 <span class="mono">${fingerprintText(certificate)}</span></li>`)}</ul>`;
}
