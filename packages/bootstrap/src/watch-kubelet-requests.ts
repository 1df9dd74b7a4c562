import { type GroundplaneError, isGroundplaneError } from '@groundplane/errors';
import type { Clock, WatchEvent } from '@groundplane/phases';
import { kubeletAuthority } from './kubelet-authority.ts';
import { kubeletRequestKind } from './kubelet-request.ts';
import {
  type KubeletRequestOutcome,
  type KubeletSigningRequest,
  openKubeletRequests,
  signOne,
} from './sign-kubelet-requests.ts';

export interface KubeletWatch {
  /** Of requests. @default all */
  readonly names?: readonly string[];
  /** It goes on until this aborts. */
  readonly signal: AbortSignal;
  /** Told the name of a request that was left and then went. */
  readonly onGone?: (name: string) => void;
  /** Told when the API does not answer; it is asked again in a moment. */
  readonly onInterruption?: (error: GroundplaneError) => void;
}

/** The controller manager takes a moment to approve, a kubelet to say its addresses, and an API server to come back. */
const momentMs = 5_000;
/** What is left is looked at again after twice as long each time, as the reason may be elsewhere: at the signer, or at the Node. */
const longestMs = 60_000;

/**
 * Signs requests of kubelets as they come, as `signKubeletRequests` does. What is left is told once for each reason, and of requests that nobody has
 * approved only those that stay so.
 *
 * @returns those that are still left when the signal aborts
 * @throws GroundplaneError as `signKubeletRequests` at the beginning; later for other faults than an API that does not answer
 */
export async function watchKubeletRequests(
  request: KubeletSigningRequest,
  { names = [], signal, onGone, onInterruption }: KubeletWatch,
): Promise<readonly KubeletRequestOutcome[]> {
  const { clock } = request.ports;
  const left: LeftRequests = new Map();
  const once = { names: new Set(names), left, signal, onGone };
  await signNewOnes(request, once);
  let isInterrupted = false;
  while (!signal.aborted) {
    const over = new AbortController();
    const changes = bell(request.cluster.watch(kubeletRequestKind, { signal: AbortSignal.any([signal, over.signal]) }));
    try {
      if (isInterrupted) await signNewOnes(request, once);
      isInterrupted = false;
      while (!signal.aborted) {
        await waitFor(changes, nextLook(left, clock), { clock, signal });
        if (signal.aborted) break;
        await signNewOnes(request, once);
      }
    } catch (error) {
      if (signal.aborted) break;
      if (!isGroundplaneError(error) || error.kind !== 'unavailable') throw error;
      if (!isInterrupted) onInterruption?.(error);
      isInterrupted = true;
      await clock.sleep(momentMs, { signal }).catch(() => {});
    } finally {
      over.abort();
    }
  }
  return [...left.values()].map(({ outcome }) => outcome);
}

interface LeftRequest {
  readonly outcome: KubeletRequestOutcome;
  readonly resourceVersion: string | undefined;
  /** When it is looked at again although nothing about it has changed. */
  readonly again: number;
  readonly pauseMs: number;
  readonly isTold: boolean;
}

/** By the uid of the request. */
type LeftRequests = Map<unknown, LeftRequest>;

interface Once {
  readonly names: ReadonlySet<string>;
  readonly left: LeftRequests;
  readonly signal: AbortSignal;
  readonly onGone: KubeletWatch['onGone'];
}

async function signNewOnes(request: KubeletSigningRequest, { names, left, signal, onGone }: Once): Promise<void> {
  const { context, ports, cluster } = request;
  const { clock } = ports;
  // Read each time, as a CA may be renewed in the meantime.
  const authority = await kubeletAuthority(context, ports, clock.now());
  const all = await openKubeletRequests(cluster);
  const open = all.filter(({ metadata }) => names.size === 0 || names.has(metadata.name));
  for (const [uid, { outcome }] of left) {
    if (open.some(({ metadata }) => metadata.uid === uid)) continue;
    left.delete(uid);
    onGone?.(outcome.name);
  }
  for (const object of open) {
    const { uid, resourceVersion } = object.metadata;
    const last = left.get(uid);
    if (last?.resourceVersion === resourceVersion && last !== undefined && clock.monotonicMs() < last.again) continue;
    const [outcome] = await signOne(object, authority, request);
    // What a signer that was told to stop did not sign is no news.
    if (signal.aborted) return;
    if (outcome?.outcome === 'left') {
      const isTold = tellOnce(outcome, last, request);
      const pauseMs = last === undefined ? momentMs : Math.min(2 * last.pauseMs, longestMs);
      left.set(uid, { outcome, resourceVersion, isTold, pauseMs, again: clock.monotonicMs() + pauseMs });
    } else {
      left.delete(uid);
      if (outcome !== undefined) request.onOutcome?.(outcome);
    }
  }
}

/** @returns whether it is told by now */
function tellOnce(
  outcome: KubeletRequestOutcome,
  last: LeftRequest | undefined,
  { onOutcome }: KubeletSigningRequest,
): boolean {
  if (last === undefined && outcome.finding?.code === 'BOOTSTRAP_KUBELET_REQUEST_UNAPPROVED') return false;
  const isSame = last?.isTold === true && last.outcome.finding?.message === outcome.finding?.message;
  if (!isSame) onOutcome?.(outcome);
  return true;
}

/** @returns in how many milliseconds something that was left is looked at again */
function nextLook(left: LeftRequests, clock: Clock): number {
  const next = Math.min(...[...left.values()].map(({ again }) => again), clock.monotonicMs() + longestMs);
  return Math.max(0, next - clock.monotonicMs());
}

/** Rings when something has changed since it was last waited for. */
interface Bell {
  /** @throws why nothing rings any more */
  readonly rung: () => Promise<void>;
}

function bell(events: AsyncIterable<WatchEvent>): Bell {
  let hasRung = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const listen = async () => {
    try {
      for await (const _ of events) {
        hasRung = true;
        wake();
      }
    } catch (error) {
      failure = { error };
      wake();
    }
  };
  void listen();
  return {
    async rung() {
      if (!hasRung && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure !== undefined) throw failure.error;
      hasRung = false;
    },
  };
}

async function waitFor(
  changes: Bell,
  ms: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const pause = clock.sleep(ms, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => {});
  const rung = changes.rung();
  // A bell that fails later than anybody waits for it fails the next one who does.
  rung.catch(() => {});
  try {
    await Promise.race([pause, rung]);
  } finally {
    over.abort();
  }
}
