import { type FlagValues, readInitConfiguration, readJoinConfiguration } from '@groundplane/config';
import type { Finding } from '@groundplane/errors';
import {
  lookUntilStopped,
  type PhaseStatus,
  type PhaseVerdict,
  phaseCommand,
  type SuppliedPorts,
  type VerifyRequest,
  verifyWorkflow,
} from '@groundplane/phases';
import { type Advice, adviceFor, advisedFinding } from './advised-commands.ts';
import {
  dispensable,
  doubtAboutAuthority,
  doubtAboutMissing,
  withDoubtfulAuthority,
  withDoubts,
} from './doubted-status.ts';
import { asItIs, type ExtendWorkflow } from './extend-workflow.ts';
import { asksForAbsence } from './first-run-hints.ts';
import type { InitContext } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import { nodeNameOf } from './join-context.ts';
import { joinWorkflow } from './join-workflow.ts';
import { joinedNodeConfiguration } from './joined-node-configuration.ts';
import { type ConfigurationSource, nodeConfiguration } from './node-configuration.ts';
import { controlPlaneRemedies, type PhaseCall, workerRemedies } from './node-remedies.ts';
import { nodeRole } from './node-role.ts';
import { patientPorts } from './patient-ports.ts';
import { withoutMissingPhases } from './resolve-join.ts';

export interface NodeVerdictsRequest {
  readonly ports: SuppliedPorts;
  readonly workflow: 'init' | 'join';
  /** The phase, or the group of phases, that is verified; all without. */
  readonly phase?: string | undefined;
  /** Of `--skip-phases` and `--ignore-preflight-errors`, typed, by name: they say nothing about the node. */
  readonly flags?: FlagValues;
  /** Root directory of the node, as commands that are advised are to name it. */
  readonly rootDirectory?: string | undefined;
  /** Told of the configuration as soon as it is found, before the container runtime is asked. */
  readonly onConfiguration?: (context: InitContext) => void;
  readonly signal?: AbortSignal | undefined;
  /** @default the workflows have no phases of others */
  readonly extend?: ExtendWorkflow;
}

export interface NodeVerdicts {
  readonly node: string;
  /** What it is judged by. */
  readonly configuration: ConfigurationSource;
  readonly phases: readonly PhaseVerdict[];
  readonly warnings: readonly Finding[];
}

/**
 * Holds what is on a machine to what its phases demand, by the configuration that the node itself tells, as `nodeStatus` does: a setting
 * that differs from a default is no fault, and what nobody knows is unknown.
 *
 * @returns undefined for a machine that is no node, which tells nothing
 * @throws GroundplaneError of kind usage for flags; PHASES_UNKNOWN_PHASE; PHASES_ABORTED as soon as the signal aborts
 */
export async function nodeVerdicts(asked: NodeVerdictsRequest): Promise<NodeVerdicts | undefined> {
  return lookUntilStopped('verify this node', asked, async (ports) => {
    if ((await nodeRole(ports.host)) === 'none') return undefined;
    const request = { ...asked, ports: patientPorts(ports) };
    return request.workflow === 'init' ? verdictsOfInit(request) : verdictsOfJoin(request);
  });
}

async function verdictsOfInit(request: NodeVerdictsRequest): Promise<NodeVerdicts> {
  const { ports, rootDirectory, flags = {}, onConfiguration } = request;
  const { run } = readInitConfiguration(undefined, { flags });
  const found = await nodeConfiguration({ ports });
  const { source, warnings } = found;
  const context = { ...found.context, ignorePreflightErrors: run.ignorePreflightErrors };
  onConfiguration?.(context);
  const workflow = await (request.extend ?? asItIs)(initWorkflow);
  const remedies = (phaseCall: PhaseCall) => controlPlaneRemedies(context, ports.host, phaseCall);
  const advice = await adviceFor({ workflow, context, source, rootDirectory, ports, remedies });
  const doubtful = (finding: Finding) => doubtAboutMissing(finding, found);
  const doubted = (status: PhaseStatus) => withDoubts(status, { ...found, ports, noCluster: undefined });
  const verdicts = await verdictsOf(
    { workflow, config: context, ports },
    { request, advice, doubted, doubtful, ...run },
  );
  return { node: context.init.nodeRegistration.name, configuration: source, phases: verdicts, warnings };
}

