import { webCryptoSigner } from '@groundplane/bootstrap';
import { initCommands, joinCommands, knownCriSockets, resetCommands } from '@groundplane/config';
import { messageOf } from '@groundplane/errors';
import { systemClock } from '@groundplane/host';
import {
  type Event,
  type Product,
  runWorkflow,
  type Selection,
  type Signer,
  type SuppliedPorts,
  untilStopped,
} from '@groundplane/phases';
import { chosenSigner } from '../chosen-signer.ts';
import { confirm } from '../confirm.ts';
import { cliError } from '../error-codes.ts';
import type { Invocation } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import type { NodeHost } from '../node-host.ts';
import { turnOf, withNodeLock } from '../node-lock.ts';
import { actorOf, callingUser, journalPath } from '../own-journal.ts';
import { workflowWithPlugins } from '../plugins/with-plugins.ts';
import { namingFile } from '../read-config-file.ts';
import { progressFilter } from '../render/progress-filter.ts';
import { type Reporter, type RunHeader, reporterFor } from '../render/reporter.ts';
import type { Confirmation, Resolved, WorkflowRun } from '../workflows/workflow-run.ts';
import { type WorkflowInput, workflowInput } from './workflow-input.ts';

/** What was done about the command already. */
export interface HeadStart {
  readonly input?: WorkflowInput;
  /** In place of the one that the command asks for. */
  readonly signer?: Signer;
}

interface PrepareOptions extends HeadStart {
  /** True where what is missing is a verdict, and no obstacle. @default false */
  readonly looksOnly?: boolean;
  readonly progress?: (phase: string, message: string) => void;
}

/**
 * Runs a workflow (`join`), or one of its phases (`init phase certs ca`, `init phase certs all`).
 *
 * @throws GroundplaneError of the engine, the configuration, the adapters
 */
export async function runWorkflowCommand<C>(
  invocation: Invocation,
  own: WorkflowRun<C>,
  headStart: HeadStart = {},
): Promise<void> {
  const reporter = reporterFor(invocation);
  try {
    const run = { ...own, workflow: await workflowWithPlugins(own.workflow) };
    const phase = phaseOf(invocation);
    refuseMissing(invocation, run);
    const progress = progressOf(reporter);
    const prepareNow = () =>
      untilStopped(invocation.signal, () => prepare(invocation, run, { ...headStart, progress }));
    await wholeOrPhase({ ...(await prepareNow()), prepareNow, invocation, run, reporter, phase });
  } catch (error) {
    throw reporter.fail(stopped(error, invocation.signal));
  }
}

/** Tells what is done before the first phase, without saying the same thing again and again. */
export function progressOf(reporter: Reporter): (phase: string, message: string) => void {
  const isNews = progressFilter(() => systemClock().monotonicMs());
  return (phase, message) => {
    if (isNews(message)) reporter.event({ type: 'progress', phase, message });
  };
}

/** The first line of a run or a plan, with what the configuration says about the node. */
export function headerOf<C>(
  run: Pick<WorkflowRun<C>, 'nodeName' | 'kubernetesVersion'>,
  context: C,
  { workflow, phase, dryRun }: Pick<RunHeader, 'workflow' | 'dryRun'> & { readonly phase?: string | undefined },
): RunHeader {
  const kubernetesVersion = run.kubernetesVersion?.(context);
  return {
    workflow,
    nodeName: run.nodeName(context),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    ...(phase === undefined ? {} : { phase }),
    dryRun,
  };
}

/** The signal's own reason comes from where no phase runs; the engine has an error for phases. */
function stopped(error: unknown, { reason }: AbortSignal): unknown {
  if (reason === undefined || error !== reason) return error;
  return cliError('CLI_STOPPED', `${messageOf(error)}: no phase had begun, nothing was changed`, { cause: error });
}

export interface Prepared<C> {
  readonly node: NodeHost;
  readonly ports: SuppliedPorts;
  readonly resolved: Resolved<C>;
}

/** `certs/ca` or `certs/all`; absent for the whole workflow. */
export function phaseOf({ path }: Invocation): string | undefined {
  return path.length > 2 ? path.slice(2).join('/') : undefined;
}

const knownCommands: ReadonlySet<string> = new Set(
  [...initCommands, ...joinCommands, ...resetCommands].map(({ command }) => command),
);

/** Reads the configuration, and asks the machine what it leaves open. */
export async function prepare<C>(
  invocation: Invocation,
  {
    workflow,
    resolve,
    criSocket: socketOf,
    nodeName,
    signs,
  }: Pick<WorkflowRun<C>, 'workflow' | 'resolve' | 'criSocket' | 'nodeName' | 'signs'>,
  { input, signer: givenSigner, looksOnly = false, progress = () => {} }: PrepareOptions = {},
): Promise<Prepared<C>> {
  const given = input ?? (await workflowInput(invocation));
  let criSocket: string = knownCriSockets[0];
  let node: string | undefined;
  const choose = () => chosenSigner(invocation, { text: given.text, node: () => node });
  const signer = givenSigner ?? (signs === true ? await choose() : webCryptoSigner());
  const ports = localPorts({ node: given.node, criSocket: () => criSocket, signer });
  const words = invocation.path.join(' ');
  // A phase that the flag table does not know looks for the runtime, as the whole workflow does.
  const command = knownCommands.has(words) ? words : workflow.name;
  const resolved = await namingFile(given.path, () =>
    resolve({ input: given, ports, command, invocation, looksOnly, progress }),
  );
  criSocket = socketOf(resolved.context);
  node = nodeName(resolved.context);
  return { node: given.node, ports, resolved };
}

