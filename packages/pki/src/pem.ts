/** One block of a PEM file (RFC 7468). */
export interface PemBlock {
  /** The word between the dashes, for instance `CERTIFICATE`. */
  readonly label: string;
  /** True if the block has RFC 1421 headers (`Proc-Type: …`), as encrypted keys have. */
  readonly hasHeaders: boolean;
  readonly der: Uint8Array<ArrayBuffer>;
}

/**
 * The PEM blocks of a text, in their order. Accepts what Go's `encoding/pem` accepts: text around the blocks, CRLF,
 * blanks inside the base64. A block that is damaged is left out.
 */
export function parsePem(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  const pattern = /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n((?:(?!-----BEGIN )[\s\S])*?)^-----END \1-----[ \t\r]*$/gm;
  for (const [, label, body] of text.matchAll(pattern)) {
    if (label === undefined || body === undefined) continue;
    const lines = body.split('\n');
    const headers = lines.findIndex((line) => !line.includes(':'));
    const der = decodeBase64(lines.slice(headers).join(''));
    if (der !== undefined) blocks.push({ label, hasHeaders: headers > 0, der });
  }
  return blocks;
}

/** A PEM block with 64 characters a line and a line end at its end. */
export function encodePem(label: string, der: ArrayBuffer | Uint8Array): string {
  const base64 = encodeBase64(new Uint8Array(der));
  return `-----BEGIN ${label}-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}

/** Standard base64 with padding, or undefined if the text is none; white space is skipped. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const dense = text.replace(/[ \t\r\n]/g, '');
  if (dense.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(dense)) return undefined;
  const binary = atob(dense);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Standard base64 with padding, on one line. */
export function encodeBase64(bytes: Uint8Array): string {
  const chunk = 0x2000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk) binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(binary);
}
