/** A time in milliseconds as people read it: `300 ms`, from a second on `2 s` or `1.5 s`. */
export function timeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${Math.round(milliseconds / 100) / 10} s`;
}
