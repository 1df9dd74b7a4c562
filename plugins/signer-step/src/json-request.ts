import { request } from 'node:https';

export interface JsonRequest {
  readonly url: string;
  /** PEM of the root that the server's certificate has to lead to; `unverified` where what it says is checked in another way. */
  readonly root: string | 'unverified';
  /** Sent with POST if there is one. */
  readonly body?: unknown;
}

/** How long an authority may take to answer, in milliseconds. */
const patience = 30_000;

/** More than any answer of an authority has. */
const limit = 4 * 2 ** 20;

/**
 * Asks an authority, and reads what it answers.
 *
 * @throws Error with the authority's own message where it refuses; the body, which holds a token, is in no message
 */
export async function requestJson({ url, root, body }: JsonRequest): Promise<unknown> {
  const { status, text } = await exchange({ url, root, body });
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error(`${new URL(url).origin} answers with ${status} and no JSON`);
  }
  if (status >= 200 && status < 300) return answer;
  const { message } = (answer ?? {}) as { readonly message?: unknown };
  throw new Error(
    `${new URL(url).origin} refuses with ${status}: ${typeof message === 'string' ? message : 'it does not say why'}`,
  );
}

function exchange({ url, root, body }: JsonRequest): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const { origin } = new URL(url);
    const fail = (error: Error) => reject(new Error(`${origin} does not answer: ${error.message}`, { cause: error }));
    const verified = root === 'unverified' ? { rejectUnauthorized: false } : { ca: root };
    const sent = request(
      url,
      {
        ...verified,
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(patience),
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > limit) response.destroy(new Error('it says too much'));
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', fail);
      },
    );
    sent.on('error', (error) =>
      fail(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? new Error(`nothing came within ${patience / 1000} s`)
          : error,
      ),
    );
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
