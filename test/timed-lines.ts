/** A line, and when it came out of the program. */
export interface TimedLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: { readonly type: string; readonly time?: string; readonly [field: string]: unknown };
}

/**
 * A command of bash that writes the time, a blank and the line for each line of its input, as soon as the line is there. It goes first where
 * others want the processor, too: what is measured is when lines are written.
 */
export const stampLines = `nice -n -19 bash -c 'while IFS= read -r line; do printf "%s %s\\n" "$EPOCHREALTIME" "$line"; done'`;

/** What {@link stampLines} wrote. */
export function timedLines(output: string): readonly TimedLine[] {
  return output
    .trim()
    .split('\n')
    .map((line) => {
      const blank = line.indexOf(' ');
      return { at: Number(line.slice(0, blank)) * 1000, event: JSON.parse(line.slice(blank + 1)) };
    });
}

/** A command of bash that writes the time twenty times a second, as far as it gets to run. */
export const tickTimes = `while sleep 0.05; do printf '%s\\n' "$EPOCHREALTIME"; done`;

/** From when to when nobody got to run, in milliseconds since the epoch. */
export type Stall = readonly [from: number, to: number];

/** Where the times that {@link tickTimes} wrote are more than a tenth of a second apart. */
export function stallsOf(ticks: string): readonly Stall[] {
  const times = ticks
    .trim()
    .split('\n')
    .map((time) => Number(time) * 1000);
  return times.slice(1).flatMap((to, index) => {
    const from = times[index] ?? to;
    return to - from > 100 ? [[from, to] as const] : [];
  });
}

/**
 * The lines that came out later than this after their event, or before it.
 *
 * @param stalls are not counted
 */
export function lateLines(
  lines: readonly TimedLine[],
  maximumMs: number,
  stalls: readonly Stall[] = [],
): readonly string[] {
  return lines.flatMap(({ at, event }) => {
    const happened = Date.parse(event.time ?? '');
    const stalled = stalls.map(([from, to]) => Math.max(0, Math.min(to, at) - Math.max(from, happened)));
    const delay = at - happened - stalled.reduce((sum, one) => sum + one, 0);
    // The time of an event has no fraction of a millisecond.
    return delay >= -1 && delay <= maximumMs ? [] : [`${event.type} after ${delay.toFixed(1)} ms`];
  });
}
