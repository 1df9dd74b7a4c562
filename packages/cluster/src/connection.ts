import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request as secureRequest } from 'node:https';
import { DEFAULT_CIPHERS } from 'node:tls';
import { messageOf } from '@groundplane/errors';
import { securityLevel } from '@groundplane/phases';
import { answerOf } from './answer-of.ts';
import { type Credentials, credentialsInTime, type Plugin } from './credentials-in-time.ts';
import { type EmbeddedCredentials, embeddedCredentials } from './embedded-credentials.ts';
import { clusterError } from './error-codes.ts';
import { noAnswer } from './no-answer.ts';
import { type Environment, proxyFor, usableProxy } from './proxy-environment.ts';
import { mostBytes, readText } from './read-text.ts';
import { stoppablePlugin } from './stoppable-plugin.ts';
import { systemCodeOf } from './system-code.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** Until the whole answer is there; for a stream, until its head is. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** Seconds, where the server says when to try again. */
  readonly retryAfter?: number;
  /** Where a redirect leads, which is not followed. */
  readonly location?: string;
}

/** One identity at one API server. Rejects with the error of the connection; every HTTP status is an answer. */
export interface Connection {
  /** `https://192.0.2.1:6443` */
  readonly server: string;
  request(request: ApiRequest): Promise<ApiAnswer>;
  /** The answer as it comes in; the caller destroys it. */
  stream(request: ApiRequest): Promise<IncomingMessage>;
}

/** The API server closes idle connections after 90 s or more. */
const idleMs = 30_000;
/** A peer that is gone without a word is noticed by keep-alive packets. */
const keepAliveMs = 10_000;
/** Programs that fetch credentials may ask somebody over the network. */
const credentialsMs = 30_000;

export interface ConnectionOptions {
  readonly kubeconfig: string;
  readonly server?: string | undefined;
  readonly environment: Environment;
  /** Of one answer; no more of a larger one is read. @default 64 MiB */
  readonly maximumBytes?: number | undefined;
  /** For a program that fetches credentials. @default 30 s */
  readonly credentialsMs?: number | undefined;
}

/**
 * Reads a kubeconfig and makes the connection that its current context describes. Nothing is sent yet.
 *
 * @throws GroundplaneError CLUSTER_KUBECONFIG_INVALID, CLUSTER_PROXY_INVALID
 */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const embedded = embeddedCredentials(options.kubeconfig);
  if (embedded !== undefined) {
    const url = parseServer((options.server ?? embedded.server).replace(/\/$/, ''));
    // Ways through a proxy are the library's.
    if (proxyFor(url, options.environment) === undefined) {
      return connectionTo(url, { ...options, credentials: plainly(embedded), proxied: false });
    }
  }
  const { KubeConfig } = await import('./kube-config.ts');
  const config = new KubeConfig();
  try {
    config.loadFromString(withTokenFileKey(options.kubeconfig));
  } catch (thrown) {
    throw invalid(reasonOf(thrown), thrown);
  }
  const found = config.getCurrentCluster();
  if (found === null)
    throw invalid(`its current context '${config.getCurrentContext() ?? ''}' names no cluster that it holds`);
  const server = (options.server ?? found.server).replace(/\/$/, '');
  const url = parseServer(server);
  const proxyUrl = found.proxyUrl
    ? usableProxy(found.proxyUrl, 'proxy-url of the kubeconfig')
    : proxyFor(url, options.environment);
  // A context without user is one that trusts a CA and says nothing about itself: cluster-info is such a kubeconfig.
  const user = config.getCurrentUser() ?? { name: 'anonymous' };
  const token = user.token === undefined ? {} : { token: String(user.token).trim() };
  config.loadFromClusterAndUser(
    // Go leaves it to the proxy to find the address of a name, for which this library has another scheme.
    { ...found, server, ...(proxyUrl === undefined ? {} : { proxyUrl: proxyUrl.replace(/^socks5:/, 'socks5h:') }) },
    { ...user, ...token },
  );
  const { command } = (user.exec ?? {}) as { readonly command?: string };
  const plugin = command === undefined ? undefined : stoppablePlugin(config, command);
  return connectionTo(url, { ...options, credentials: config, plugin, proxied: proxyUrl !== undefined });
}

function plainly({ options }: EmbeddedCredentials): Credentials {
  return { applyToHTTPSOptions: async (target) => void Object.assign(target, options) };
}

interface Parts extends Pick<ConnectionOptions, 'maximumBytes' | 'credentialsMs'> {
  readonly credentials: Credentials;
  readonly plugin?: Plugin | undefined;
  readonly proxied: boolean;
}

