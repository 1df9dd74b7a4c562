const named: Readonly<Record<string, string>> = {
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

/** A text as Go's `%q` prints it: in double quotes, with what cannot be printed escaped (Go, strconv.Quote). */
export function goQuote(text: string): string {
  return `"${[...text].map(escapeCharacter).join('')}"`;
}

/** A single character as Go's `%q` prints a rune: in single quotes. */
export function goQuoteRune(character: string): string {
  if (character === "'") return "'\\''";
  return `'${character === '"' ? character : escapeCharacter(character)}'`;
}

/** What `%q` has inside the quotes for one character: itself if it can be printed. */
export function escapeCharacter(character: string): string {
  const short = named[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  // Letters, marks, numbers, punctuation, symbols and the plain space are printable; other separators and controls are not.
  if (code === 0x20 || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
