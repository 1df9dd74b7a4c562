import type { IncomingMessage } from 'node:http';

/** Code of the error of {@link readText}. */
export const tooLargeCode = 'GROUNDPLANE_TOO_LARGE';

/** Of an answer, or of one line of a stream: more than any page of a list has. */
export const mostBytes = 64 * 1024 * 1024;

/**
 * The body of an answer as UTF-8.
 *
 * @throws the error of the connection, or one of code {@link tooLargeCode}, after which nothing more is read
 */
export async function readText(response: IncomingMessage, maximumBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the response.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) throw tooLarge(maximumBytes);
    chunks.push(chunk);
  }
  // Node.js tells of some ends by no error.
  if (!response.complete) throw new Error('the connection ended before the answer did');
  return Buffer.concat(chunks).toString('utf8');
}

export function tooLarge(maximumBytes: number): Error {
  return Object.assign(new Error(`its answer is larger than ${maximumBytes} bytes`), { code: tooLargeCode });
}
