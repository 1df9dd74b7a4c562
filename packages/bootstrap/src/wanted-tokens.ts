import { goDurationMilliseconds } from '@groundplane/config';
import { type BootstrapToken, isExpired, type NewBootstrapToken, parseToken } from '@groundplane/discovery';
import type { InitContext } from './init-context.ts';

/** A bootstrap token that the configuration asks for. */
export interface WantedToken {
  readonly token: NewBootstrapToken;
  /** Its value was made up, so that another one with the same rights will do. */
  readonly generated: boolean;
}

/** The bootstrap tokens that the configuration asks for, in its order. */
export function wantedTokens({ init, tokenIsGenerated = [] }: InitContext): readonly WantedToken[] {
  return init.bootstrapTokens.map(({ token = '', description, ttl, expires, usages, groups }, index) => ({
    token: {
      ...parseToken(token),
      ...(description === '' ? {} : { description }),
      ...(expires === undefined ? {} : { expires: new Date(expires) }),
      ttlMs: ttl === undefined ? 0 : goDurationMilliseconds(ttl),
      usages,
      groups,
    },
    generated: tokenIsGenerated[index] ?? false,
  }));
}

/**
 * Which of the existing tokens serve as the wanted ones, each for one of them at most. A given token is served by itself alone, a
 * generated one by any with the same description, usages and groups; both only if enough of their lifetime is left.
 *
 * @returns for each wanted token the existing one, or undefined
 */
export function servingTokens(
  wanted: readonly WantedToken[],
  existing: readonly BootstrapToken[],
  now: Date,
): readonly (BootstrapToken | undefined)[] {
  const taken = new Set<string>(wanted.flatMap(({ token, generated }) => (generated ? [] : [token.id])));
  return wanted.map((one) => {
    const found = existing.find((other) => {
      const isCandidate = one.generated ? !taken.has(other.id) : isSame(one.token, other);
      return isCandidate && hasSameRights(one.token, other) && livesLongEnough(one.token, other, now);
    });
    if (found !== undefined) taken.add(found.id);
    return found;
  });
}

function isSame(one: BootstrapToken, other: BootstrapToken): boolean {
  return one.id === other.id && one.secret === other.secret;
}

function hasSameRights(one: BootstrapToken, other: BootstrapToken): boolean {
  return (
    (one.description ?? '') === (other.description ?? '') &&
    sameNames(one.usages, other.usages) &&
    sameNames(one.groups, other.groups)
  );
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  const sorted = (names: readonly string[]) => [...new Set(names)].sort().join();
  return sorted(one) === sorted(other);
}

const hour = 3_600_000;
/** What the expiry may be late: it is written in seconds, and clocks differ. */
const tolerance = 60_000;

/** An hour is left of it, or half of a shorter lifetime; and it does not live longer than is asked for. */
function livesLongEnough({ expires, ttlMs = 0 }: NewBootstrapToken, other: BootstrapToken, now: Date): boolean {
  if (isExpired(other, now)) return false;
  if (expires !== undefined) return other.expires?.getTime() === expires.getTime();
  if (ttlMs <= 0 || other.expires === undefined) return ttlMs <= 0 && other.expires === undefined;
  const left = other.expires.getTime() - now.getTime();
  return left >= Math.min(hour, ttlMs / 2) && left <= ttlMs + tolerance;
}
