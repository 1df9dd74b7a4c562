import type { Limit, Quantity } from './benchmark.ts';
import type { Comparison } from './comparison.ts';
import type { Summary } from './statistics.ts';

const units: Readonly<Record<Quantity, { readonly unit: string; readonly show: (figure: number) => string }>> = {
  time: { unit: 's', show: (seconds) => seconds.toFixed(3) },
  memory: { unit: 'MiB', show: (bytes) => (bytes / 2 ** 20).toFixed(1) },
};

const columns: readonly { readonly heading: string; readonly cell: (row: Comparison) => string }[] = [
  { heading: 'benchmark', cell: ({ title }) => title },
  { heading: 'quantity', cell: ({ quantity }) => quantity },
  { heading: 'rounds', cell: ({ groundplane }) => String(groundplane.count) },
  { heading: 'kubeadm', cell: ({ quantity, kubeadm }) => showSummary(quantity, kubeadm) },
  { heading: 'groundplane', cell: ({ quantity, groundplane }) => showSummary(quantity, groundplane) },
  { heading: 'ratio', cell: ({ ratio }) => ratio.toFixed(2) },
  { heading: 'to reach', cell: ({ limit }) => (limit === undefined ? '–' : showLimit(limit)) },
  { heading: 'reached', cell: ({ reached }) => (reached === undefined ? '–' : reached ? 'yes' : 'no') },
];

/** A line for each comparison, below one of headings: medians with the least and the most, and the ratio of medians. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const rows = [
    columns.map(({ heading }) => heading),
    ...comparisons.map((row) => columns.map(({ cell }) => cell(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function showSummary(quantity: Quantity, { median, minimum, maximum }: Summary): string {
  const { unit, show } = units[quantity];
  return `${show(median)} ${unit} (${show(minimum)}–${show(maximum)})`;
}

function showLimit(limit: Limit): string {
  return 'ratioAtMost' in limit
    ? `ratio ≤ ${limit.ratioAtMost.toFixed(2)}`
    : `ours < ${limit.secondsBelow.toFixed(3)} s`;
}
