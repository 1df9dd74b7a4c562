import { messageOf } from '@groundplane/errors';
import { foreignCode } from './answer-of.ts';
import type { ApiAnswer } from './connection.ts';
import type { ClusterErrorCode } from './error-codes.ts';
import { tooLargeCode } from './read-text.ts';
import { systemCodeOf } from './system-code.ts';

/** Why one attempt failed. */
export interface ApiFault {
  readonly code: ClusterErrorCode;
  /** It may go away by itself; `readiness`: only if the API server is not ready yet. */
  readonly passing: boolean | 'readiness';
  /** One sentence without a full stop. */
  readonly message: string;
  readonly status?: number;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Where a redirect leads. A stranger's word. */
  readonly location?: string;
}

/** The Status object that the API server answers with (k8s.io/apimachinery, meta/v1 Status). */
interface ApiStatus {
  readonly kind?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly name?: string; readonly kind?: string };
}

interface Row {
  readonly status: number;
  /** Only for this reason; absent: any. */
  readonly reason?: string;
  readonly code: ClusterErrorCode;
  readonly passing: ApiFault['passing'];
}

/** What each refusal means; the first row that matches. Statuses in no row: 5xx are passing, the rest are not. */
const rows: readonly Row[] = [
  { status: 400, code: 'CLUSTER_INVALID', passing: false },
  { status: 401, code: 'CLUSTER_UNAUTHORIZED', passing: false },
  { status: 403, code: 'CLUSTER_FORBIDDEN', passing: 'readiness' },
  { status: 404, code: 'CLUSTER_NOT_FOUND', passing: false },
  { status: 405, code: 'CLUSTER_INVALID', passing: false },
  { status: 408, code: 'CLUSTER_UNAVAILABLE', passing: true },
  { status: 409, reason: 'AlreadyExists', code: 'CLUSTER_ALREADY_EXISTS', passing: false },
  { status: 409, code: 'CLUSTER_CONFLICT', passing: false },
  { status: 410, code: 'CLUSTER_UNAVAILABLE', passing: true },
  { status: 413, code: 'CLUSTER_INVALID', passing: false },
  { status: 415, code: 'CLUSTER_INVALID', passing: false },
  { status: 422, code: 'CLUSTER_INVALID', passing: false },
  { status: 429, code: 'CLUSTER_UNAVAILABLE', passing: true },
  { status: 501, code: 'CLUSTER_INVALID', passing: false },
];

/** Errors of the TLS handshake that say something about the server's certificate (OpenSSL's names, as Node.js gives them). */
const untrusted =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** The fault of an answer whose status is not 2xx. */
export function faultOfAnswer(answer: ApiAnswer): ApiFault {
  const status = parseStatus(answer.text);
  const row = rows.find(
    (one) => one.status === answer.status && (one.reason === undefined || one.reason === status.reason),
  );
  const passing = row?.passing ?? answer.status >= 500;
  if (answer.status >= 300 && answer.status < 400) return redirect(answer);
  return {
    code: row?.code ?? otherCode(answer.status),
    passing: isMissingNamespace(answer, status) || isMissingRole(answer, status) ? true : passing,
    message: status.message ?? (answer.text.trim().slice(0, 500) || `HTTP status ${answer.status}`),
    status: answer.status,
    ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
  };
}

/** Statuses in no row. What is a success for others is none for a request that wants an object. */
function otherCode(status: number): ClusterErrorCode {
  if (status < 300) return 'CLUSTER_ANSWER_INVALID';
  return status < 500 ? 'CLUSTER_INVALID' : 'CLUSTER_UNAVAILABLE';
}

const longestLocation = 200;

function redirect({ status, location = '' }: ApiAnswer): ApiFault {
  const place = location.length > longestLocation ? `${location.slice(0, longestLocation)}…` : location;
  const message = `it redirects to ${JSON.stringify(place)}, which is not followed`;
  return { code: 'CLUSTER_REDIRECTED', passing: false, message, status, location: place };
}

/** True for a 404 that says that the path, not the object, is unknown. */
export function isUnknownPath(answer: ApiAnswer): boolean {
  return answer.status === 404 && parseStatus(answer.text).details?.name === undefined;
}

/** The fault of a request that got no answer. */
export function faultOfConnection(thrown: unknown): ApiFault {
  const code = systemCodeOf(thrown);
  const message = describe(thrown);
  if (code !== undefined && untrusted.test(code))
    return { code: 'CLUSTER_UNTRUSTED', passing: false, message: `${message} (${code})` };
  if (isForeign(code ?? '', message)) return { code: 'CLUSTER_ANSWER_INVALID', passing: false, message };
  return { code: 'CLUSTER_UNAVAILABLE', passing: true, message };
}

/** EPROTO alone may be a connection that broke. */
function isTlsFault(code: string, message: string): boolean {
  return code.startsWith('ERR_SSL_') || (code === 'EPROTO' && message.startsWith(tlsFault));
}

/** A TLS alert of a server that cannot make a connection in this moment. */
const passingAlert = /alert internal error/;

/** Something else than TLS and HTTP, other versions of them, or an answer without end: no waiting makes it an API server. */
function isForeign(code: string, message: string): boolean {
  if (code === foreignCode || code === tooLargeCode || code.startsWith('HPE_')) return true;
  return isTlsFault(code, message) && !passingAlert.test(message);
}

/** A namespace is made by another phase, or by the API server itself a moment after its start. */
function isMissingNamespace(answer: ApiAnswer, status: ApiStatus): boolean {
  return answer.status === 404 && status.details?.kind === 'namespaces';
}

/** The authorizer knows a binding but not yet the role: the API server is still making its bootstrap roles. */
function isMissingRole(answer: ApiAnswer, status: ApiStatus): boolean {
  return answer.status === 403 && /RBAC: .*not found/.test(status.message ?? '');
}

function parseStatus(text: string): ApiStatus {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status')
      return value as ApiStatus;
  } catch {
    // A proxy's or load balancer's page.
  }
  return {};
}

const tlsFault = 'TLS does not come about';

/** OpenSSL's errors as Node.js gives them: `…:SSL routines:FUNCTION:REASON:FILE:LINE:…`. */
const opensslText = /:SSL routines:[^:]*:([^:]+):/;

/** One clause of one line. A name with several addresses fails once per address. */
function describe(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(describe).join('; ');
  const text = messageOf(thrown);
  const reason = opensslText.exec(text)?.[1];
  return reason === undefined ? text.replace(/\s+/g, ' ').trim() : `${tlsFault}: ${reason}`;
}
