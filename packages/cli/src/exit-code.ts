import { type ErrorKind, isGroundplaneError } from '@groundplane/errors';
import type { ProgramName } from './invocation.ts';

const exitCodes: Readonly<Record<ErrorKind, number>> = {
  usage: 2,
  conflict: 3,
  refused: 3,
  timeout: 4,
  unavailable: 4,
  internal: 1,
};

/** Exit code of `--exit-code`: a plan that would change something, or a status that is not that of a finished node. Nothing failed. */
export const workFound = 5;

/**
 * The exit code for what a command threw. Under `groundplane`: 1 internal · 2 usage · 3 conflict or failed verification
 * (nothing was written) · 4 timeout or unavailable; {@link workFound} is no failure. Under `kubeadm` it is always 1.
 */
export function exitCodeOf(thrown: unknown, program: ProgramName): number {
  if (program === 'kubeadm' || !isGroundplaneError(thrown)) return 1;
  return exitCodes[thrown.kind];
}
