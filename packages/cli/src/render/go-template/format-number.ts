/** A finite float64 as a fraction, exactly. */
function fractionOf(value: number): readonly [bigint, bigint] {
  let numerator = value;
  let denominator = 1n;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    denominator *= 2n;
  }
  return [BigInt(numerator), denominator];
}

/** value · 10^shift, to the nearest integer, a tie to the even one. */
function scaled(value: number, shift: number): bigint {
  let [numerator, denominator] = fractionOf(value);
  if (shift > 0) numerator *= 10n ** BigInt(shift);
  else denominator *= 10n ** BigInt(-shift);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** Digits and the power of ten of the first one. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** @param digits how many; the fewest that name the number if not given */
function decimalOf(size: number, digits?: number): Decimal {
  const [mantissa = '', exponent = ''] = size.toExponential().split('e');
  const near = Number(exponent);
  if (digits === undefined) return { digits: mantissa.replace('.', ''), exponent: near };
  if (size === 0) return { digits: '0'.repeat(digits), exponent: 0 };
  for (const at of [near, near - 1, near + 1]) {
    const text = scaled(size, digits - 1 - at).toString();
    if (text.length === digits) return { digits: text, exponent: at };
  }
  return { digits: `1${'0'.repeat(digits - 1)}`, exponent: near + 1 };
}

function fixed(size: number, precision: number): string {
  const text = scaled(size, precision)
    .toString()
    .padStart(precision + 1, '0');
  return precision === 0 ? text : `${text.slice(0, -precision)}.${text.slice(-precision)}`;
}

function exponential({ digits, exponent }: Decimal): string {
  const [first = '0', ...rest] = digits;
  const power = `${Math.abs(exponent)}`.padStart(2, '0');
  return `${first}${rest.length > 0 ? '.' : ''}${rest.join('')}e${exponent < 0 ? '-' : '+'}${power}`;
}

function general(size: number, precision: number | undefined): string {
  const rounded = decimalOf(size, precision === undefined ? undefined : precision || 1);
  const digits = rounded.digits.replace(/0+$/, '') || '0';
  const { exponent } = rounded;
  const whole = exponent + 1;
  const wanted = precision === undefined ? generalThreshold : precision || 1;
  const most = precision !== undefined && wanted > digits.length && digits.length >= whole ? digits.length : wanted;
  if (exponent < -4 || exponent >= most) return exponential({ digits, exponent });
  if (whole <= 0) return `0.${'0'.repeat(-whole)}${digits}`;
  const padded = digits.padEnd(whole, '0');
  return padded.length > whole ? `${padded.slice(0, whole)}.${padded.slice(whole)}` : padded;
}

/** The power of ten from which on Go writes a float64 with an exponent, unless a precision is given. */
const generalThreshold = 6;

/** size = mantissa · 2^exponent, where the mantissa has 53 bits unless the number is too small for it. */
function binaryOf(size: number): readonly [mantissa: bigint, exponent: number] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, size);
  const biased = Number(bits.getBigUint64(0) >> 52n);
  const fraction = bits.getBigUint64(0) & (2n ** 52n - 1n);
  return biased === 0 ? [fraction, -1074] : [fraction + 2n ** 52n, biased - 1075];
}

function hexadecimal(size: number, precision: number | undefined): string {
  let [mantissa, exponent] = binaryOf(size);
  while (mantissa > 0n && mantissa < 2n ** 52n) {
    mantissa *= 2n;
    exponent -= 1;
  }
  if (precision !== undefined && precision < 13) {
    const unit = 16n ** BigInt(13 - precision);
    const rest = 2n * (mantissa % unit);
    mantissa /= unit;
    if (rest > unit || (rest === unit && mantissa % 2n === 1n)) mantissa += 1n;
    mantissa *= unit;
    if (mantissa >= 2n ** 53n) {
      mantissa /= 2n;
      exponent += 1;
    }
  }
  const digits = mantissa.toString(16).padStart(14, '0');
  const fraction =
    precision === undefined
      ? digits.slice(1).replace(/0+$/, '')
      : digits.slice(1).padEnd(precision, '0').slice(0, precision);
  const power = mantissa === 0n ? 0 : exponent + 52;
  const shown = `${Math.abs(power)}`.padStart(2, '0');
  return `0x${digits[0]}${fraction === '' ? '' : `.${fraction}`}p${power < 0 ? '-' : '+'}${shown}`;
}

const writers: Readonly<Record<string, (size: number, precision: number | undefined) => string>> = {
  b: (size) => {
    const [mantissa, exponent] = binaryOf(size);
    return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
  },
  e: (size, precision) => exponential(decimalOf(size, precision === undefined ? undefined : precision + 1)),
  f: (size, precision) => fixed(size, precision ?? 0),
  g: general,
  x: hexadecimal,
};

/**
 * The digits of a float64's size, without its sign (Go, strconv.FormatFloat).
 *
 * @param verb b, e, f, g or x, small or capital
 * @param precision digits after the point, for g all digits; the fewest that name the number if not given
 */
export function floatDigits(value: number, verb: string, precision: number | undefined): string {
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 'NaN';
  if (size === Number.POSITIVE_INFINITY) return 'Inf';
  const small = verb.toLowerCase();
  const text = writers[small]?.(size, precision);
  if (text === undefined) throw new TypeError(`no verb of float64: ${verb}`);
  return verb === small ? text : text.toUpperCase();
}
