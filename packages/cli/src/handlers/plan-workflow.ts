import { hasUnknowns, hasWork, isBlocked, planWorkflow } from '@groundplane/phases';
import { cliError } from '../error-codes.ts';
import { workFound } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { workflowWithPlugins } from '../plugins/with-plugins.ts';
import { reporterFor } from '../render/reporter.ts';
import type { WorkflowRun } from '../workflows/workflow-run.ts';
import { withWorkflowRun } from '../workflows/workflow-runs.ts';
import { stopIfBlocked } from './dry-run.ts';
import { headerOf, prepare, progressOf } from './run-workflow.ts';

/**
 * `plan init`, `plan join`, `plan reset`: what a run would do, from what is there; nothing is signed.
 *
 * @throws GroundplaneError CLI_PLAN_BLOCKED if a run would stop before its first write; with `--exit-code` CLI_PLAN_UNKNOWN if it cannot be
 * told whether there is something to do
 */
export async function planWorkflowCommand(invocation: Invocation): Promise<void> {
  const [, name = ''] = invocation.path;
  await withWorkflowRun(name, (run) => planOne(invocation, run));
}

async function planOne<C>(invocation: Invocation, own: WorkflowRun<C>): Promise<void> {
  const reporter = reporterFor(invocation);
  try {
    const run = { ...own, workflow: await workflowWithPlugins(own.workflow) };
    const { path, signal, flags: given } = invocation;
    const { 'exit-code': exitCode, ...flags } = given;
    const asked = { ...invocation, path: path.slice(1), flags: { ...flags, 'dry-run': true } };
    const { ports, resolved } = await prepare(asked, run, { progress: progressOf(reporter) });
    const { context, skipPhases, warnings } = resolved;
    reporter.begin(headerOf(run, context, { workflow: path.join(' '), dryRun: true }), warnings);
    const request = { workflow: run.workflow, config: context, ports, selection: { skip: skipPhases }, signal };
    const plan = await planWorkflow(request);
    const asksInVain = exitCode === true && !hasWork(plan) && hasUnknowns(plan);
    reporter.plan(plan, { failing: asksInVain || isBlocked(plan) });
    stopIfBlocked(plan);
    if (asksInVain)
      throw cliError(
        'CLI_PLAN_UNKNOWN',
        `Cannot tell whether ${plan.workflow} would change something as not all can be looked at`,
        {
          hint: 'Plan as root, and where the API server answers',
        },
      );
    if (exitCode === true && hasWork(plan)) process.exitCode = workFound;
  } catch (error) {
    throw reporter.fail(error);
  }
}