async function verdictsOfJoin(request: NodeVerdictsRequest): Promise<NodeVerdicts> {
  const { ports, rootDirectory, flags = {}, onConfiguration } = request;
  const { run } = readJoinConfiguration(undefined, { flags, requireDiscovery: false });
  const found = await joinedNodeConfiguration({ ports });
  const { source, warnings, authorityIsAssumed } = found;
  const context = { ...found.context, ignorePreflightErrors: run.ignorePreflightErrors };
  onConfiguration?.(context);
  const workflow = await (request.extend ?? asItIs)(joinWorkflow);
  const remedies = () => workerRemedies(context, ports.host);
  const advice = await adviceFor({ workflow, context, source, rootDirectory, ports, remedies });
  const doubtful = (finding: Finding) => (authorityIsAssumed ? doubtAboutAuthority(finding, context) : undefined);
  const doubted = async (status: PhaseStatus) => (authorityIsAssumed ? withDoubtfulAuthority(status, context) : status);
  const verdicts = await verdictsOf(
    { workflow, config: context, ports },
    { request, advice, doubted, doubtful, skipPhases: withoutMissingPhases(run.skipPhases) },
  );
  return { node: nodeNameOf(context), configuration: source, phases: verdicts, warnings };
}

/** Verdicts on a control-plane node by a given configuration, whose hints name a phase only where that makes what is missing. */
export async function withRemedies(
  verdicts: readonly PhaseVerdict[],
  { context, host }: { readonly context: InitContext; readonly host: SuppliedPorts['host'] },
): Promise<readonly PhaseVerdict[]> {
  const asGiven = { suffix: '', fits: () => true };
  const remedies = await controlPlaneRemedies(context, host, (phase) => `groundplane ${phaseCommand('init', phase)}`);
  return verdicts.map((verdict) => ({
    ...verdict,
    findings: verdict.findings.map((finding) => advisedFinding(finding, { ...asGiven, remedies })),
  }));
}

interface Look {
  readonly request: NodeVerdictsRequest;
  readonly advice: Advice;
  readonly skipPhases: readonly string[];
  /** The status as it is with what nobody knows. */
  readonly doubted: (status: PhaseStatus) => Promise<PhaseStatus>;
  /** Why what a finding says is not known. */
  readonly doubtful: (finding: Finding) => string | undefined;
}

async function verdictsOf<C>(
  what: Pick<VerifyRequest<C>, 'workflow' | 'config' | 'ports'>,
  { request: { phase, signal }, advice, skipPhases, doubted, doubtful }: Look,
): Promise<readonly PhaseVerdict[]> {
  const verdicts = await verifyWorkflow({
    ...what,
    selection: phase === undefined ? { skip: skipPhases } : { only: [phase] },
    ...(signal === undefined ? {} : { signal }),
    async doubt(status) {
      const { state, reason } = await doubted(status);
      return state === 'unknown' && status.state !== 'unknown' ? reason : undefined;
    },
  });
  return verdicts.map((verdict) => onNode(withoutDoubtful(verdict, doubtful), advice));
}

/** What may as well be elsewhere is not seen, and no error. */
function withoutDoubtful(verdict: PhaseVerdict, doubtful: Look['doubtful']): PhaseVerdict {
  const unseen = [...verdict.unseen];
  const findings = verdict.findings.filter((finding) => {
    const reason = doubtful(finding);
    if (reason === undefined) return true;
    if (!unseen.some(({ location }) => location === finding.artifact))
      unseen.push({ artifact: verdict.phase, location: finding.artifact, reason });
    return false;
  });
  return findings.length === verdict.findings.length ? verdict : { ...verdict, findings, unseen };
}

/** A verdict on a phase of a node that is there already: what its phases have made is judged by them, and not missed by the checks. */
function onNode(verdict: PhaseVerdict, advice: Advice): PhaseVerdict {
  const findings = verdict.findings
    .filter(({ artifact }) => verdict.phase !== 'preflight' || !asksForAbsence.test(artifact))
    .map((finding): Finding => (isDispensable(verdict, finding) ? { ...finding, severity: 'warning' } : finding))
    .map((finding) => advisedFinding(finding, advice));
  const isInvalid = findings.some(({ severity }) => severity === 'error');
  if (verdict.verdict !== 'invalid' || isInvalid) return { ...verdict, findings };
  return { ...verdict, findings, verdict: verdict.unseen.length > 0 ? 'unknown' : 'valid' };
}

function isDispensable({ phase }: PhaseVerdict, { code }: Finding): boolean {
  return dispensable.has(phase) && code === 'PHASES_ARTIFACT_MISSING';
}
