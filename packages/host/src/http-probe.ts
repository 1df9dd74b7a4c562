import type { IncomingMessage } from 'node:http';
import type { SecureContextOptions } from 'node:tls';
import { timeText } from '@groundplane/errors';
import { type ProbeResult, type ProbeTrust, securityLevel } from '@groundplane/phases';
import { answerOf } from './answer-of.ts';
import { connectionReason } from './connection-reason.ts';

/** As much of a body as a message can use. */
const maximumBody = 8192;

/**
 * GET of an HTTP or HTTPS URL on a connection of its own. Certificates are not verified unless it is said whom to trust. A connection error or an answer
 * that does not come in time is a result without status.
 *
 * @throws the signal's reason if it aborts
 */
export async function httpProbe(
  url: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly trust?: ProbeTrust },
): Promise<ProbeResult> {
  options.signal?.throwIfAborted();
  const secure = new URL(url).protocol === 'https:';
  // To import node:http would load the WebSocket client as well, which takes ten times as long.
  const { get } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  const security = secure ? await securityOptions(options.trust) : {};
  try {
    const result = await beginningOf(await answerOf(get(url, { agent: false, ...security, signal })));
    // Node.js takes the end that we made for the end of an answer without length.
    signal.throwIfAborted();
    return result;
  } catch (thrown) {
    options.signal?.throwIfAborted();
    return {
      text: timeout.aborted ? `no answer within ${timeText(options.timeoutMs)}` : connectionReason(thrown),
    };
  }
}

async function beginningOf(response: IncomingMessage): Promise<ProbeResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the response.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maximumBody) break;
  }
  // Node.js tells of some ends by no error.
  if (size < maximumBody && !response.complete) throw new Error('the connection ended before the answer did');
  const text = Buffer.concat(chunks).subarray(0, maximumBody).toString('utf8');
  return response.statusCode === undefined ? { text } : { status: response.statusCode, text };
}

async function securityOptions(
  trust: ProbeTrust | undefined,
): Promise<SecureContextOptions & { rejectUnauthorized: boolean }> {
  const { DEFAULT_CIPHERS, getCACertificates } = await import('node:tls');
  const ciphers = `${DEFAULT_CIPHERS}:${securityLevel}`;
  if (trust === undefined) return { rejectUnauthorized: false, ciphers };
  const { authority, client } = trust;
  const ca = authority ?? getCACertificates('system');
  return {
    ciphers,
    rejectUnauthorized: true,
    ca,
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
  };
}
