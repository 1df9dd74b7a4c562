import { manifestError } from './error-codes.ts';

/** Byte order mark → the encoding that it stands for. */
const encodings: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** No document of Kubernetes can be larger: a ConfigMap, in which configurations end up, holds as much. */
const maximumBytes = 1024 * 1024;

/**
 * The text of a file of YAML or JSON, as Go's YAML reader decodes it: UTF-8, or UTF-16 if a byte order mark says so.
 *
 * @returns the text without a byte order mark
 * @throws MANIFEST_ENCODING_INVALID with the line of the first byte that does not belong; MANIFEST_TOO_LARGE
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > maximumBytes) {
    throw manifestError(
      'MANIFEST_TOO_LARGE',
      `Cannot read the text as it is larger than 1 MiB: ${bytes.length} bytes`,
      {
        hint: 'Give a file that holds nothing but the documents',
        details: { bytes: bytes.length, maximumBytes },
      },
    );
  }
  const encoding = encodings.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const line = lineOfFault(bytes, encoding);
    throw manifestError(
      'MANIFEST_ENCODING_INVALID',
      `Cannot read the text as it is not ${encoding.toUpperCase()}: line ${line}`,
      { hint: 'Save it as UTF-8, for instance: iconv -f LATIN1 -t UTF-8', details: { encoding, line } },
    );
  }
}

/** The line, counted from 1, up to which everything can be decoded. */
function lineOfFault(bytes: Uint8Array, encoding: string): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isDecodable(bytes.subarray(0, middle), encoding)) good = middle;
    else bad = middle;
  }
  return new TextDecoder(encoding).decode(bytes.subarray(0, good)).split('\n').length;
}

/** Whether a beginning holds no fault; a character that is cut off at its end is none. */
function isDecodable(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
