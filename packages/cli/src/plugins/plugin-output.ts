/** How standard output is written to by whoever does not go by our own output, which writes to the descriptor. */
const written = process.stdout.write;

/** From now on what plugins print goes to standard error: on standard output there is a document, or text that others parse. */
export function divertPluginOutput(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}

/** For a command of a plugin, whose output is its own. */
export function restorePluginOutput(): void {
  process.stdout.write = written;
}
