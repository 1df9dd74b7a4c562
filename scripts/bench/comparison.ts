import type { BenchmarkResult, Limit, Measurement, Quantity } from './benchmark.ts';
import { type Summary, summarize } from './statistics.ts';

/** One quantity of one benchmark, both sides: seconds, or bytes. */
export interface Comparison {
  readonly benchmark: string;
  readonly title: string;
  readonly quantity: Quantity;
  readonly method: string;
  readonly kubeadm: Summary;
  readonly groundplane: Summary;
  /** Of medians, ours to kubeadm's. */
  readonly ratio: number;
  readonly limit?: Limit;
  readonly reached?: boolean;
}

const figures: Readonly<Record<Quantity, (measurement: Measurement) => number>> = {
  time: ({ seconds }) => seconds,
  memory: ({ bytes }) => bytes,
};

const quantities = Object.keys(figures) as readonly Quantity[];

/** What a result comes to, for each quantity. */
export function compare({ benchmark, measurements }: BenchmarkResult): readonly Comparison[] {
  return quantities.map((quantity) => {
    const kubeadm = summarize(measurements.kubeadm.map(figures[quantity]));
    const groundplane = summarize(measurements.groundplane.map(figures[quantity]));
    const ratio = groundplane.median / kubeadm.median;
    const limit = benchmark.limits[quantity];
    return {
      benchmark: benchmark.name,
      title: benchmark.title,
      quantity,
      method: benchmark.method,
      kubeadm,
      groundplane,
      ratio,
      ...(limit === undefined ? {} : { limit, reached: isReached(limit, ratio, groundplane.median) }),
    };
  });
}

function isReached(limit: Limit, ratio: number, ours: number): boolean {
  return 'ratioAtMost' in limit ? ratio <= limit.ratioAtMost : ours < limit.secondsBelow;
}
