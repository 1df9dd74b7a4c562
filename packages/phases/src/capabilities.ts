import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { guardedPorts } from './guarded-ports.ts';
import type { AnyPhase, ErasedCapabilities } from './phase.ts';
import type { World } from './world.ts';

/** For the verify of a pure phase: it gets values and nothing else. */
export function noCapabilities(options: { readonly signal: AbortSignal }): ErasedCapabilities {
  const refuse = () => {
    throw new TypeError('Cannot act while verifying');
  };
  return {
    ports: {},
    signal: options.signal,
    write: refuse,
    progress: refuse,
    finding: refuse,
    result: refuse,
    wait: refuse,
  };
}

/** For the verify of an effect: it may look, and nothing else. */
export async function readOnlyCapabilities<C>(
  phase: AnyPhase<C>,
  world: World,
  options: { readonly signal: AbortSignal },
): Promise<ErasedCapabilities> {
  const ports = phase.kind === 'pure' ? {} : await guardedPorts(phase, world, 'read-only');
  return { ...noCapabilities(options), ports };
}

/**
 * Why the world could not be asked, from what a port threw: no permission, no answer.
 *
 * @throws what was thrown if it is a mistake of the program
 */
export function unavailability(thrown: unknown): string {
  if (thrown instanceof TypeError || (isGroundplaneError(thrown) && thrown.kind === 'internal')) throw thrown;
  return messageOf(thrown);
}

/** True for what a port threw because the system does not let this user look. */
export function isDenied(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && (error.code === 'EACCES' || error.code === 'EPERM')) return true;
  }
  return false;
}

/** True for what the Cluster port threw because no answer came; one that came, whatever it says, is none of that. */
export function isSilent(thrown: unknown): boolean {
  return isGroundplaneError(thrown) && thrown.code === 'CLUSTER_UNAVAILABLE' && thrown.details?.status === undefined;
}
