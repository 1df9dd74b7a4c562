import { readFile } from 'node:fs/promises';

const gzipMagic = [0x1f, 0x8b] as const;

/**
 * Text of a file that the kernel makes, such as those of /proc and /sys; a compressed one (/proc/config.gz) is unpacked.
 * `undefined` where the kernel does not show it to us.
 */
export async function readKernelFile(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch {
    return undefined;
  }
  if (bytes[0] !== gzipMagic[0] || bytes[1] !== gzipMagic[1]) return bytes.toString('utf8');
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes).toString('utf8');
}
