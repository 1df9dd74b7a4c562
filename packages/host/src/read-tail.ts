import { isAbsent } from './error-codes.ts';
import { open } from './file-calls.ts';

/**
 * Text of the end of a file, such as a container's log: at most that many bytes, beginning at a whole line. `undefined` if there is no
 * such file.
 */
export async function readTail(path: string, maximumBytes: number): Promise<string | undefined> {
  const handle = await open(path, 'r').catch((thrown: unknown) => {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  });
  if (handle === undefined) return undefined;
  try {
    const size = Number((await handle.status()).size);
    const start = Math.max(0, size - maximumBytes);
    const buffer = Buffer.alloc(size - start);
    const text = buffer.subarray(0, await handle.read(buffer, start)).toString('utf8');
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
