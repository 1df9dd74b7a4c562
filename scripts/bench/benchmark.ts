/** The real kubeadm, and ours. */
export type Side = 'kubeadm' | 'groundplane';

export const sides: readonly Side[] = ['kubeadm', 'groundplane'];

/** One run of one command. */
export interface Measurement {
  readonly seconds: number;
  /** Peak of resident memory. */
  readonly bytes: number;
}

export type Quantity = 'time' | 'memory';

/** What is to be reached: a ratio of medians, ours to kubeadm's, or a median of ours. */
export type Limit = { readonly ratioAtMost: number } | { readonly secondsBelow: number };

export interface Benchmark {
  /** As on the command line. */
  readonly name: string;
  readonly title: string;
  /** Measured runs of each side. */
  readonly rounds: number;
  /** Runs of each side before, which do not count: files come into the page cache. */
  readonly warmUps: number;
  /** How both sides are run and what is compared, for the reader of the results. */
  readonly method: string;
  readonly limits: Partial<Record<Quantity, Limit>>;
  /** Makes a fresh start, runs the command once, and sees to it that it did what it should. */
  readonly run: (side: Side) => Promise<Measurement>;
  /** Removes what outlives a run and serves the next one, before the first run and after the last. */
  readonly release?: () => Promise<void>;
}

export interface BenchmarkResult {
  readonly benchmark: Benchmark;
  readonly measurements: Readonly<Record<Side, readonly Measurement[]>>;
}

/** What is told while a benchmark runs, a line each. */
export type Progress = (line: string) => void;

/**
 * Runs both sides by turns, and every second round in the other order, so that whatever slows the host down for a while
 * slows both down.
 *
 * @throws what a run throws, as a side that fails is no measurement; the signal's reason before the next run
 */
export async function runBenchmark(
  benchmark: Benchmark,
  options: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<BenchmarkResult> {
  const { progress, signal } = options;
  const measurements: Record<Side, Measurement[]> = { kubeadm: [], groundplane: [] };
  await benchmark.release?.();
  try {
    for (let round = 1 - benchmark.warmUps; round <= benchmark.rounds; round++) {
      for (const side of round % 2 === 0 ? sides.toReversed() : sides) {
        signal.throwIfAborted();
        const measurement = await benchmark.run(side);
        if (round > 0) measurements[side].push(measurement);
        const which = round > 0 ? `round ${round} of ${benchmark.rounds}` : 'warm-up';
        progress(`${benchmark.title}: ${which}: ${side} ${measurement.seconds.toFixed(3)} s`);
      }
    }
  } finally {
    await benchmark.release?.();
  }
  return { benchmark, measurements };
}
