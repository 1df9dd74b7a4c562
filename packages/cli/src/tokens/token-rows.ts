import { type BootstrapToken, tokenText } from '@groundplane/discovery';
import { alignedRows } from '../render/aligned-rows.ts';

/** A token as an object of kubeadm's output API (apis/output/v1alpha3). Secret. */
export function tokenObject(token: BootstrapToken): Readonly<Record<string, unknown>> {
  const { description, expires, usages, groups } = token;
  return {
    kind: 'BootstrapToken',
    apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
    token: tokenText(token),
    ...(description ? { description } : {}),
    ...(expires === undefined ? {} : { expires: seconds(expires) }),
    ...(usages.length === 0 ? {} : { usages }),
    ...(groups.length === 0 ? {} : { groups }),
  };
}

const header = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];

/**
 * One token as a row for people, the first with the header. Columns line up with nothing before them, as in kubeadm
 * (cmd/token.go, tokenTextPrinter): programs cut rows at blanks. Secret.
 */
export function tokenRow(
  token: BootstrapToken,
  { now, isFirst }: { readonly now: Date; readonly isFirst: boolean },
): string {
  const { description, expires, usages, groups } = token;
  const row = [
    tokenText(token),
    (expires === undefined ? '<forever>' : shortDuration(expires.getTime() - now.getTime())).padEnd(9),
    expires === undefined ? '<never>' : seconds(expires),
    (usages.join(',') || '<none>').padEnd(22),
    (description || '<none>').padEnd(56),
    groups.join(',') || '<none>',
  ];
  return alignedRows(isFirst ? [header, row] : [row]);
}

function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

const units = [
  ['y', 365 * 24 * 3600],
  ['d', 24 * 3600],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** The largest unit that fits, and whole numbers (k8s.io/apimachinery, util/duration, ShortHumanDuration). */
function shortDuration(milliseconds: number): string {
  const total = Math.trunc(milliseconds / 1000);
  if (total < -1) return '<invalid>';
  const [unit, size] = units.find(([, seconds]) => total >= seconds) ?? ['s', 1];
  return `${Math.max(0, Math.trunc(total / size))}${unit}`;
}
