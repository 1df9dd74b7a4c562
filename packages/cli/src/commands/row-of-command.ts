/** A row of a table about commands. */
export interface CommandsRow {
  /** First words of the commands that it is about. */
  readonly words: string;
}

/** The row for a command: of those that begin as it does, the longest one, so that a command can differ from the rest of its group. */
export function rowOfCommand<R extends CommandsRow>(rows: readonly R[], path: readonly string[]): R | undefined {
  const line = `${path.join(' ')} `;
  const matching = rows.filter(({ words }) => line.startsWith(`${words} `));
  return matching.toSorted((one, other) => other.words.length - one.words.length)[0];
}