function refuseMissing<C>(invocation: Invocation, { workflow, missing }: WorkflowRun<C>): void {
  const phase = phaseOf(invocation);
  if (phase === undefined) return;
  const group = phase.endsWith('/all') ? phase.slice(0, -'all'.length) : `${phase}/`;
  if (workflow.phases.some(({ name }) => name === phase || name.startsWith(group))) return;
  throw cliError('CLI_PHASE_MISSING', `Cannot run ${invocation.path.join(' ')} as ${missing.reason}`, {
    hint: missing.hint,
  });
}

/** @returns the context, confirmed where that is needed */
async function confirmed<C>(
  confirmation: Confirmation<C> | undefined,
  { context, skipPhases }: Resolved<C>,
  { invocation, phase }: Pick<Turn<C>, 'invocation' | 'phase'>,
): Promise<C> {
  if (confirmation === undefined || !confirmation.isNeeded(context)) return context;
  const runs = phase === undefined ? !skipPhases.some((name) => name.toLowerCase() === confirmation.phase) : true;
  if (!runs || (phase !== undefined && phase !== confirmation.phase)) return context;
  const { program, output } = invocation;
  output.stderr(
    program === 'kubeadm'
      ? `[${invocation.path[0]}] WARNING: ${confirmation.warning}\n`
      : `warning: ${confirmation.warning}\n`,
  );
  await confirm(confirmation.question, invocation);
  return confirmation.given(context);
}

interface Turn<C> extends Prepared<C> {
  readonly invocation: Invocation;
  readonly run: WorkflowRun<C>;
  readonly reporter: Reporter;
  readonly phase: string | undefined;
  /** Reads and asks all that it goes by once more. */
  readonly prepareNow: () => Promise<Prepared<C>>;
}

async function wholeOrPhase<C>(wanted: Turn<C>): Promise<void> {
  const { invocation, run, reporter, phase, node, ports, resolved, prepareNow } = wanted;
  const { program, path, signal } = invocation;
  const { workflow } = run;
  const command = path.join(' ');
  const { context, skipPhases, dryRun, warnings } = resolved;
  const selection: Selection = { ...(phase === undefined ? {} : { only: [phase] }), skip: skipPhases };
  reporter.begin(headerOf(run, context, { workflow: command, phase, dryRun }), warnings);

  const request = { workflow, config: context, ports, selection, signal };
  if (dryRun) {
    const variable = run.dryRunVariable;
    const { dryRun: tell } = await import('./dry-run.ts');
    return untilStopped(signal, () => tell(request, { node, reporter, variable }));
  }
  let config: C = await confirmed(run.confirmation, resolved, { invocation, phase });
  const isConfirmed = config !== context;
  const turn = { ...(await turnOf(invocation, node)), waiting: reporter.lockWait };
  /** What this command goes by may have been changed by the one that it waited for. */
  const afterAnother = async () => {
    const now = await prepareNow();
    const told = new Set(warnings.map(({ message }) => message));
    for (const finding of now.resolved.warnings.filter(({ message }) => !told.has(message)))
      reporter.event({ type: 'finding', phase: workflow.name, finding });
    config = (isConfirmed && run.confirmation?.given(now.resolved.context)) || now.resolved.context;
    return { ...request, config, ports: now.ports, selection: { ...selection, skip: now.resolved.skipPhases } };
  };
  const kept: Product[] = [];
  let hasBegun = false;
  const report = (event: Event) => {
    hasBegun ||= event.type === 'workflow-started';
    if (event.type === 'phase-finished' && event.decision === 'keep') {
      const products = run.keptProducts?.(config, event.phase) ?? [];
      for (const product of products) reporter.event({ type: 'result', ...product });
      kept.push(...products);
    }
    reporter.event(event);
  };
  const ran = await withNodeLock(turn, async ({ waited }) => {
    const current = waited ? await afterAnother() : { ...request, config };
    const journal = journalPath(run.settings(current.config));
    const caller = { actor: actorOf(invocation), user: callingUser() };
    const whole = { ...current, ...caller, report, ...(journal === undefined ? {} : { journal }) };
    // What it looks at before the first phase may take long to answer; from then on it ends between two writes.
    return untilStopped(
      signal,
      () => runWorkflow(whole),
      () => !hasBegun,
    );
  });
  const result = { ...ran, results: [...ran.results, ...kept] };
  reporter.finish(result, run.closing({ program, context: config, result, phase }));
}
