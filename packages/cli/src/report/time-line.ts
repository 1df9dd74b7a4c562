import { html } from 'ghtml';
import type { CertificateReport, ReportedEntry } from './certificate-report.ts';
import { minuteText, residualText, worstOf } from './report-words.ts';
import { timeScale } from './time-scale.ts';

/** One bar for each certificate on a common scale. Positions are attributes of SVG, which no policy about styles forbids. */
export function timeLine(report: CertificateReport): string {
  const scale = timeScale(report);
  const now = scale.percent(report.time);
  const bars = report.certificates.flatMap((entry) => {
    const [leaf] = entry.chain;
    if (leaf === undefined) return [];
    const x = scale.percent(leaf.notBefore);
    const width = Math.round((scale.percent(leaf.notAfter) - x) * 1e4) / 1e4;
    const label = `${entry.name}: valid from ${minuteText(leaf.notBefore)} to ${minuteText(leaf.notAfter)}, ${residualText(leaf)}`;
    return [
      html`<div class="row"><span>${entry.name} <span class="soft">${residualText(leaf)}</span></span><svg class="bar" role="img" aria-label="${label}"><title>${label}</title><rect class="track" width="100%" height="100%"></rect><rect class="span ${stateOf(entry)}" x="${x}%" y="20%" width="${width}%" height="60%" rx="2"></rect><line class="now" x1="${now}%" x2="${now}%" y1="0" y2="100%"></line></svg></div>
`,
    ];
  });
  return html`<p class="soft">From <time datetime="${new Date(scale.from).toISOString()}">${dayOf(scale.from)}</time> to <time datetime="${new Date(scale.to).toISOString()}">${dayOf(scale.to)}</time>; the vertical line is the time of this report.</p>
<div class="timeline">
<div aria-hidden="true"><span></span><svg class="axis">!${ticks(scale.from, scale.to)}</svg></div>
!${bars}</div>`;
}

/** A certificate that is valid and in order is `ok`. */
function stateOf({ chain: [leaf], findings }: ReportedEntry): 'ok' | 'warning' | 'error' {
  return (leaf?.residualTime ?? 0) < 0 ? 'error' : worstOf(findings);
}

const parts = [
  [0, 'start'],
  [1 / 3, 'middle'],
  [2 / 3, 'middle'],
  [1, 'end'],
] as const;

function ticks(from: number, to: number): readonly string[] {
  return parts.map(
    ([part, anchor]) =>
      html`<text x="${Math.round(part * 1e4) / 1e2}%" y="14" text-anchor="${anchor}">${dayOf(from + part * (to - from))}</text>`,
  );
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
