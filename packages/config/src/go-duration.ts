/** Nanoseconds of each unit that a Go duration may be written with; both micro signs are accepted. */
const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const maximum = (1n << 63n) - 1n;
const term = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]+)/;

/**
 * Parses a Go duration such as `1h30m` or `-1.5h` (Go, time.ParseDuration): units ns, us, µs, ms, s, m, h,
 * fractions, one sign in front, sums. A bare number is refused except `0`.
 *
 * @returns nanoseconds, or undefined if the text is no duration or leaves the range of a 64-bit integer
 */
export function parseGoDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  let rest = text.slice(sign.length);
  if (rest === '0') return 0n;
  if (rest === '') return undefined;
  let total = 0n;
  while (rest !== '') {
    const match = term.exec(rest);
    const [whole = '', digits = '', fraction = '', unitName = ''] = match ?? [];
    const unit = unitNanoseconds[unitName];
    if (match === null || unit === undefined || (digits === '' && fraction === '')) return undefined;
    total += BigInt(digits === '' ? '0' : digits) * unit + fractionNanoseconds(fraction, unit);
    if (total > maximum + 1n) return undefined;
    rest = rest.slice(whole.length);
  }
  if (sign === '-') return -total;
  return total > maximum ? undefined : total;
}

/** The fraction of a unit, with the same floating-point rounding as Go's. */
function fractionNanoseconds(fraction: string, unit: bigint): bigint {
  if (fraction === '') return 0n;
  let value = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = value * 10n + BigInt(digit);
    // Go ignores the digits that no longer fit into 64 bits.
    if (value > maximum / 10n || next > maximum + 1n) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Writes nanoseconds as Go does (Go, Duration.String): `4m0s`, `1.5s`, `100ms`, `1µs`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}\u00b5s`;
  if (amount < 1_000_000_000n) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / 60_000_000_000n;
  const seconds = `${decimal(amount % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}

/**
 * Milliseconds of a Go duration, for timers and dates; parts of a millisecond are cut off.
 *
 * @throws TypeError if the text is no Go duration: values in a configuration that was read always are
 */
export function goDurationMilliseconds(text: string): number {
  const nanoseconds = parseGoDuration(text);
  if (nanoseconds === undefined) throw new TypeError(`Cannot read a Go duration: ${JSON.stringify(text)}`);
  return Number(nanoseconds / 1_000_000n);
}
