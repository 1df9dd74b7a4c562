import { GroundplaneError, isGroundplaneError } from '@groundplane/errors';
import type { DiscoveryClock } from './discovery-ports.ts';
import { patienceWith } from './patience.ts';

/** Why discovery is not at its end yet. */
export interface DiscoveryProgress {
  /** What is awaited, for people: `cluster-info of 192.0.2.1:6443`. */
  readonly waitingFor: string;
  /** Why the last attempt failed, one sentence without a full stop. */
  readonly reason: string;
  /** Code of the error that this reason would end as. */
  readonly code: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly elapsedMs: number;
  /** Until the next attempt. */
  readonly pauseMs: number;
}

export interface KeepTryingOptions {
  readonly waitingFor: string;
  readonly timeoutMs: number;
  readonly clock: DiscoveryClock;
  readonly onProgress?: ((progress: DiscoveryProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if attempts authenticate by a bootstrap token: `init` makes it late, so that who comes first is not known yet. */
  readonly byBootstrapToken?: boolean;
}

const firstPauseMs = 250;
const growth = 1.6;
const longestPauseMs = 3000;
/** With the pauses between them about three seconds. */
const shortPatience = 5;
/** kubeadm gives each request as long. */
const requestMs = 10_000;
const leastRequestMs = 1000;

/**
 * Makes attempts until one succeeds, one fails with a fault that no waiting heals, or the time is over. The first is made
 * at once; the pauses between them grow, and differ from node to node so that many nodes do not come at once.
 *
 * @param attempt is given how long each of its requests may take
 * @throws what the last attempt threw, and how many there were
 */
export async function keepTrying<T>(
  attempt: (limits: { readonly timeoutMs: number }) => Promise<T>,
  options: KeepTryingOptions,
): Promise<T> {
  const { clock, timeoutMs, signal, waitingFor, byBootstrapToken = false } = options;
  const start = clock.monotonicMs();
  let pause = firstPauseMs;
  let shortFaults = 0;
  let before: GroundplaneError | undefined;
  // A server that was not there a moment ago has not all of its authenticators yet.
  let isStarting = false;
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const began = clock.monotonicMs();
    const limitMs = Math.min(requestMs, Math.max(timeoutMs - (began - start), leastRequestMs));
    try {
      return await attempt({ timeoutMs: limitMs });
    } catch (error) {
      if (!isGroundplaneError(error)) throw error;
      // An attempt that had to end with the whole time says nothing; the one before it may.
      const wasCutShort = limitMs < requestMs && clock.monotonicMs() - began >= limitMs;
      const thrown: GroundplaneError = (wasCutShort && before) || error;
      before = thrown;
      isStarting ||= thrown.code === 'DISCOVERY_UNREACHABLE' || neededMoreRequests(error);
      const patience = patienceWith(thrown, { mayBeEarly: byBootstrapToken || isStarting });
      shortFaults = patience === 'short' ? shortFaults + 1 : 0;
      const elapsedMs = clock.monotonicMs() - start;
      const isOver = patience === 'none' || shortFaults >= shortPatience || elapsedMs >= timeoutMs;
      if (isOver) throw attempts === 1 ? thrown : afterAttempts(thrown, { attempts, elapsedMs });
      const pauseMs = Math.min(pause * jitter(), timeoutMs - elapsedMs);
      const { code, message: reason } = thrown;
      options.onProgress?.({ waitingFor, reason, code, attempts, elapsedMs, pauseMs });
      await clock.sleep(pauseMs, signal === undefined ? {} : { signal });
      pause = Math.min(pause * growth, longestPauseMs);
    }
  }
}

/** From three to five quarters. */
function jitter(): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return 0.75 + number / 2 ** 33;
}

/** A connection sends a request again, within one attempt, to a server that is not there or not ready. */
function neededMoreRequests({ details }: GroundplaneError): boolean {
  return Number(details?.requests ?? 1) > 1;
}

function afterAttempts(
  error: GroundplaneError,
  { attempts, elapsedMs }: { readonly attempts: number; readonly elapsedMs: number },
): GroundplaneError {
  const { code, message, kind, hint, details, cause } = error;
  const seconds = (elapsedMs / 1000).toFixed(1).replace(/\.0$/, '');
  return new GroundplaneError(code, `${message} (${attempts} attempts in ${seconds} s)`, {
    kind,
    details: { ...details, attempts, elapsedMs: Math.round(elapsedMs) },
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}
