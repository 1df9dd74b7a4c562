/** What a list of figures of one kind comes to. */
export interface Summary {
  readonly median: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly count: number;
}

/**
 * The middle figure; of an even number, the mean of the two in the middle.
 *
 * @throws TypeError for no figures, or one that is not finite
 */
export function median(figures: readonly number[]): number {
  const wrong = figures.find((figure) => !Number.isFinite(figure));
  if (figures.length === 0 || wrong !== undefined) {
    throw new TypeError(`Cannot take a median as there is none: ${wrong ?? 'no figures'}`);
  }
  const sorted = figures.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** @throws TypeError as {@link median} does */
export function summarize(figures: readonly number[]): Summary {
  return {
    median: median(figures),
    minimum: Math.min(...figures),
    maximum: Math.max(...figures),
    count: figures.length,
  };
}
