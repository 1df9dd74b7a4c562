import type { Invocation } from '../invocation.ts';
import { resetRun } from '../workflows/reset-run.ts';
import { runWorkflowCommand } from './run-workflow.ts';

/** Runs `reset`, or one of its phases. */
export async function runReset(invocation: Invocation): Promise<void> {
  await runWorkflowCommand(invocation, resetRun);
}
