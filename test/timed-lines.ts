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

/** The lines that came out later than this after their event, or before it. */
export function lateLines(lines: readonly TimedLine[], maximumMs: number): readonly string[] {
  return lines.flatMap(({ at, event }) => {
    const delay = at - Date.parse(event.time ?? '');
    // The time of an event has no fraction of a millisecond.
    return delay >= -1 && delay <= maximumMs ? [] : [`${event.type} after ${delay.toFixed(1)} ms`];
  });
}
