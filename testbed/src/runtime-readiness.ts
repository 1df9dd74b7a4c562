import type { Machine } from './machine.ts';
import { collected } from './run-on-machine.ts';

/**
 * Waits until the container runtime of a machine answers.
 *
 * @throws Error if it does not within a minute
 */
export async function waitUntilRuntimeAnswers(machine: Machine): Promise<void> {
  await collected(machine, ['sh', '-c', 'timeout 60 sh -c "until crictl info >/dev/null 2>&1; do sleep 0.1; done"']);
}
