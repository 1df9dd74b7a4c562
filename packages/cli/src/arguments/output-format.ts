const written = /^(?:--output=|-o=?)(.+)$/s;

/**
 * The value of `-o` or `--output` in a command line that cannot be read as a whole, for instance as one of its flags is unknown.
 * The last one counts; undefined if there is none.
 */
export function outputFormat(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const values = words.flatMap((word, index) =>
    word === '-o' || word === '--output' ? (words[index + 1] ?? []) : (written.exec(word)?.[1] ?? []),
  );
  return values.at(-1);
}
