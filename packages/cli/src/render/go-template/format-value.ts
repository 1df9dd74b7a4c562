import { goQuote, goQuoteRune } from '../../arguments/go-quote.ts';
import { floatDigits } from './format-number.ts';
import { GoInteger, type GoValue, goTypeOf, isGoList, isGoMap } from './go-value.ts';

/** What stands between `%` and the verb of a directive. */
export interface FormatFlags {
  readonly width?: number;
  readonly precision?: number;
  readonly plus?: boolean;
  readonly minus?: boolean;
  readonly sharp?: boolean;
  readonly space?: boolean;
  readonly zero?: boolean;
  /** `%#v`: as Go source. */
  readonly goSyntax?: boolean;
}

export const plainFlags: FormatFlags = {};

/**
 * A value as Go's fmt prints it by a verb.
 *
 * @param verb one character; a verb that does not fit the value shows as `%!verb(type=value)`
 */
export function formatValue(value: GoValue, verb: string, flags: FormatFlags): string {
  if (value === null || value === undefined) {
    return verb === 'T' || verb === 'v' ? padded('<nil>', flags) : `%!${verb}(<nil>)`;
  }
  if (verb === 'T') return formatText(goTypeOf(value), 's', flags) ?? '';
  return formatPresent(value, verb, flags);
}

function formatPresent(value: NonNullable<GoValue>, verb: string, flags: FormatFlags): string {
  const bad = () => `%!${verb}(${goTypeOf(value)}=${formatPresent(value, 'v', flags)})`;
  if (verb === 'p' || verb === 'w') return bad();
  if (isGoList(value)) {
    const elements = value.map((element) => formatElement(element, verb, flags));
    return flags.goSyntax === true ? `[]interface {}{${elements.join(', ')}}` : `[${elements.join(' ')}]`;
  }
  if (isGoMap(value)) {
    const entries = [...value].map(
      ([key, element]) => `${formatElement(key, verb, flags)}:${formatElement(element, verb, flags)}`,
    );
    return flags.goSyntax === true ? `map[string]interface {}{${entries.join(', ')}}` : `map[${entries.join(' ')}]`;
  }
  return formatBasic(value, verb, flags) ?? bad();
}

function formatElement(value: GoValue, verb: string, flags: FormatFlags): string {
  if (value === null || value === undefined) return flags.goSyntax === true ? 'interface {}(nil)' : '<nil>';
  return formatPresent(value, verb, flags);
}

function formatBasic(value: NonNullable<GoValue>, verb: string, flags: FormatFlags): string | undefined {
  if (typeof value === 'boolean') return verb === 't' || verb === 'v' ? padded(String(value), flags) : undefined;
  if (typeof value === 'number') return formatFloat(value, verb, flags);
  if (value instanceof GoInteger) return formatInteger(value, verb, flags);
  return typeof value === 'string' ? formatText(value, verb, flags) : undefined;
}

function formatText(text: string, verb: string, flags: FormatFlags): string | undefined {
  const { precision } = flags;
  const characters = () => [...text].slice(0, precision).join('');
  switch (verb) {
    case 'v':
      return padded(flags.goSyntax === true ? goQuote(characters()) : characters(), flags);
    case 's':
      return padded(characters(), flags);
    case 'q': {
      const shown = characters();
      if (flags.sharp === true && /^[^`\p{Cc}\u007f\ufeff]*$/u.test(shown.replaceAll('\t', ''))) {
        return padded(`\`${shown}\``, flags);
      }
      return padded(flags.plus === true ? asciiOf(goQuote(shown)) : goQuote(shown), flags);
    }
    case 'x':
    case 'X': {
      const bytes = [...Buffer.from(text).subarray(0, precision)];
      const prefix = flags.sharp === true ? `0${verb}` : '';
      const digits = bytes.map((byte) => cased(byte.toString(16).padStart(2, '0'), verb));
      if (digits.length === 0) return padded('', flags);
      return padded(prefix + digits.join(flags.space === true ? ` ${prefix}` : ''), flags);
    }
    default:
      return undefined;
  }
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, O: 8, d: 10, v: 10, x: 16, X: 16 };

