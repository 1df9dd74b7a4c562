import { goQuote } from '../../arguments/go-quote.ts';
import { GoInteger, GoTemplateError } from './go-value.ts';

const escapeSequence = /\\(?:x([\da-fA-F]{2})|([0-7]{3})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([abfnrtv\\'"]))/y;
const named: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/**
 * The text of a quoted literal: in double quotes with escapes, or raw in backquotes (Go, strconv.Unquote).
 *
 * @throws GoTemplateError
 */
export function unquoted(literal: string): string {
  if (literal.startsWith('`')) return literal.slice(1, -1).replaceAll('\r', '');
  return Buffer.concat(characters(literal).map(({ bytes }) => bytes)).toString();
}

/**
 * The integer that a character constant is.
 *
 * @throws GoTemplateError
 */
export function characterConstant(literal: string): GoInteger {
  const malformed = new GoTemplateError(`malformed character constant: ${literal}`);
  const [only, ...more] = characters(literal);
  if (only === undefined || more.length > 0) throw malformed;
  return new GoInteger(only.code);
}

interface Character {
  readonly code: number;
  readonly bytes: Buffer;
}

/** `\x` and octal escapes are bytes, of which several can be one character. */
function characters(literal: string): readonly Character[] {
  const quote = literal[0];
  const found: Character[] = [];
  const end = literal.length - 1;
  for (let at = 1; at < end; ) {
    if (literal[at] !== '\\') {
      const code = literal.codePointAt(at) ?? 0;
      const text = String.fromCodePoint(code);
      found.push({ code, bytes: Buffer.from(text) });
      at += text.length;
      continue;
    }
    escapeSequence.lastIndex = at;
    const [whole = '', byte, octal, short, long, name] = escapeSequence.exec(literal) ?? [];
    const code = Number.parseInt(byte ?? short ?? long ?? octal ?? '', octal === undefined ? 16 : 8);
    const wrongQuote = (name === '"' || name === "'") && name !== quote;
    const outside = code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (octal !== undefined && code > 0xff);
    if (whole === '' || wrongQuote || outside) throw new GoTemplateError('invalid syntax');
    const meant = name === undefined ? code : (named[name] ?? name.charCodeAt(0));
    const isByte = byte !== undefined || octal !== undefined;
    found.push({ code: meant, bytes: isByte ? Buffer.from([meant]) : Buffer.from(String.fromCodePoint(meant)) });
    at += whole.length;
  }
  return found;
}

const integer = /^[+-]?(?:0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?\d)*)$/;
const float = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
const hexadecimalFloat = /^([+-]?)0[xX]([\da-fA-F_]*)\.?([\da-fA-F_]*)[pP]([+-]?\d+)$/;

/**
 * A number as Go reads one: an integer, or a float64 where a point or an exponent says so.
 *
 * @throws GoTemplateError also for complex numbers, which say nothing about an object
 */
export function numberLiteral(literal: string): number | GoInteger {
  if (literal.endsWith('i')) throw new GoTemplateError(`complex numbers are not supported: ${goQuote(literal)}`);
  if (integer.test(literal)) {
    const digits = literal.replaceAll('_', '').replace(/^[+-]/, '');
    const size = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
    const value = literal.startsWith('-') ? -size : size;
    if (value < -(2n ** 63n) || value >= 2n ** 64n) throw new GoTemplateError(`integer overflow: ${goQuote(literal)}`);
    if (value >= 2n ** 63n) throw new GoTemplateError(`${literal} overflows int`);
    return new GoInteger(value);
  }
  if (/^[+-]?\d+$/.test(literal)) throw new GoTemplateError(`integer overflow: ${goQuote(literal)}`);
  const [, sign, whole = '', fraction = '', exponent] = hexadecimalFloat.exec(literal.replaceAll('_', '')) ?? [];
  const value =
    exponent !== undefined && whole + fraction !== ''
      ? Number(`${sign}1`) * Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length)
      : float.test(literal)
        ? Number(literal)
        : Number.NaN;
  if (!Number.isFinite(value)) throw new GoTemplateError(`illegal number syntax: ${goQuote(literal)}`);
  return value;
}
