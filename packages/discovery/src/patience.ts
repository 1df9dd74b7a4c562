import type { GroundplaneError } from '@groundplane/errors';
import type { DiscoveryErrorCode } from './error-codes.ts';

/**
 * What a fault of one attempt means for the next: `none`: waiting cannot help · `short`: it heals in a moment or never, so
 * a few more attempts are made · `long`: it is what a cluster looks like that is still being made.
 */
export type Patience = 'none' | 'short' | 'long';

/** Codes that are not here have no patience. */
const patience: Partial<Record<DiscoveryErrorCode, Patience>> = {
  DISCOVERY_UNREACHABLE: 'long',
  DISCOVERY_REFUSED: 'long',
  DISCOVERY_UNSIGNED: 'long',
  // A load balancer may answer with a page of its own.
  DISCOVERY_ANSWER_INVALID: 'short',
  // The signer signs again a moment after the content changed.
  DISCOVERY_SIGNATURE_INVALID: 'short',
  DISCOVERY_CLUSTER_INFO_CHANGED: 'short',
  // One of several API servers behind an address may be the wrong one.
  DISCOVERY_UNTRUSTED: 'short',
  DISCOVERY_UNAUTHORIZED: 'short',
  DISCOVERY_CREDENTIALS_FAILED: 'short',
};

/** Statuses of an API server that is starting, that has no roles or no cluster-info yet, or of what stands before it. */
const passingStatuses: ReadonlySet<number> = new Set([403, 404, 408, 429, 500, 502, 503, 504]);

/** @param mayBeEarly true if the server may get to know later what it was asked with */
export function patienceWith(
  { code, details }: Pick<GroundplaneError, 'code' | 'details'>,
  { mayBeEarly }: { readonly mayBeEarly: boolean },
): Patience {
  if (code === 'DISCOVERY_UNAUTHORIZED' && mayBeEarly) return 'long';
  const status = details?.status;
  if (code === 'DISCOVERY_REFUSED' && typeof status === 'number' && !passingStatuses.has(status)) return 'short';
  return patience[code as DiscoveryErrorCode] ?? 'none';
}