function formatInteger({ value, type }: GoInteger, verb: string, flags: FormatFlags): string | undefined {
  const isUnsignedSource = verb === 'v' && flags.goSyntax === true && type === 'uint8';
  const base = isUnsignedSource ? 16 : bases[verb];
  if (base !== undefined) return integerDigits(value, base, verb, isUnsignedSource ? { ...flags, sharp: true } : flags);
  const isCharacter = value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value < 0xe000n);
  const character = isCharacter ? String.fromCodePoint(Number(value)) : '\ufffd';
  if (verb === 'c') return padded(character, flags);
  if (verb === 'q') {
    const quoted = goQuoteRune(character);
    return padded(flags.plus === true ? asciiOf(quoted) : quoted, flags);
  }
  if (verb !== 'U') return undefined;
  const code = `U+${BigInt.asUintN(64, value)
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(flags.precision ?? 4, 4), '0')}`;
  const shown = flags.sharp === true && isCharacter && goQuoteRune(character).length < 5 ? ` '${character}'` : '';
  return padded(code + shown, { ...flags, zero: false });
}

function integerDigits(value: bigint, base: number, verb: string, flags: FormatFlags): string {
  const { width, precision, plus, minus, space, zero, sharp } = flags;
  if (precision === 0 && value === 0n) return padded('', { ...flags, zero: false });
  const sign = value < 0n ? '-' : plus === true ? '+' : space === true ? ' ' : '';
  const fills = precision === undefined && zero === true && minus !== true && width !== undefined;
  const least = precision ?? (fills ? width - sign.length : 0);
  const size = value < 0n ? -value : value;
  let digits = cased(size.toString(base), verb).padStart(least, '0');
  if (sharp === true && base === 2) digits = `0b${digits}`;
  if (sharp === true && base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
  if (sharp === true && base === 16) digits = `0${verb === 'X' ? 'X' : 'x'}${digits}`;
  if (verb === 'O') digits = `0o${digits}`;
  return padded(sign + digits, { ...flags, zero: false });
}

function formatFloat(value: number, verb: string, flags: FormatFlags): string | undefined {
  if (!'veEfFgGbxX'.includes(verb)) return undefined;
  const precision = flags.precision ?? ('eEfF'.includes(verb) ? 6 : undefined);
  let digits = floatDigits(value, verb === 'v' ? 'g' : verb === 'F' ? 'f' : verb, precision);
  if (flags.sharp === true && verb !== 'b') digits = withPoint(digits, verb, precision);
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.plus === true ? '+' : flags.space === true ? ' ' : '';
  const finite = Number.isFinite(value);
  if (finite && sign !== '' && flags.zero === true && flags.minus !== true && flags.width !== undefined) {
    return sign + digits.padStart(flags.width - sign.length, '0');
  }
  return padded(sign + digits, finite ? flags : { ...flags, zero: false });
}

/** `%#g`: with a point, and with all digits where the verb says how many. */
function withPoint(digits: string, verb: string, precision = 6): string {
  const exponent = verb.toLowerCase() === 'x' ? /p.*$/i : /e.*$/i;
  const [tail = ''] = exponent.exec(digits) ?? [];
  const number = digits.slice(0, digits.length - tail.length);
  const pointed = number.includes('.') ? number : `${number}.`;
  if (!'vgGx'.includes(verb)) return pointed + tail;
  const significant = pointed.replace('.', '').replace(/^0+/, '').length;
  return pointed + '0'.repeat(Math.max(0, precision - significant - (number === '0' ? 1 : 0))) + tail;
}

function cased(digits: string, verb: string): string {
  return verb === 'X' ? digits.toUpperCase() : digits;
}

function asciiOf(quoted: string): string {
  return quoted.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

function padded(text: string, { width = 0, minus, zero }: FormatFlags): string {
  const missing = Math.max(0, width - [...text].length);
  if (minus === true) return text + ' '.repeat(missing);
  return (zero === true ? '0' : ' ').repeat(missing) + text;
}
