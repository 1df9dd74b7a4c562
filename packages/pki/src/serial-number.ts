/**
 * A serial number uniform in [1, 2^63 − 2], as hexadecimal digits: never more than 8 octets, never zero, never the
 * largest signed number.
 */
export function serialNumber(): string {
  const max = 2n ** 63n - 2n;
  for (;;) {
    const [word = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    const candidate = word >> 1n;
    if (candidate < max) return (candidate + 1n).toString(16).padStart(16, '0');
  }
}
