const grammar = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
/** Quantities are kept to a billionth, rounded up. */
const nano = 10n ** 9n;
const largest = ((1n << 63n) - 1n) * nano;

/**
 * Brings a Kubernetes quantity into its normal form (apimachinery, api/resource, Quantity): no fraction, the largest
 * suffix of its family that allows it: `1.5` is `1500m`, `1024Ki` is `1Mi`, `1000e3` is `1e6`.
 *
 * @returns undefined if the text is no quantity
 */
export function normalQuantity(text: string): string | undefined {
  const { suffix, magnitude, isNegative } = partsOf(text) ?? {};
  if (suffix === undefined || magnitude === undefined) return undefined;
  const isBinary = suffix.endsWith('i') && magnitude % nano === 0n && magnitude >= 1024n * nano;
  const isExponent = /^[eE][+-]?[0-9]/.test(suffix);
  const body = isBinary ? inBinary(magnitude / nano) : inDecimal(magnitude, isExponent);
  return isNegative === true && magnitude !== 0n ? `-${body}` : body;
}

/** @returns whether the first of two quantities is not larger than the second; undefined if one of the texts is no quantity */
export function quantityAtMost(quantity: string, limit: string): boolean | undefined {
  const [one, other] = [quantity, limit].map((text) => {
    const { magnitude, isNegative } = partsOf(text) ?? {};
    return magnitude !== undefined && isNegative === true ? -magnitude : magnitude;
  });
  return one === undefined || other === undefined ? undefined : one <= other;
}

interface QuantityParts {
  readonly suffix: string;
  /** In billionths. */
  readonly magnitude: bigint;
  readonly isNegative: boolean;
}

function partsOf(text: string): QuantityParts | undefined {
  const match = grammar.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match ?? [];
  if (match === null || whole + fraction === '') return undefined;
  const exact = scaled(BigInt(whole + fraction), fraction.length, suffix);
  // Only the binary family is capped at 64 bits.
  return { suffix, magnitude: suffix.endsWith('i') && exact > largest ? largest : exact, isNegative: sign === '-' };
}

/** The value in billionths. */
function scaled(digits: bigint, places: number, suffix: string): bigint {
  const divisor = 10n ** BigInt(places);
  const power = binarySuffixes.indexOf(suffix as never);
  if (power > 0) return roundUp(digits * nano * 1024n ** BigInt(power), divisor);
  const exponent =
    /^[eE]/.test(suffix) && suffix.length > 1
      ? Number(suffix.slice(1))
      : 3 * (decimalSuffixes.indexOf(suffix as never) - 3);
  if (exponent > 100) return digits === 0n ? 0n : largest;
  if (exponent < -100) return digits === 0n ? 0n : 1n;
  return exponent < 0
    ? roundUp(digits * nano, divisor * 10n ** BigInt(-exponent))
    : roundUp(digits * nano * 10n ** BigInt(exponent), divisor);
}

function roundUp(amount: bigint, divisor: bigint): bigint {
  return (amount + divisor - 1n) / divisor;
}

function inBinary(value: bigint): string {
  let [rest, power] = [value, 0];
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) [rest, power] = [rest / 1024n, power + 1];
  return `${rest}${binarySuffixes[power]}`;
}

function inDecimal(nanos: bigint, isExponent: boolean): string {
  if (nanos === 0n) return '0';
  let [rest, power] = [nanos, 0];
  const highest = isExponent ? Number.POSITIVE_INFINITY : decimalSuffixes.length - 1;
  while (rest % 1000n === 0n && power < highest) [rest, power] = [rest / 1000n, power + 1];
  const exponent = 3 * (power - 3);
  if (!isExponent) return `${rest}${decimalSuffixes[power]}`;
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}
