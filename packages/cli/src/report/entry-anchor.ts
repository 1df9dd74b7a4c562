import type { ReportedEntry } from './certificate-report.ts';

/** The id of an entry in the page. */
export function anchorOf({ name }: Pick<ReportedEntry, 'name'>): string {
  return `certificate-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
}
