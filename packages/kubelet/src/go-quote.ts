const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and of the blanks only U+0020. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * Quotes text as Go's `%q` does (Go, strconv.Quote): double quotes; control and other unprintable characters as `\n`,
 * `\x01`, `\u00a0` or `\U000e0001`; printable characters outside ASCII stay. Characters newer than Unicode 15 are printable
 * here and not yet in Go.
 */
export function goQuote(text: string): string {
  return `"${Array.from(text, quoteCharacter).join('')}"`;
}

function quoteCharacter(character: string): string {
  const simple = escapes[character];
  if (simple !== undefined) return simple;
  const code = character.codePointAt(0) ?? 0;
  // UTF-8 has no lone surrogates; Go's text has the replacement character there.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (printable.test(character)) return character;
  const hex = (digits: number) => code.toString(16).padStart(digits, '0');
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`;
  return code > 0xffff ? `\\U${hex(8)}` : `\\u${hex(4)}`;
}
