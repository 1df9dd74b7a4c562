/** One element of DER (X.690): its identifier byte, what is in it, and all its bytes. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly bytes: Buffer;
}

/** The elements that lie one after another in `bytes`. Identifiers of one byte are all that certificates have. */
export function derElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    if (start + length > bytes.length) throw new RangeError(`DER is cut short at byte ${at}`);
    const content = bytes.subarray(start, start + length);
    elements.push({ tag: bytes.readUInt8(at), content, bytes: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return elements;
}

/** The one element that `bytes` is. */
export function derElement(bytes: Buffer): DerElement {
  const [element, ...rest] = derElements(bytes);
  if (element === undefined || rest.length > 0) throw new RangeError('DER is not one element');
  return element;
}

/** The content of an OBJECT IDENTIFIER with dots. */
export function oidText(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [joint = 0, ...rest] = arcs;
  const root = Math.min(Math.floor(joint / 40), 2);
  return [root, joint - root * 40, ...rest].join('.');
}
