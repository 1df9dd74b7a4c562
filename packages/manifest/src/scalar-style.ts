import { resolveScalar } from './resolve-scalar.ts';

/** How a string is written in YAML. */
export type ScalarStyle = 'plain' | 'single-quoted' | 'double-quoted' | 'literal';

/** Base-60 numbers are strings to Go's reader and numbers to other YAML 1.1 readers. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/** Further texts that are strings to Go's reader and numbers or timestamps to other YAML 1.1 readers. */
const otherReaders = [
  /^[-+]?(?:\.[0-9_]*|[0-9][0-9_]*\.?[0-9_]*)(?:[eE][-+]?[0-9]+)?$/,
  /^\d{4}-\d\d?-\d\d?(?:$|(?:[Tt]|[ \t]+)\d\d?:)/,
  /^(?:=|<<)$/,
];
/**
 * What is only written as an escape: control characters, the line breaks of YAML 1.1 that YAML 1.2 does not know, byte
 * order marks and all beyond the basic plane.
 */
const escaped = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const plainForbidden = [/^[#,[\]{}&*!|>'"%@`]/, /^---|^\.\.\./, /^[-?](?= |$)/, /:(?= |$)/, / #/, /^ | $/];

/**
 * The style in which Go's YAML writer puts a string, so that YAML 1.1 readers read that very string again. A few
 * that Go leaves plain are quoted, too, as other readers misread them: `=`, `<<`, `1e999`, dates with odd times.
 * Source: go.yaml.in/yaml/v2, encode.go (stringv) and emitterc.go (analyze_scalar, select_scalar_style).
 *
 * @param text the string
 * @param asKey true for a mapping key, which may not be a block
 */
export function scalarStyle(text: string, asKey = false): ScalarStyle {
  if (text === '' || escaped.test(text)) return 'double-quoted';
  if (text.includes('\n')) return asKey || text.includes(' \n') || text.endsWith(' ') ? 'double-quoted' : 'literal';
  if (resolveScalar(text).type !== 'string' || [base60, ...otherReaders].some((pattern) => pattern.test(text)))
    return 'double-quoted';
  return plainForbidden.some((pattern) => pattern.test(text)) ? 'single-quoted' : 'plain';
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** Where a string is written: the column it starts in and the indentation of its further lines. */
export interface ScalarPlace {
  readonly column: number;
  readonly indent: number;
}

/** Go's writer breaks a line at the first blank behind this column. */
const foldColumn = 80;

/** The string on one or more lines without quotes. */
export function plain(text: string, place: ScalarPlace): string {
  return fold(Array.from(text), place);
}

/** The string between single quotes. For strings without line breaks. */
export function singleQuoted(text: string, { column, indent }: ScalarPlace): string {
  const pieces = Array.from(text, (character) => (character === "'" ? "''" : character));
  return `'${fold(pieces, { column: column + 1, indent })}'`;
}

/** The string between double quotes, escaped as YAML 1.1 knows it. */
export function doubleQuoted(text: string, { column, indent }: ScalarPlace): string {
  const pieces = Array.from(text, (character) => {
    const short = escapes[character];
    if (short !== undefined) return `\\${short}`;
    if (!escaped.test(character)) return character;
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
  return `"${fold(pieces, { column: column + 1, indent }, { escapesBlanks: true })}"`;
}

/** Joins the written characters and breaks long lines, where a reader puts the blank back. */
function fold(pieces: readonly string[], place: ScalarPlace, options: { escapesBlanks?: boolean } = {}): string {
  let text = '';
  let column = place.column;
  let afterBlank = false;
  pieces.forEach((piece, index) => {
    const next = pieces[index + 1];
    const foldable = piece === ' ' && !afterBlank && index > 0 && column > foldColumn;
    if (foldable && next !== undefined && (next !== ' ' || options.escapesBlanks === true)) {
      const lead = `${' '.repeat(place.indent)}${next === ' ' ? '\\' : ''}`;
      text += `\n${lead}`;
      column = lead.length;
    } else {
      text += piece;
      column += Array.from(piece).length;
    }
    afterBlank = piece === ' ';
  });
  return text;
}

/** The header and the lines of a literal block, every line indented by `indent` blanks, without the last line end. */
export function literalBlock(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = text.endsWith('\n\n') || text === '\n' ? '+' : text.endsWith('\n') ? '' : '-';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  return `|${hint}${chomp}\n${lines.join('\n')}`;
}
