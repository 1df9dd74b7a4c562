/** One element of DER (X.690 8.1). */
export interface DerElement {
  /** Class, constructed bit and number, which all fit into one octet where they are looked at here. */
  readonly tag: number;
  readonly contents: Uint8Array<ArrayBuffer>;
  /** Tag, length and contents. */
  readonly whole: Uint8Array<ArrayBuffer>;
}

/**
 * The elements that stand one behind the other, as they are: what a CA calls itself is copied, not read and written anew.
 *
 * @throws Error if they are cut short
 */
export function derElements(bytes: Uint8Array<ArrayBuffer>): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0;
    const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthOctets;
    let length = first;
    if (lengthOctets > 0) length = bytes.subarray(at + 2, start).reduce((sum, octet) => sum * 256 + octet, 0);
    const end = start + length;
    if (end > bytes.length) throw new Error('its DER is cut short');
    elements.push({ tag: bytes[at] ?? 0, contents: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return elements;
}

/** An element with this tag around contents that stand one behind the other. */
export function derElement(tag: number, ...contents: readonly (ArrayBuffer | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = contents.map((part) => new Uint8Array(part));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = [tag, ...lengthOf(length)];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
}

/** Tags of the elements that are built here. */
export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  sequence: 0x30,
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const;
