/** Names that are at most two edits away from the word, or that begin with it; case does not matter. */
export function suggestCommands(word: string, names: readonly string[]): readonly string[] {
  const typed = word.toLowerCase();
  return names.filter((name) => editDistance(typed, name.toLowerCase()) <= 2 || name.toLowerCase().startsWith(typed));
}

/** Levenshtein distance: insertions, deletions and replacements of single characters. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
