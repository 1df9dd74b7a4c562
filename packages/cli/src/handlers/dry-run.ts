import { webCryptoSigner } from '@groundplane/bootstrap';
import { errorsOf } from '@groundplane/errors';
import {
  artifactOf,
  isBlocked,
  type Plan,
  predictWorkflow,
  runWorkflow,
  type WorkflowRequest,
} from '@groundplane/phases';
import { dryRunHost } from '../dry-run-host.ts';
import { cliError } from '../error-codes.ts';
import type { NodeHost } from '../node-host.ts';
import { standing } from '../render/error-lines.ts';
import { distinct } from '../render/plan-lines.ts';
import type { DryRunFiles, Reporter } from '../render/reporter.ts';

export interface DryRunOptions {
  readonly node: NodeHost;
  readonly reporter: Reporter;
  /** The variable of the environment that may name the folder. */
  readonly variable?: string | undefined;
}

/**
 * Tells what a run would do, to its end, and where a variable of the environment names a folder writes the files that it would
 * write into that. The node is left as it is.
 *
 * @throws GroundplaneError CLI_PLAN_BLOCKED if a run would stop before its first write
 */
export async function dryRun<C>(
  request: WorkflowRequest<C>,
  { node, reporter, variable = '' }: DryRunOptions,
): Promise<void> {
  const plan = await predictWorkflow({ ...request, signer: webCryptoSigner() });
  const directory = process.env[variable] ?? '';
  const isWanted = directory !== '' && !isBlocked(plan);
  const files = isWanted ? await writeFiles(request, plan, node.absolute(directory)) : undefined;
  reporter.plan(plan, { ...(files === undefined ? {} : { files }), failing: isBlocked(plan) });
  stopIfBlocked(plan);
}

/** @throws GroundplaneError CLI_PLAN_BLOCKED */
export function stopIfBlocked(plan: Plan): void {
  if (!isBlocked(plan)) return;
  const findings = distinct(plan.phases.flatMap((planned) => errorsOf(planned.findings)));
  throw cliError('CLI_PLAN_BLOCKED', `Cannot run ${plan.workflow}: ${standing(findings.length)}, nothing was changed`, {
    findings,
  });
}

/**
 * Runs the planned phases that make files and nothing else, on a host whose files land in the folder. Nobody else is asked to sign for
 * it, so that what he would sign is left out.
 */
async function writeFiles<C>(request: WorkflowRequest<C>, plan: Plan, directory: string): Promise<DryRunFiles> {
  const { workflow } = request;
  const layout = workflow.layout(request.config);
  const planned = new Set(plan.phases.map(({ phase }) => phase));
  const signed = new Set(plan.phases.filter(({ signer }) => signer !== undefined).map(({ phase }) => phase));
  const only = workflow.phases
    .filter(({ name, connect }) => planned.has(name) && !signed.has(name) && connect === undefined)
    .filter(({ writes }) => Object.values(writes).some((entry) => artifactOf(entry).where(layout).kind === 'file'))
    .map(({ name }) => name);
  const { host, written } = dryRunHost(request.ports.host, { directory, layout });
  await runWorkflow({ ...request, ports: { ...request.ports, host }, selection: { only }, actor: 'dry run' });
  return { directory, files: [...written].map(([location, file]) => ({ location, file })) };
}
