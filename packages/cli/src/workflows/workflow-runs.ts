import type { WorkflowRun } from './workflow-run.ts';

/** What is done with a workflow whose configuration type does not matter. */
export type WorkflowUse<T> = <C>(run: WorkflowRun<C>) => T;

const runs: Readonly<Record<string, <T>(use: WorkflowUse<T>) => Promise<T>>> = {
  init: async (use) => use((await import('./init-run.ts')).initRun()),
  join: async (use) => use((await import('./join-run.ts')).joinRun),
  reset: async (use) => use((await import('./reset-run.ts')).resetRun),
};

/**
 * Does something with the workflow of a name.
 *
 * @throws TypeError if there is none
 */
export async function withWorkflowRun<T>(name: string, use: WorkflowUse<T>): Promise<T> {
  const run = runs[name];
  if (run === undefined) throw new TypeError(`Cannot use the workflow '${name}' as there is none`);
  return run(use);
}
