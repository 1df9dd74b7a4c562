/** How many lines a log is asked for: what a program of Go says when it panics is followed by the stack of a goroutine, or of all. */
export const searchedLines = 400;

const goroutine = /^goroutine \d+ \[/;
/** A function with its arguments, the place below it, and who started the goroutine. */
const frame = /^(?:\t\S+:\d+|\S+\(.*\)$|created by \S+|\.\.\.\d+ frames elided)/;

/** The last lines of a log that say something: without the stack traces of Go, whose reasons stand before them. */
export function tellingLines(lines: readonly string[], count: number): readonly string[] {
  let inTrace = false;
  const telling = lines.filter((line) => {
    inTrace = goroutine.test(line) || (inTrace && (line === '' || frame.test(line)));
    return !inTrace && line !== '';
  });
  return telling.slice(-count);
}
