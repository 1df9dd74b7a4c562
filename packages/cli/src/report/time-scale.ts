import type { CertificateReport } from './certificate-report.ts';

/** The span of time that a report shows. */
export interface TimeScale {
  readonly from: number;
  readonly to: number;
  /** Where an instant is, in percent of the span; RFC 3339, or milliseconds since the epoch. */
  readonly percent: (time: string | number) => number;
}

/** From the first beginning to the last end of all certificates, today included. */
export function timeScale({ certificates, time }: Pick<CertificateReport, 'certificates' | 'time'>): TimeScale {
  const leaves = certificates.flatMap(({ chain: [leaf] }) => (leaf === undefined ? [] : [leaf]));
  const instants = [time, ...leaves.flatMap(({ notBefore, notAfter }) => [notBefore, notAfter])].map((text) =>
    Date.parse(text),
  );
  const from = instants.reduce((one, other) => Math.min(one, other));
  const to = Math.max(
    from + 1,
    instants.reduce((one, other) => Math.max(one, other)),
  );
  return {
    from,
    to,
    percent(instant) {
      const value = typeof instant === 'number' ? instant : Date.parse(instant);
      return Math.round(((value - from) / (to - from)) * 1e6) / 1e4;
    },
  };
}
