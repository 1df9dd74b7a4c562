import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { guardedPorts } from './guarded-ports.ts';
import type { AnyPhase, ErasedCapabilities } from './phase.ts';
import { isStopped } from './stopping.ts';
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
 * @throws what was thrown if it is a mistake of the program, or what ends everything as it was told to stop
 */
export function unavailability(thrown: unknown): string {
  const isMistake = thrown instanceof TypeError || (isGroundplaneError(thrown) && thrown.kind === 'internal');
  if (isMistake || isStopped(thrown)) throw thrown;
  return messageOf(thrown);
}

/** What system calls say of a path where nobody gets to see what is there: no permission, no way to it, a fault of the disk or the network. */
const barring: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'ENOTDIR', 'EIO', 'ESTALE']);

/** True for what a port threw because the system does not let this user look, or not at all. */
export function isBarred(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ('code' in error && barring.has(error.code)) return true;
  }
  return false;
}

/** True for what the Cluster port threw because no answer came; one that came, whatever it says, is none of that. */
export function isSilent(thrown: unknown): boolean {
  return isGroundplaneError(thrown) && thrown.code === 'CLUSTER_UNAVAILABLE' && thrown.details?.status === undefined;
}
