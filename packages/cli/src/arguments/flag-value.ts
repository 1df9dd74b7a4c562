import { CsvError, readCsvRecord } from './csv-record.ts';
import type { FlagRow, FlagType, FlagValue } from './flag-row.ts';
import { goQuote } from './go-quote.ts';

/** A value that its flag does not take; the message is Go's. */
export class FlagValueError extends Error {
  override readonly name = 'FlagValueError';
}

type Reader = (text: string, flag: FlagRow) => FlagValue;

const readers: Readonly<Record<FlagType, Reader>> = {
  bool: readBool,
  string: readChoice,
  int32: (text) => readInteger(text, 0),
  level: (text) => readInteger(text, 10),
  duration: readDuration,
  strings: readList,
  arguments: readPairs,
  modules: readModules,
};

/**
 * Reads one flag value as kubeadm's flag library does (spf13/pflag 1.0.10, klog v2).
 *
 * @throws FlagValueError with Go's text
 */
export function readFlagValue(flag: FlagRow, text: string): FlagValue {
  return readers[flag.type](text, flag);
}

/** Adds a repeated flag's value to what was given before: lists grow, anything else is replaced. */
export function mergeFlagValue(before: FlagValue | undefined, value: FlagValue): FlagValue {
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}

const booleans = new Map<string, boolean>([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
]);

function readBool(text: string): boolean {
  const value = booleans.get(text);
  if (value === undefined) throw new FlagValueError(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
  return value;
}

function readChoice(text: string, flag: FlagRow): string {
  if (flag.choices !== undefined && !flag.choices.includes(text)) {
    throw new FlagValueError(`must be one of ${flag.choices.join(', ')}`);
  }
  return text;
}

/** Digits of Go's integer literals; underscores only where base 0 allows them (Go, strconv.ParseInt). */
const literals: readonly { readonly pattern: RegExp; readonly base: 2 | 8 | 10 | 16 }[] = [
  { pattern: /^0[xX]((?:_?[0-9a-fA-F])+)$/, base: 16 },
  { pattern: /^0[bB]((?:_?[01])+)$/, base: 2 },
  { pattern: /^0[oO]((?:_?[0-7])+)$/, base: 8 },
  { pattern: /^0((?:_?[0-7])+)$/, base: 8 },
  { pattern: /^(0|[1-9](?:_?[0-9])*)$/, base: 10 },
];

function readInteger(text: string, base: 0 | 10): number {
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const magnitude = base === 0 ? readLiteral(body) : /^[0-9]+$/.test(body) ? Number(body) : undefined;
  if (magnitude === undefined) throw new FlagValueError(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value > 0x7fffffff || value < -0x80000000) {
    throw new FlagValueError(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  }
  return Object.is(value, -0) ? 0 : value;
}

function readLiteral(body: string): number | undefined {
  for (const { pattern, base } of literals) {
    const match = pattern.exec(body);
    if (match?.[1] !== undefined) return Number.parseInt(match[1].replaceAll('_', ''), base);
  }
  return undefined;
}

const unitNanoseconds = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** Checks a duration with the three different complaints of Go's time.ParseDuration; the text is the value. */
function readDuration(text: string): string {
  const invalid = new FlagValueError(`time: invalid duration ${goQuote(text)}`);
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return text;
  if (rest === '') throw invalid;
  let nanoseconds = 0;
  while (rest !== '') {
    const [number = ''] = /^[0-9]*\.?[0-9]*/.exec(rest) ?? [];
    if (!/[0-9]/.test(number)) throw invalid;
    rest = rest.slice(number.length);
    const [unit = ''] = /^[^0-9.]*/.exec(rest) ?? [];
    if (unit === '') throw new FlagValueError(`time: missing unit in duration ${goQuote(text)}`);
    const factor = unitNanoseconds.get(unit);
    if (factor === undefined) {
      throw new FlagValueError(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`);
    }
    nanoseconds += Number(number) * factor;
    rest = rest.slice(unit.length);
  }
  if (nanoseconds >= 2 ** 63) throw invalid;
  return text;
}

function readList(text: string): readonly string[] {
  try {
    return readCsvRecord(text);
  } catch (thrown) {
    if (thrown instanceof CsvError) throw new FlagValueError(thrown.message, { cause: thrown });
    throw thrown;
  }
}

/** kubeadm's own list type (cmd/options/argslice.go): no quoting, exactly one `=` in each pair. */
function readPairs(text: string): readonly string[] {
  const pairs = text.split(',');
  if (pairs.some((pair) => pair.split('=').length !== 2)) {
    throw new FlagValueError(`malformed key=value pair in flag value: ${text}`);
  }
  return pairs;
}

function readModules(text: string): string {
  const syntax = new FlagValueError('syntax error: expect comma-separated list of filename=N');
  for (const part of text.split(',')) {
    if (part === '') continue;
    const [pattern, level, ...more] = part.split('=');
    if (pattern === '' || level === undefined || level === '' || more.length > 0) throw syntax;
    let value: number;
    try {
      value = readInteger(level, 10);
    } catch {
      throw syntax;
    }
    if (value < 0) throw new FlagValueError('negative value for vmodule level');
  }
  return text;
}
