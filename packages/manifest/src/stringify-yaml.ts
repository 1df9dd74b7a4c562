import { compareKeys } from './compare-keys.ts';
import { doubleQuoted, literalBlock, plain, type ScalarPlace, scalarStyle, singleQuoted } from './scalar-style.ts';

/**
 * Writes JSON data as YAML, with the text that Kubernetes' own tools write for it: keys sorted, block style, two blanks
 * of indentation, lists not indented below their key, long lines folded at blanks, strings quoted wherever a YAML 1.1 reader
 * would see something else. Properties that are undefined are left out.
 * Source: sigs.k8s.io/yaml over go.yaml.in/yaml/v2.
 *
 * @param value objects, arrays, strings, finite numbers, booleans and null
 * @returns the text with a line end
 * @throws TypeError if a value has no JSON form
 */
export function stringifyYaml(value: unknown): string {
  return `${writeNode(value, { position: 'root', indent: 0, column: 0 })}\n`;
}

/** Where a node stands; the column of its first character only matters for strings, which are folded by it. */
interface NodePlace {
  readonly position: 'root' | 'item' | 'value';
  readonly indent: number;
  readonly column: number;
}

/** Text of a node that follows its `key:` or `-` (both without a blank) or stands alone. */
function writeNode(value: unknown, place: NodePlace): string {
  const before = place.position === 'root' ? '' : ' ';
  const { indent } = place;
  if (Array.isArray(value)) {
    if (value.length === 0) return `${before}[]`;
    const items = value.map((item: unknown) => writeItem(item === undefined ? null : item, indent));
    return startBlock(items, place);
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    if (entries.length === 0) return `${before}{}`;
    entries.sort(([left], [right]) => compareKeys(left, right));
    return startBlock(
      entries.map(([key, member]) => writeEntry(key, member, indent)),
      place,
    );
  }
  return `${before}${writeScalar(value, place)}`;
}

/** In a list the first line of a block shares the line of its dash; below a key a block starts on a line of its own. */
function startBlock(lines: readonly string[], { position, indent }: NodePlace): string {
  const text = lines.join(`\n${' '.repeat(indent)}`);
  return position === 'root' ? text : position === 'item' ? ` ${text}` : `\n${' '.repeat(indent)}${text}`;
}

function writeItem(value: unknown, indent: number): string {
  return `-${writeNode(value, { position: 'item', indent: indent + 2, column: indent + 2 })}`;
}

function writeEntry(key: string, value: unknown, indent: number): string {
  // Go's writer goes over to the long form for keys above 128 bytes and for keys with line breaks.
  const long = new TextEncoder().encode(key).length > 128 || /[\n\r\u0085\u2028\u2029]/.test(key);
  if (long) {
    const keyText = writeString(key, { column: indent + 2, indent: indent + 2 });
    return `? ${keyText}\n${' '.repeat(indent)}:${writeNode(value, { position: 'item', indent: indent + 2, column: indent + 2 })}`;
  }
  const keyText = writeString(key, { column: Number.NEGATIVE_INFINITY, indent }, { asKey: true });
  const column = indent + Array.from(keyText).length + 2;
  return `${keyText}:${writeNode(value, { position: 'value', indent: Array.isArray(value) ? indent : indent + 2, column })}`;
}

function writeScalar(value: unknown, { position, indent, column }: NodePlace): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return writeNumber(value);
  // Further lines are indented below the node that holds the string, at the root below nothing.
  if (typeof value === 'string') return writeString(value, { column, indent: position === 'root' ? 2 : indent });
  throw new TypeError(`Cannot write a value as YAML as it has no JSON form: ${typeof value}`);
}

function writeString(text: string, place: ScalarPlace, options: { asKey?: boolean } = {}): string {
  switch (scalarStyle(text, options.asKey)) {
    case 'plain':
      return plain(text, place);
    case 'single-quoted':
      return singleQuoted(text, place);
    case 'double-quoted':
      return doubleQuoted(text, place);
    case 'literal':
      return literalBlock(text, place.indent);
  }
}

/** Whole numbers in full, others in the shortest form, with an exponent from 1e+06 on and below 1e-04 (Go's %g). */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`Cannot write a number as YAML as it has no JSON form: ${value}`);
  if (Number.isInteger(value) && Math.abs(value) < 1e21 && value >= -(2 ** 63) && value < 2 ** 64)
    return BigInt(value).toString();
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return value.toString();
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
