/** What a plain scalar means: a JSON scalar, or a float that JSON cannot hold. */
export type ResolvedScalar = string | number | boolean | null;

/** The type a plain scalar resolves to. Timestamps stay strings, yet writers must quote strings that look like one. */
export type ScalarType = 'string' | 'boolean' | 'null' | 'integer' | 'float' | 'timestamp' | 'merge';

export interface ScalarResolution {
  readonly type: ScalarType;
  readonly value: ResolvedScalar;
}

const words: ReadonlyMap<string, ScalarResolution> = new Map(
  (
    [
      ['boolean', true, 'y Y yes Yes YES true True TRUE on On ON'],
      ['boolean', false, 'n N no No NO false False FALSE off Off OFF'],
      ['null', null, '~ null Null NULL'],
      ['float', Number.NaN, '.nan .NaN .NAN'],
      ['float', Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF'],
      ['float', Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF'],
      ['merge', '<<', '<<'],
    ] as const
  ).flatMap(([type, value, texts]) => texts.split(' ').map((text) => [text, { type, value }] as const)),
);

const integerBases: readonly (readonly [pattern: RegExp, base: bigint])[] = [
  [/^0[xX]([0-9a-fA-F]+)$/, 16n],
  [/^0[oO]?([0-7]+)$/, 8n],
  [/^0[bB]([01]+)$/, 2n],
  [/^(0|[1-9][0-9]*)$/, 10n],
];

const floatPattern = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const timestampPattern =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/**
 * Resolves the text of a plain (unquoted, untagged) YAML scalar as Kubernetes' YAML reader does: YAML 1.1 booleans and
 * octals, 0o, 0b and 0x integers, underscores in numbers; base-60 numbers and floats that overflow are strings.
 * Source: go.yaml.in/yaml/v2, resolve.go, the reader behind sigs.k8s.io/yaml.
 */
export function resolveScalar(text: string): ScalarResolution {
  if (text === '') return { type: 'null', value: null };
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^\./.test(text)) return resolveFloat(text) ?? { type: 'string', value: text };
  if (!/^[-+0-9]/.test(text)) return { type: 'string', value: text };
  if (isTimestamp(text)) return { type: 'timestamp', value: text };
  const plain = text.replaceAll('_', '');
  return resolveInteger(plain) ?? resolveFloat(plain) ?? { type: 'string', value: text };
}

function resolveInteger(text: string): ScalarResolution | undefined {
  const negative = text.startsWith('-');
  const signed = negative || text.startsWith('+');
  const digits = signed ? text.slice(1) : text;
  for (const [pattern, base] of integerBases) {
    const match = pattern.exec(digits);
    if (match?.[1] === undefined) continue;
    // Signed 64 bits, or unsigned 64 bits where there is no sign; anything larger is tried as a float.
    const limit = negative ? 1n << 63n : signed ? (1n << 63n) - 1n : (1n << 64n) - 1n;
    let magnitude = 0n;
    for (const digit of match[1]) {
      magnitude = magnitude * base + BigInt(Number.parseInt(digit, 16));
      if (magnitude > limit) return undefined;
    }
    return { type: 'integer', value: Number(negative ? -magnitude : magnitude) };
  }
  return undefined;
}

function resolveFloat(text: string): ScalarResolution | undefined {
  if (!floatPattern.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

/** True for the date forms that Go's YAML library knows; years before 1000 and short times included. */
function isTimestamp(text: string): boolean {
  const match = timestampPattern.exec(text);
  if (match === null) return false;
  const [year, month, day, hour = 0, minute = 0, second = 0] = [1, 2, 3, 5, 6, 7].map((index) =>
    Number(match[index] ?? 0),
  ) as [number, number, number, number?, number?, number?];
  const separator = match[4];
  const zone = match[8];
  if (separator === ' ' ? zone !== undefined : separator !== undefined && zone === undefined) return false;
  const daysInMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth && hour < 24 && minute < 60 && second < 60;
}
