import { type ConfigurationSource, type ExtendWorkflow, nodeVerdicts, webCryptoSigner } from '@groundplane/bootstrap';
import { knownCriSockets } from '@groundplane/config';
import { errorsOf, type Finding, warningsOf } from '@groundplane/errors';
import { type PhaseVerdict, phaseName, verifyWorkflow } from '@groundplane/phases';
import { cliError } from '../error-codes.ts';
import { withGivenFlags } from '../given-flags.ts';
import { type Invocation, textFlag } from '../invocation.ts';
import { localPorts } from '../local-ports.ts';
import { nodeHost } from '../node-host.ts';
import { extensionForLooking } from '../plugins/with-plugins.ts';
import { sourceText } from '../render/configuration-source.ts';
import { standing } from '../render/error-lines.ts';
import { distinct } from '../render/plan-lines.ts';
import { failedDocument, printDocument, printText, wantsDocument } from '../render/print-document.ts';
import { verdictLines } from '../render/verdict-lines.ts';
import { printWarnings } from '../render/warning-lines.ts';
import type { WorkflowRun } from '../workflows/workflow-run.ts';
import { withWorkflowRun } from '../workflows/workflow-runs.ts';
import { prepare } from './run-workflow.ts';
import { verifiedWorkflow } from './verified-workflow.ts';

/**
 * `verify [PHASE]`: holds what is there to the verify of every phase, whoever made it. Changes nothing.
 *
 * @throws GroundplaneError CLI_VERIFY_FAILED, CLI_VERIFY_INCOMPLETE if not all can be looked at, CLI_UNKNOWN_FLAG, those of the configuration
 */
export async function verifyWorkflowCommand(invocation: Invocation): Promise<void> {
  const { workflow: _, ...flags } = invocation.flags;
  const plugins = extensionForLooking();
  const isTold = telling({ ...invocation, flags }).length > 0;
  const chosen = await verifiedWorkflow(invocation, { isTold, extend: plugins.extend });
  await withWorkflowRun(chosen.name, (run) => verifyOne(invocation, run, { ...plugins, reason: chosen.reason }));
}

interface Choice extends ReturnType<typeof extensionForLooking> {
  /** Why it is this workflow, where nobody said which. */
  readonly reason: string | undefined;
}

async function verifyOne<C>(
  invocation: Invocation,
  own: WorkflowRun<C>,
  { extend, findings: pluginFindings, reason }: Choice,
): Promise<void> {
  const workflow = await extend(own.workflow);
  const run = { ...own, workflow };
  const { workflow: _, ...flags } = invocation.flags;
  const [word] = invocation.words;
  const phase = word === undefined ? undefined : phaseName(word);
  refuseForeignFlags(invocation, workflow.name);
  const asked = { ...invocation, words: [], path: pathOf(invocation, workflow.name, phase), flags };
  const {
    phases: judged,
    configuration,
    node,
    warnings: found,
  } = (await verdictsByNode(asked, { workflow: workflow.name, phase, extend })) ??
  (await verdictsByInput(asked, run, phase));
  const told = (finding: Finding) => withGivenFlags(finding, invocation);
  const phases = judged.map((phase) => ({ ...phase, findings: phase.findings.map(told) }));
  const warnings = [...pluginFindings, ...found];
  const document = {
    command: 'verify',
    workflow: workflow.name,
    ...(configuration === undefined ? {} : { configuration }),
    phases,
    warnings: warningsOf(warnings),
  };
  const failure = failureOf(phases, workflow.name);
  if (wantsDocument(invocation)) {
    if (failure !== undefined) throw failedDocument(invocation, document, failure);
    printDocument(invocation, document);
    return;
  }
  printWarnings(invocation, warnings);
  invocation.output.stderr(`held to the phases of ${workflow.name}${reason === undefined ? '' : `, ${reason}`}\n`);
  if (node !== undefined && configuration !== undefined)
    invocation.output.stderr(`${node} is ${sourceText(configuration)}\n`);
  printText(invocation.output, verdictLines(phases));
  if (failure !== undefined) throw failure;
}

interface Verdicts {
  readonly phases: readonly PhaseVerdict[];
  /** What it is judged by; absent where no configuration matters. */
  readonly configuration?: ConfigurationSource | 'flags';
  /** The name of the node that told it. */
  readonly node?: string;
  readonly warnings: readonly Finding[];
}

/** Flags that say what is looked at. */
const aboutTheLook = ['skip-phases', 'ignore-preflight-errors'];

