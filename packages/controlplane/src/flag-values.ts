import type { Container } from '@groundplane/manifest';

/** The flags of a command line: name without dashes → its values in order, as the program would see them. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the flags from a container's command and arguments: `--name=value`, `--name value` and `--name`, which counts as
 * `true`. Everything else is skipped.
 */
export function flagValues({ command = [], args = [] }: Pick<Container, 'command' | 'args'>): FlagValues {
  const words = [...command, ...args];
  const values = new Map<string, string[]>();
  words.forEach((word, index) => {
    const match = /^--?([^-=\s][^=\s]*)(?:=([\s\S]*))?$/.exec(word);
    if (match?.[1] === undefined) return;
    const next = words[index + 1];
    const value = match[2] ?? (next === undefined || next.startsWith('-') ? 'true' : next);
    values.set(match[1], [...(values.get(match[1]) ?? []), value]);
  });
  return values;
}
