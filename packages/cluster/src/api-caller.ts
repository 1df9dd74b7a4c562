import { isGroundplaneError } from '@groundplane/errors';
import type { Clock } from '@groundplane/phases';
import { type ApiFault, faultOfAnswer, faultOfConnection } from './api-fault.ts';
import type { ApiAnswer, ApiRequest, Connection } from './connection.ts';
import { clusterError } from './error-codes.ts';
import { isNoAnswer, noAnswer } from './no-answer.ts';
import { type Exhausted, retryUntil } from './retry-until.ts';

/** Longest wait for one answer (client-go as kubeadm sets it up). */
const requestTimeoutMs = 10_000;
/** An attempt just before the deadline still gets this long. */
const shortestTimeoutMs = 250;

export interface RetryOptions {
  /** For messages: `get ConfigMap kube-system/kubeadm-config`. */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** True for faults that pass in this call, beside those that pass in every one. */
  readonly retry?: ((fault: ApiFault) => boolean) | undefined;
}

export interface CallOptions extends RetryOptions {
  /** True for answers that this caller wants although their status is an error: it gets them as they are. */
  readonly accept?: (answer: ApiAnswer) => boolean;
}

export type Attempt<T> = (timeoutMs: number) => Promise<{ readonly value: T } | { readonly fault: ApiFault }>;

/** Sends requests again while they meet passing faults. Its methods throw a GroundplaneError by the kind of the last fault. */
export interface ApiCaller {
  readonly connection: Connection;
  readonly clock: Clock;
  call(request: Omit<ApiRequest, 'timeoutMs' | 'signal'>, options: CallOptions): Promise<ApiAnswer>;
  /** Tries something else than a plain request by the same rules. What an attempt throws is the fault of a connection. */
  retry<T>(attempt: Attempt<T>, options: RetryOptions): Promise<T>;
}

export function apiCaller(
  connection: Connection,
  options: { readonly clock: Clock; readonly timeoutMs: number; readonly retryForbidden: boolean },
): ApiCaller {
  const { clock, timeoutMs, retryForbidden } = options;

  const isPassing = async (fault: ApiFault, attemptMs: number): Promise<boolean> =>
    fault.passing === 'readiness' ? retryForbidden || !(await isReady(connection, attemptMs)) : fault.passing;

  const retry = async <T>(attempt: Attempt<T>, { what, signal, retry: passesHere }: RetryOptions): Promise<T> => {
    let before: ApiFault | undefined;
    const outcome = async (remainingMs: number) => {
      const attemptMs = Math.min(requestTimeoutMs, Math.max(remainingMs, shortestTimeoutMs));
      // An attempt that had to end with the whole time says nothing; the one before it may.
      const cutShort = attemptMs < requestTimeoutMs ? (before ?? faultOfConnection(noAnswer(timeoutMs))) : undefined;
      const result = await faultsCaught(attempt, { attemptMs, signal, cutShort });
      if ('value' in result) return result;
      const { fault } = result;
      before = fault;
      const again = passesHere?.(fault) === true || (await isPassing(fault, attemptMs));
      return { fault, again, notBeforeMs: (fault.retryAfter ?? 0) * 1000 };
    };
    const result = await retryUntil(outcome, { clock, timeoutMs, signal });
    if ('value' in result) return result.value;
    throw describeFailure(connection.server, what, result.exhausted);
  };

  return {
    connection,
    clock,
    retry,
    call: (request, { accept, ...rest }) => {
      const { signal } = rest;
      return retry(async (attemptMs) => {
        const answer = await connection.request({
          ...request,
          timeoutMs: attemptMs,
          ...(signal === undefined ? {} : { signal }),
        });
        const isWanted = isSuccess(answer.status) || accept?.(answer) === true;
        return isWanted ? { value: answer } : { fault: faultOfAnswer(answer) };
      }, rest);
    },
  };
}

/** Of an object: without content (204), or with a part of it (206), nothing is answered. */
const wanted: ReadonlySet<number> = new Set([200, 201, 202]);

export function isSuccess(status: number): boolean {
  return wanted.has(status);
}

async function faultsCaught<T>(
  attempt: Attempt<T>,
  {
    attemptMs,
    signal,
    cutShort,
  }: {
    readonly attemptMs: number;
    readonly signal: AbortSignal | undefined;
    /** What is said of an attempt that gets no answer although it was given less than others. */
    readonly cutShort: ApiFault | undefined;
  },
): ReturnType<Attempt<T>> {
  try {
    return await attempt(attemptMs);
  } catch (thrown) {
    signal?.throwIfAborted();
    // Nothing was sent: the kubeconfig, or a program that it names, is at fault.
    if (isGroundplaneError(thrown)) throw thrown;
    return { fault: (isNoAnswer(thrown) && cutShort) || faultOfConnection(thrown) };
  }
}

/**
 * An API server that has just started refuses everything until it has made its bootstrap roles, and is not ready until then
 * (its /readyz includes poststarthook/rbac/bootstrap-roles). Once it is ready, a refusal is meant.
 */
async function isReady(connection: Connection, timeoutMs: number): Promise<boolean> {
  try {
    return isSuccess((await connection.request({ method: 'GET', path: '/readyz', timeoutMs })).status);
  } catch {
    return false;
  }
}

const hints: Readonly<Partial<Record<ApiFault['code'], string>>> = {
  CLUSTER_UNAVAILABLE:
    'check that kube-apiserver runs; on its machine: crictl ps -a --name kube-apiserver; its log: crictl logs CONTAINER',
  CLUSTER_UNTRUSTED:
    'check that the kubeconfig holds the CA of this cluster and that the API server certificate names the server and is in date',
  CLUSTER_ANSWER_INVALID: 'check that an API server listens there: curl -k https://HOST:PORT/version',
  CLUSTER_REDIRECTED: 'give the place itself in the kubeconfig, if it is to be trusted',
  CLUSTER_UNAUTHORIZED:
    'check that the client certificate or token of the kubeconfig is of this cluster and has not expired',
  CLUSTER_FORBIDDEN: 'use a kubeconfig with the rights that are missing: --kubeconfig FILE',
};

function describeFailure(server: string, what: string, { fault, attempts, elapsedMs }: Exhausted<ApiFault>): Error {
  const tries = attempts === 1 ? '' : ` (${attempts} attempts in ${(elapsedMs / 1000).toFixed(1)} s)`;
  const cannot = fault.code === 'CLUSTER_ANSWER_INVALID' ? 'is none' : 'cannot be reached';
  const reason = fault.status === undefined ? cannot : `answers ${fault.status}`;
  const hint = hints[fault.code];
  return clusterError(fault.code, `Cannot ${what} as the API server ${server} ${reason}: ${fault.message}${tries}`, {
    details: {
      server,
      attempts,
      ...(fault.status === undefined ? {} : { status: fault.status }),
      ...(fault.location === undefined ? {} : { location: fault.location }),
    },
    ...(hint === undefined ? {} : { hint }),
  });
}
