/** Control characters, and those that turn the direction of writing. */
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const longest = 1000;

/** A text that may hold somebody else's words, so that it plays no tricks with a terminal or a log, and has an end. */
export function visibleText(text: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replace(invisible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
