/** Receives what a long task has to say; every call is one line for a person. */
export type Report = (line: string) => void;

/** Writes lines to standard error, so that standard output stays the product's. */
export const reportToStderr: Report = (line) => {
  process.stderr.write(`${line}\n`);
};

const quietSeconds = 30;

/**
 * Runs `work` and tells how it goes: a line at the start, a line with the elapsed
 * time at the end, in between a ticking line on a terminal and otherwise a line
 * every 30 seconds.
 */
export async function withProgress<T>(title: string, report: Report, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000);
  const ticking = report === reportToStderr && process.stderr.isTTY;
  report(`${title} …`);
  const timer = setInterval(
    () => {
      if (ticking) process.stderr.write(`\r\x1b[K${title} … ${seconds()} s`);
      else report(`${title} … still running, ${seconds()} s`);
    },
    ticking ? 1000 : quietSeconds * 1000,
  );
  const end = (word: string) => {
    clearInterval(timer);
    if (ticking) process.stderr.write('\r\x1b[K');
    report(`${title}: ${word} after ${((Date.now() - start) / 1000).toFixed(1)} s`);
  };
  try {
    const result = await work();
    end('done');
    return result;
  } catch (cause) {
    end('failed');
    throw cause;
  }
}