/** The flags that say how a node is to be. */
function telling({ flags, table }: Invocation): readonly string[] {
  const others = new Set(['output', ...aboutTheLook, ...table.persistent.map(({ name }) => name)]);
  return Object.keys(flags).filter((name) => !others.has(name));
}

/** By what the node is, where nobody says what it should be; undefined where somebody does, or it is no node. */
async function verdictsByNode(
  invocation: Invocation,
  {
    workflow,
    phase,
    extend,
  }: { readonly workflow: string; readonly phase: string | undefined; readonly extend: ExtendWorkflow },
): Promise<Verdicts | undefined> {
  if (telling(invocation).length > 0 || (workflow !== 'init' && workflow !== 'join')) return undefined;
  const flags = Object.fromEntries(Object.entries(invocation.flags).filter(([name]) => aboutTheLook.includes(name)));
  let criSocket: string = knownCriSockets[0];
  const ports = localPorts({ node: await nodeHost(invocation), criSocket: () => criSocket, signer: webCryptoSigner() });
  return nodeVerdicts({
    ports,
    workflow,
    phase,
    flags,
    rootDirectory: textFlag(invocation, 'rootfs') || undefined,
    onConfiguration({ init }) {
      criSocket = init.nodeRegistration.criSocket || criSocket;
    },
    signal: invocation.signal,
    extend,
  });
}

/** By the file, the flags and the defaults that the workflow would go by. */
async function verdictsByInput<C>(
  invocation: Invocation,
  run: WorkflowRun<C>,
  phase: string | undefined,
): Promise<Verdicts> {
  const { flags, signal } = invocation;
  const { workflow } = run;
  const { ports, resolved } = await prepare({ ...invocation, flags: { ...flags, 'dry-run': true } }, run, {
    signer: webCryptoSigner(),
    looksOnly: true,
  });
  const { context: config, skipPhases, warnings } = resolved;
  const selection = phase === undefined ? { skip: skipPhases } : { only: [phase] };
  const verdicts = await verifyWorkflow({ workflow, config, ports, selection, signal });
  const phases = (await run.remedied?.(verdicts, { context: config, host: ports.host })) ?? verdicts;
  if (workflow.name === 'reset') return { phases, warnings };
  const isTold = telling(invocation).length > 0;
  const configuration = textFlag(invocation, 'config') ? 'file' : isTold ? 'flags' : 'defaults';
  return { phases, configuration, warnings };
}

/** The command whose needs say what the machine is asked for. */
function pathOf({ flags }: Invocation, workflow: string, phase: string | undefined): readonly string[] {
  if (phase !== undefined) return [workflow, 'phase', ...phase.split('/')];
  // A node that has joined knows its cluster; nobody has to say again how it is found.
  const isTold = Object.keys(flags).some((name) => name === 'config' || name.includes('discovery') || name === 'token');
  return workflow === 'join' && !isTold ? ['join', 'phase', 'kubelet-wait-bootstrap'] : [workflow];
}

/** The command takes the flags of all workflows. */
function refuseForeignFlags({ flags, table }: Invocation, workflow: string): void {
  const own = new Set(['workflow', ...table.persistent.map(({ name }) => name)]);
  const known = table.commands.find(({ path }) => path.length === 1 && path[0] === workflow)?.flags ?? [];
  const foreign = Object.keys(flags).find((name) => !own.has(name) && !known.some((flag) => flag.name === name));
  if (foreign === undefined) return;
  throw cliError('CLI_UNKNOWN_FLAG', `unknown flag: --${foreign}`, {
    hint: `--workflow=${workflow} takes the flags of '${workflow}'; see '${workflow} --help'`,
  });
}

function failureOf(phases: readonly PhaseVerdict[], workflow: string) {
  const findings: readonly Finding[] = distinct(phases.flatMap((phase) => errorsOf(phase.findings)));
  if (findings.length > 0)
    return cliError('CLI_VERIFY_FAILED', `Cannot confirm what ${workflow} makes: ${standing(findings.length)}`, {
      findings,
    });
  const unseen = new Set(phases.flatMap((phase) => phase.unseen.map(({ location }) => location)));
  if (unseen.size === 0) return undefined;
  return cliError(
    'CLI_VERIFY_INCOMPLETE',
    `Cannot confirm all that ${workflow} makes as not all can be looked at: ${unseen.size}`,
    {
      hint: 'Verify as root, and where the API server answers; --config FILE says what nothing on the node tells',
    },
  );
}
