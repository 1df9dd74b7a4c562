import { withholdSecrets, withholdTokens } from '@groundplane/errors';
import { escapeCharacter } from '../arguments/go-quote.ts';

/** Characters that move the cursor, set colours or turn text around, except for line ends and tabs. */
const controls = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that quotes what others have written, safe for a terminal: control characters are escaped as Go's `%q` does. */
export function visibleText(text: string): string {
  return text.replace(controls, escapeCharacter);
}

/**
 * A text of an error or a warning as people see it: without tokens and control characters.
 *
 * @param options.quotesInput whether it quotes arguments or files, so that keys of shared certificates may be in it, too
 */
export function shownText(text: string, options: { readonly quotesInput?: boolean } = {}): string {
  return visibleText(options.quotesInput === true ? withholdSecrets(text) : withholdTokens(text));
}

/** The same for all texts in plain data, which has its own way to escape. */
export function withheldData<T>(value: T, withhold: (text: string) => string): T {
  if (typeof value === 'string') return withhold(value) as T;
  if (Array.isArray(value)) return value.map((one) => withheldData(one, withhold)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withheldData(one, withhold)])) as T;
}

/** JSON in which no control character is left: JSON.stringify escapes only those of ASCII, and not all of them. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, undefined, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
