/** What a shell would do something else about than take it as it is. */
const special = /[|&;<>()$`*?[]/;

/** The same at the beginning of a word: a home directory, a comment. */
const specialFirst = /[~#]/;

/** Within double quotes a backslash is one but before these. */
const escapable = '$`"\\';

/** How a text is split, or why it cannot be. */
export type ShellWords = { readonly words: readonly string[] } | { readonly reason: string };

/**
 * Splits a text into words as a shell does (POSIX, Shell Command Language 2.2 and 2.6.5): blanks part them, `'…'` keeps all as it is, `"…"` all but
 * `\` before `$`, `` ` ``, `"` and `\`, and outside of quotes `\` keeps the next character. Nothing is expanded and nothing run: what a shell would expand or act on
 * is refused unless it is quoted, so that nobody relies on it.
 */
export function shellWords(text: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  let quote: "'" | '"' | undefined;
  const refuse = (character: string) => ({
    reason: `no shell reads it, and a shell would not take '${character}' as it is; put it in single quotes`,
  });
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (quote === "'") {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (quote === '"') {
      if (character === quote) quote = undefined;
      else if (character === '\\' && next !== undefined && escapable.includes(next)) {
        word += next;
        at += 1;
      } else if (character === '$' || character === '`') return refuse(character);
      else word += character;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      if (next === undefined) return { reason: 'it ends with a backslash' };
      word = (word ?? '') + next;
      at += 1;
    } else if (special.test(character) || (word === undefined && specialFirst.test(character))) {
      return refuse(character);
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return { reason: `a quote is not closed: ${quote}` };
  if (word !== undefined) words.push(word);
  return { words };
}
