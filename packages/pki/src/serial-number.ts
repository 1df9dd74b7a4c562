/**
 * A serial number uniform in [1, 2^63 − 2]: never more than 8 octets, never zero, never the largest signed number.
 *
 * @returns the contents octets of a DER INTEGER
 */
export function serialNumber(): ArrayBuffer {
  const max = 2n ** 63n - 2n;
  for (;;) {
    const [word = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    const candidate = word >> 1n;
    if (candidate >= max) continue;
    const octets = new Uint8Array(8);
    new DataView(octets.buffer).setBigUint64(0, candidate + 1n);
    return unsignedInteger(octets);
  }
}

/** The contents octets of a DER INTEGER (X.690 8.3) for octets that stand for an unsigned number: as few as possible, the first bit zero. */
export function unsignedInteger(bytes: Uint8Array): ArrayBuffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const octets = first < 0 ? [0] : [...bytes.subarray(first)];
  return Uint8Array.from((octets[0] ?? 0) > 0x7f ? [0, ...octets] : octets).buffer;
}
