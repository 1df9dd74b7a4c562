import type { IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { timeText } from '@groundplane/errors';
import { securityLevel } from '@groundplane/phases';
import { answerOf, foreignCode } from './answer-of.ts';
import { connectionReason } from './connection-reason.ts';
import { systemCode } from './error-codes.ts';
import { tunnelThrough } from './proxy-tunnel.ts';

/** Whom a server has to prove itself to: the CA of this PEM alone, those that the machine trusts, or nobody. */
export type HttpsTrust = { readonly authority: string } | 'machine' | 'nobody';

export interface HttpsGetOptions {
  readonly trust: HttpsTrust;
  /** Until the last byte of the answer is there. */
  readonly timeoutMs: number;
  /** Of the body; a larger one is not read to its end. */
  readonly maximumBytes: number;
  /** URL of a proxy to go through, `http://user:password@host:port`, of scheme http, https or socks5. */
  readonly proxy?: string;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status, or why there is none. */
export type HttpsResult =
  | { readonly status: number; readonly text: string; readonly location?: string }
  | {
      /**
       * `cut-short`: the connection ended before the answer did. `untrusted`: by the server's certificate. `foreign`: what answers
       * speaks something else than TLS and HTTP, or other versions.
       */
      readonly fault: 'unreachable' | 'untrusted' | 'timeout' | 'too-large' | 'cut-short' | 'foreign';
      /** One clause without a full stop. */
      readonly reason: string;
    };

/**
 * One GET over HTTPS on a connection of its own. Follows no redirect, sends no cookies and no credentials but those of the URL, and takes no
 * environment variable into account.
 *
 * @param url `https://…`; the host may be an IP address, that of IPv6 in brackets
 * @throws the signal's reason if it aborts, TypeError for what is no https URL
 */
export async function httpsGet(url: string, options: HttpsGetOptions): Promise<HttpsResult> {
  const { signal, timeoutMs } = options;
  signal?.throwIfAborted();
  const target = new URL(url);
  if (target.protocol !== 'https:') throw new TypeError(`Cannot get by HTTPS what is no https URL: ${url}`);
  // Node.js would take 443 instead.
  if (target.port === '0') return { fault: 'unreachable', reason: 'nothing can listen on port 0' };
  const timeout = new AbortController();
  // Not AbortSignal.timeout: that would not keep the process waiting for the answer.
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const either = signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]);
  try {
    const result = await receive(await send(target, { ...options, signal: either }), options.maximumBytes);
    // Node.js takes the end that we made for the end of an answer without length.
    either.throwIfAborted();
    return result;
  } catch (thrown) {
    signal?.throwIfAborted();
    if (timeout.signal.aborted) return timedOut(timeoutMs);
    return faultOf(thrown);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(timeoutMs: number): HttpsResult {
  return { fault: 'timeout', reason: `no complete answer came within ${timeText(timeoutMs)}` };
}

async function send(
  target: URL,
  options: HttpsGetOptions & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { proxy, signal, trust } = options;
  const { request } = await import('node:https');
  const security = await securityOptions(trust);
  const socket = proxy === undefined ? undefined : await tunnelThrough(proxy, { target, signal });
  const headers = { Accept: 'application/json', 'User-Agent': 'groundplane' };
  const through = socket === undefined ? {} : { socket };
  const outgoing = request(target, { agent: false, headers, signal, ...security, ...through });
  outgoing.on('close', () => socket?.destroy()).end();
  return answerOf(outgoing);
}

async function securityOptions(trust: HttpsTrust): Promise<RequestOptions & ConnectionOptions> {
  const { checkServerIdentity, DEFAULT_CIPHERS, getCACertificates } = await import('node:tls');
  const ciphers = trust === 'machine' ? DEFAULT_CIPHERS : `${DEFAULT_CIPHERS}:${securityLevel}`;
  if (trust === 'nobody') return { rejectUnauthorized: false, ciphers };
  return {
    ciphers,
    rejectUnauthorized: true,
    ca: trust === 'machine' ? getCACertificates('system') : trust.authority,
    // Go's verifier takes every certificate of a CA file for an anchor, also an intermediate one.
    allowPartialTrustChain: true,
    checkServerIdentity: (host: string, certificate: PeerCertificate) =>
      // Like Go's verifier, and other than Node.js, nothing goes by the common name.
      certificate.subjectaltname === undefined
        ? Object.assign(new Error(`its certificate has no subject alternative names: ${certificate.subject.CN}`), {
            code: 'ERR_TLS_CERT_ALTNAME_INVALID',
          })
        : checkServerIdentity(host, certificate),
  };
}

async function receive(response: IncomingMessage, maximumBytes: number): Promise<HttpsResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maximumBytes) return { fault: 'too-large', reason: `the answer is larger than ${maximumBytes} bytes` };
      chunks.push(chunk);
    }
    // Node.js tells of some ends by no error.
    if (!response.complete) throw new Error('no end of the message came');
  } catch (thrown) {
    if (systemCode(thrown) === 'ECONNRESET' || !response.complete)
      throw Object.assign(new Error('the connection ended before the answer did'), { code: cutShort, cause: thrown });
    throw thrown;
  } finally {
    response.destroy();
  }
  const { statusCode: status = 0, headers } = response;
  const text = Buffer.concat(chunks).toString('utf8');
  return { status, text, ...(headers.location === undefined ? {} : { location: headers.location }) };
}

const cutShort = 'GROUNDPLANE_CUT_SHORT';

/** Errors of the handshake that are about the server's certificate (OpenSSL's names, as Node.js gives them). */
const untrusted =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERR_SSL_CERTIFICATE)/;

/** That of a server which cannot make one in this moment. */
const passingAlert = /alert internal error/;

function faultOf(thrown: unknown): HttpsResult {
  const code = systemCode(thrown) ?? '';
  const reason = connectionReason(thrown);
  if (code === cutShort) return { fault: 'cut-short', reason };
  if (untrusted.test(code))
    return { fault: 'untrusted', reason: `its certificate is not trusted: ${reason} (${code})` };
  if ((code === 'EPROTO' || code.startsWith('ERR_SSL_')) && !passingAlert.test(reason))
    return { fault: 'foreign', reason: `what listens there does not speak TLS as it should: ${reason}` };
  if (code.startsWith('HPE_') || code === foreignCode)
    return { fault: 'foreign', reason: `what listens there does not speak HTTP as it should: ${reason}` };
  return { fault: 'unreachable', reason: `no connection comes about: ${reason}` };
}
