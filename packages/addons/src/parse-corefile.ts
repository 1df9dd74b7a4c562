/** One line of a Corefile with the block that it opens. */
export interface CorefileDirective {
  /** The words of the line: a plugin with its arguments, or the zones of a server. */
  readonly words: readonly string[];
  readonly block: readonly CorefileDirective[];
}

/** What stands for itself nowhere in a default Corefile: quotes, escapes, environment variables, imports of other files. */
const special = /["`\\]|\{\$|\{%|(^|\s)(import|\()/;

/**
 * Reads the plain part of the Corefile's grammar: lines of words, blocks in braces at the ends of lines, comments.
 *
 * @returns its servers; undefined for a Corefile that uses more of the grammar, or whose braces do not match
 */
export function parseCorefile(text: string): readonly CorefileDirective[] | undefined {
  const servers: Directive[] = [];
  const open: Directive[][] = [servers];
  for (const line of text.split(/\r?\n/)) {
    const words = line
      .replace(/(^|\s)#.*$/, '')
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) continue;
    if (special.test(words.join(' '))) return undefined;
    if (words.length === 1 && words[0] === '}') {
      open.pop();
      if (open.length === 0) return undefined;
      continue;
    }
    const opens = words.at(-1) === '{';
    if (opens) words.pop();
    if (words.length === 0 || words.some((word) => word === '{' || word === '}')) return undefined;
    const directive: Directive = { words, block: [] };
    open.at(-1)?.push(directive);
    if (opens) open.push(directive.block);
  }
  return open.length === 1 ? servers : undefined;
}

interface Directive {
  readonly words: readonly string[];
  readonly block: Directive[];
}
