import { isGroundplaneError, messageOf } from '@groundplane/errors';
import { delegatingPorts } from './delegating-ports.ts';
import { phasesError } from './error-codes.ts';
import type { Caller, PortCall } from './port-calls.ts';
import type { SuppliedPorts } from './ports.ts';
import { untilStopped } from './until-stopped.ts';

/** How long a port may take to end a call after the run was told to stop, in milliseconds. Beyond that it hangs. */
const patienceMs: Readonly<Record<PortCall['kind'], number>> = { asks: 250, repeats: 250, changes: 5_000 };

/** A signal that never aborts stands for none. */
export function signalOf({ signal }: { readonly signal?: AbortSignal | undefined }): AbortSignal {
  return signal ?? new AbortController().signal;
}

/** True for what ends something because it was told to stop. */
export function isStopped(thrown: unknown): boolean {
  return isGroundplaneError(thrown) && thrown.code === 'PHASES_ABORTED';
}

/**
 * Looks at the world until the signal aborts. What hangs is left, as it changes nothing, and nothing is asked any more.
 *
 * @param title what is done, for the message: `plan init`
 * @param look with ports that are plain objects, whatever was supplied
 * @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts
 */
export async function lookUntilStopped<T>(
  title: string,
  { ports, ...asked }: { readonly ports: SuppliedPorts; readonly signal?: AbortSignal | undefined },
  look: (ports: SuppliedPorts) => Promise<T>,
): Promise<T> {
  const signal = signalOf(asked);
  const stopped = () =>
    phasesError(
      'PHASES_ABORTED',
      `Cannot ${title} as it was told to stop, nothing was changed: ${messageOf(signal.reason)}`,
      { cause: signal.reason },
    );
  const caller: Caller = async (_, make) => {
    if (signal.aborted) throw stopped();
    return make();
  };
  try {
    return await untilStopped(signal, () => look(delegatingPorts(ports, caller)));
  } catch (error) {
    throw signal.aborted && error === signal.reason ? stopped() : error;
  }
}

/** The ports of a run, once it writes. */
export interface StoppablePorts {
  readonly ports: SuppliedPorts;
  /** @throws GroundplaneError PHASES_ABORTED if a call was given up */
  requireNothingLeft(): void;
}

/**
 * Ports that bring what has begun to its end after the signal has aborted, as long as they answer. A call that does not is given up: a
 * question at once, a change after some seconds, as it may still be done. From then on nothing is asked and nothing is changed.
 */
export function stoppablePorts(ports: SuppliedPorts, signal: AbortSignal): StoppablePorts {
  let left: unknown;
  const caller: Caller = async (call, make) => {
    if (left !== undefined) throw left;
    return untilGivenUp(signal, make, {
      afterMs: patienceMs[call.kind],
      error: () => {
        left ??= givenUp(call, signal);
        return left;
      },
    });
  };
  return {
    ports: delegatingPorts(ports, caller),
    requireNothingLeft() {
      if (left !== undefined) throw left;
    },
  };
}

function givenUp({ kind, title }: PortCall, { reason }: AbortSignal) {
  const what =
    kind === 'changes' ? `${title} has not ended, and whether it will is not known` : `${title} has not been answered`;
  return phasesError('PHASES_ABORTED', `Cannot go on as the run was told to stop: ${what}`, {
    cause: reason,
    hint: 'Run it again: it looks at what is there first',
  });
}

async function untilGivenUp<T>(
  signal: AbortSignal,
  action: () => Promise<T>,
  { afterMs, error }: { readonly afterMs: number; readonly error: () => unknown },
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begin = () => {};
  const late = new Promise<never>((_, reject) => {
    begin = () => {
      // Not the Clock port, which may be what hangs.
      timer = setTimeout(() => reject(error()), afterMs);
    };
  });
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([late, action()]);
  } finally {
    signal.removeEventListener('abort', begin);
    clearTimeout(timer);
  }
}