function connectionTo(url: URL, parts: Parts): Connection {
  const { credentials, plugin, proxied, maximumBytes = mostBytes } = parts;
  const agents = agentCache();
  const identify = () => credentialsInTime(credentials, { plugin, timeoutMs: parts.credentialsMs ?? credentialsMs });
  const open = (request: ApiRequest, identity: RequestOptions, signal: AbortSignal): Promise<IncomingMessage> => {
    const agent = proxied && identity.agent !== undefined ? identity.agent : agents(identity);
    const base = url.pathname === '/' ? '' : url.pathname;
    return send(request, {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 443 : Number(url.port),
      path: `${base}${request.path}`,
      ...(identity.auth === undefined || identity.auth === null ? {} : { auth: identity.auth }),
      headers: { ...identity.headers, ...headersOf(request) },
      ciphers: `${DEFAULT_CIPHERS}:${securityLevel}`,
      agent,
      signal,
    });
  };
  return {
    server: url.href.replace(/\/$/, ''),
    async request(request) {
      const identity = await identify();
      return withTimeout(request, async (signal) => readAnswer(await open(request, identity, signal), maximumBytes));
    },
    async stream(request) {
      const identity = await identify();
      return withTimeout(request, (signal) => open(request, identity, signal));
    },
  };
}

/** The timeout ends with the action; the caller's signal goes on to apply to what the action returned. */
async function withTimeout<T>(request: ApiRequest, action: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), request.timeoutMs);
  const signal = request.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, request.signal]);
  try {
    const result = await action(signal);
    // Node.js takes the end that we made for the end of an answer without length.
    signal.throwIfAborted();
    return result;
  } catch (thrown) {
    request.signal?.throwIfAborted();
    if (!timeout.signal.aborted) throw thrown;
    throw noAnswer(request.timeoutMs);
  } finally {
    clearTimeout(timer);
  }
}

async function send(request: ApiRequest, options: RequestOptions): Promise<IncomingMessage> {
  try {
    const outgoing = secureRequest(options);
    outgoing.end(request.body?.text);
    return await answerOf(outgoing);
  } catch (thrown) {
    if (systemCodeOf(thrown) !== 'ERR_INVALID_CHAR') throw thrown;
    throw invalid('its credentials hold a line end or another character that no header can carry', thrown);
  }
}

async function readAnswer(response: IncomingMessage, maximumBytes: number): Promise<ApiAnswer> {
  const text = await readText(response, maximumBytes);
  const { location, 'retry-after': after } = response.headers;
  const retryAfter = Number(after);
  return {
    status: response.statusCode ?? 0,
    text,
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(location === undefined ? {} : { location }),
  };
}

function headersOf(request: ApiRequest): Record<string, string> {
  const headers = { Accept: 'application/json', 'User-Agent': 'groundplane' };
  if (request.body === undefined) return headers;
  return {
    ...headers,
    'Content-Type': request.body.type,
    'Content-Length': String(Buffer.byteLength(request.body.text)),
  };
}

/** Keeps connections open between requests; a new agent is made when a rotated certificate has been read. */
function agentCache(): (identity: RequestOptions) => Agent {
  let current: { readonly agent: Agent; readonly material: string } | undefined;
  return ({ ca, cert, key, rejectUnauthorized, servername }) => {
    const material = JSON.stringify([String(ca), String(cert), String(key), rejectUnauthorized, servername]);
    if (current?.material === material) return current.agent;
    current?.agent.destroy();
    const options = {
      ca,
      cert,
      key,
      servername,
      rejectUnauthorized: rejectUnauthorized ?? true,
      keepAlive: true,
      keepAliveMsecs: keepAliveMs,
      timeout: idleMs,
      // Go's verifier takes every certificate of the file for an anchor, also an intermediate one.
      allowPartialTrustChain: true,
    };
    const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    current = { agent: new Agent(defined), material };
    return current.agent;
  };
}

/** The library reads the path of a token file from `token-file`; everybody else, and kubectl, from `tokenFile` (clientcmd/api/v1). */
function withTokenFileKey(kubeconfig: string): string {
  return kubeconfig.replace(/(?<![\w-])tokenFile(?=["']?\s*:)/g, 'token-file');
}

function parseServer(server: string): URL {
  let url: URL;
  try {
    url = new URL(server);
  } catch (thrown) {
    throw invalid(`its server is no URL: '${server}'`, thrown);
  }
  if (url.protocol !== 'https:') throw invalid(`its server is not an https URL: '${server}'`);
  // Node.js would take 443 instead.
  if (url.port === '0') throw invalid(`nothing can listen on port 0 of its server: '${server}'`);
  return url;
}

function invalid(reason: string, cause?: unknown): Error {
  return clusterError('CLUSTER_KUBECONFIG_INVALID', `Cannot use the kubeconfig as ${reason}`, {
    hint: 'check it with: kubectl config view --kubeconfig FILE',
    ...(cause === undefined ? {} : { cause: new Error(reason) }),
  });
}

/** A YAML error carries a piece of the document, and that piece may be a key: only its reason and line are told. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error && 'reason' in thrown) {
    const line = (thrown as { mark?: { line?: number } }).mark?.line;
    return `it is no YAML: ${String(thrown.reason)}${line === undefined ? '' : ` in line ${line + 1}`}`;
  }
  return messageOf(thrown);
}
