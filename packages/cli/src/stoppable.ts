import { messageOf } from '@groundplane/errors';
import { untilStopped } from '@groundplane/phases/until-stopped';
import { cliError } from './error-codes.ts';
import type { Handler } from './invocation.ts';

/** A handler that ends when the process is told to stop, whatever it waits for. */
export function stoppable(handle: Handler): Handler {
  return async (invocation) => {
    const { signal } = invocation;
    try {
      await untilStopped(signal, () => handle(invocation));
    } catch (error) {
      throw signal.aborted && error === signal.reason
        ? cliError('CLI_STOPPED', messageOf(error), { cause: error })
        : error;
    }
  };
}
