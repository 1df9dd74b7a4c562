import type { Invocation } from '../invocation.ts';
import { joinRun } from '../workflows/join-run.ts';
import { runWorkflowCommand } from './run-workflow.ts';

/** Runs `join`, or one of its phases. */
export async function runJoin(invocation: Invocation): Promise<void> {
  await runWorkflowCommand(invocation, joinRun);
}
