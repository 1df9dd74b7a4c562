import type { Finding } from '@groundplane/errors';
import {
  lookUntilStopped,
  type PhaseStatus,
  type ReadJournal,
  type SuppliedPorts,
  statusOfWorkflow,
  type Workflow,
} from '@groundplane/phases';
import { type Advice, adviceFor, remediesOf, withAdvice } from './advised-commands.ts';
import { dispensable, unsettled, withDoubtfulAuthority, withDoubts } from './doubted-status.ts';
import { asItIs, type ExtendWorkflow } from './extend-workflow.ts';
import { type InitContext, layoutOf } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import { type JoinContext, nodeNameOf } from './join-context.ts';
import { joinWorkflow } from './join-workflow.ts';
import { joinedNodeConfiguration } from './joined-node-configuration.ts';
import { type ComponentStatus, controlPlaneStatus, kubeletStatus } from './node-components.ts';
import { type ConfigurationSource, type NodeConfiguration, nodeConfiguration } from './node-configuration.ts';
import { silently } from './node-facts.ts';
import { controlPlaneRemedies, workerRemedies } from './node-remedies.ts';
import { type NodeRole, nodeRole } from './node-role.ts';
import { patientPorts } from './patient-ports.ts';
import { usualLayout } from './usual-layout.ts';

export interface NodeStatusRequest {
  readonly ports: SuppliedPorts;
  /** Text of the file given by `--config`; without one the configuration is looked for. */
  readonly configText?: string | undefined;
  /** That file, as commands that are advised are to name it. */
  readonly configFile?: string | undefined;
  /** Root directory of the node, as commands that are advised are to name it. */
  readonly rootDirectory?: string | undefined;
  /** Absolute path of the folder from which relative paths of the configuration count. @default '/' */
  readonly workingDirectory?: string;
  /** Told of the configuration as soon as it is found, before the container runtime and the journal are asked. */
  readonly onConfiguration?: (context: InitContext) => void;
  /** Reads the journal of this node, if there is one that can be read; only who made a file depends on it. */
  readonly readJournal?: () => Promise<ReadJournal | undefined>;
  readonly signal?: AbortSignal | undefined;
  /** @default the workflows have no phases of others */
  readonly extend?: ExtendWorkflow;
}

/** `complete` all that a node of its role has is there · `incomplete` something is missing or wrong · `none` it is no node · `unknown` nothing is known to be missing, but not all can be seen. */
export type NodeState = 'complete' | 'incomplete' | 'none' | 'unknown';

export interface NodeStatus {
  readonly node: string;
  readonly role: NodeRole;
  readonly state: NodeState;
  /** What it is judged by; absent for what is no node. */
  readonly configuration?: ConfigurationSource;
  /** The workflow whose phases make such a node. */
  readonly workflow?: 'init' | 'join';
  /** The workflow that makes what is missing; absent where nothing is, or where it has to be seen to by hand. */
  readonly next?: string;
  /** The command that does so, by the configuration that the status was judged by; absent where no command is sure to. */
  readonly nextCommand?: string;
  readonly phases: readonly PhaseStatus[];
  readonly components: readonly ComponentStatus[];
  /** On a machine that is no node: what an earlier one has left there. */
  readonly leftovers: readonly string[];
  readonly warnings: readonly Finding[];
}

/**
 * Tells how far a machine is as a node of a cluster, from what is on it and in the cluster: which role it has, what of it is missing and
 * which command makes that, who made what, and what runs. Changes nothing, needs no rights, no network and no journal: what cannot be
 * seen is unknown.
 *
 * @throws GroundplaneError of kind usage for a given configuration that cannot be used; PHASES_ABORTED as soon as the signal aborts
 */
export async function nodeStatus(asked: NodeStatusRequest): Promise<NodeStatus> {
  return lookUntilStopped('tell the status of this node', asked, (ports) =>
    statusOfNode({ ...asked, ports: patientPorts(ports) }),
  );
}

async function statusOfNode(request: NodeStatusRequest): Promise<NodeStatus> {
  const role = await nodeRole(request.ports.host);
  if (role === 'worker') return workerStatus(request);
  if (role === 'control-plane' || request.configText !== undefined) return controlPlaneNodeStatus(request, role);
  const { host } = request.ports;
  return {
    node: (await host.facts.hostName()).trim().toLowerCase(),
    role,
    state: role === 'none' ? 'none' : 'unknown',
    ...(role === 'none' ? { next: 'init' } : {}),
    phases: [],
    components: [],
    leftovers: await leftovers(request.ports),
    warnings: [],
  };
}

async function controlPlaneNodeStatus(request: NodeStatusRequest, role: NodeRole): Promise<NodeStatus> {
  const { ports, extend = asItIs } = request;
  const workflow = await extend(initWorkflow);
  const configuration = await nodeConfiguration(request);
  const { context, source, warnings } = configuration;
  request.onConfiguration?.(context);
  const noCluster = await reasonAgainstCluster(configuration, ports);
  const [phases, kubelet, components, advice] = await Promise.all([
    phasesOf(workflow, context, { request, noCluster }),
    kubeletStatus(context, ports.host, { isAssumed: kubeletIsAssumed(configuration) }),
    controlPlaneStatus(context, ports, { source }),
    adviceFor({
      workflow,
      context,
      source,
      ...advised(request),
      remedies: (phaseCall) => controlPlaneRemedies(context, ports.host, phaseCall),
    }),
  ]);
  const judged = await Promise.all(phases.map((phase) => withDoubts(phase, { ...configuration, ports, noCluster })));
  return {
    node: context.init.nodeRegistration.name,
    role,
    workflow: 'init',
    configuration: source,
    ...overall(judged, 'init', advice),
    phases: judged.map((phase) => withAdvice(phase, advice)),
    components: [kubelet, ...components],
    leftovers: [],
    warnings,
  };
}

async function workerStatus(request: NodeStatusRequest): Promise<NodeStatus> {
  const workflow = await (request.extend ?? asItIs)(joinWorkflow);
  const { context, source, warnings, authorityIsAssumed } = await joinedNodeConfiguration(request);
  request.onConfiguration?.(context);
  const [looked, kubelet, advice] = await Promise.all([
    phasesOf<JoinContext>(workflow, context, { request, noCluster: undefined }),
    kubeletStatus(context, request.ports.host, { isAssumed: source === 'defaults' }),
    adviceFor<JoinContext>({
      workflow,
      context,
      source,
      ...advised(request),
      remedies: () => workerRemedies(context, request.ports.host),
    }),
  ]);
  const phases = looked.map((phase) => (authorityIsAssumed ? withDoubtfulAuthority(phase, context) : phase));
  return {
    node: nodeNameOf(context),
    role: 'worker',
    workflow: 'join',
    configuration: source,
    ...overall(phases, 'join', advice),
    phases: phases.map((phase) => withAdvice(phase, advice)),
    components: [kubelet],
    leftovers: [],
    warnings,
  };
}

/** Whether neither the cluster nor the node told how the kubelet is configured. */
function kubeletIsAssumed({ source, node }: NodeConfiguration): boolean {
  return source === 'defaults' || (source === 'node' && node?.kubeletText === undefined);
}

function advised({ configFile, rootDirectory, ports }: NodeStatusRequest) {
  return { configFile, rootDirectory, ports };
}

async function phasesOf<C extends InitContext>(
  workflow: Workflow<C>,
  config: C,
  { request, noCluster }: { readonly request: NodeStatusRequest; readonly noCluster: string | undefined },
): Promise<readonly PhaseStatus[]> {
  const { ports, signal, readJournal } = request;
  const journal = await readJournal?.();
  const { phases } = await statusOfWorkflow({
    workflow,
    config,
    ports,
    noCluster,
    ...(journal === undefined ? {} : { journal }),
    ...(signal === undefined ? {} : { signal }),
  });
  return phases;
}

/** An etcd of this node that holds nothing has never been that of a cluster; an API server that answers has one. */
async function reasonAgainstCluster(
  { context, answers, assumed }: NodeConfiguration,
  { host }: SuppliedPorts,
): Promise<string | undefined> {
  if (answers || assumed.has('etcd') || assumed.has('dataDir')) return undefined;
  if (context.cluster.etcd.external !== undefined) return undefined;
  const { etcdData } = layoutOf(context);
  // undefined where it cannot be looked at.
  const isEmpty = await silently(async () => ((await host.files.list(etcdData)) ?? []).length === 0);
  return isEmpty === true ? `there is no cluster yet: etcd has no data in ${etcdData}` : undefined;
}

function overall(
  phases: readonly PhaseStatus[],
  workflow: string,
  { suffix, isGiven, remedies }: Advice,
): Pick<NodeStatus, 'state' | 'next' | 'nextCommand'> {
  const counted = phases.filter(({ phase, state }) => !(dispensable.has(phase) && state === 'missing'));
  const states = counted.map(({ state }) => state);
  if (states.some((state) => unsettled.has(state))) {
    // What is wrong is kept by every command: somebody has to look at it.
    if (states.includes('wrong')) return { state: 'incomplete' };
    // So it has to be where the workflow would refuse to make what is gone.
    const isByHand = counted.some((status) => unsettled.has(status.state) && remediesOf(status, remedies).length > 0);
    if (isByHand) return { state: 'incomplete' };
    const nextCommand = !isGiven ? {} : { nextCommand: `${workflow}${suffix}` };
    return { state: 'incomplete', next: workflow, ...nextCommand };
  }
  return { state: states.includes('unknown') ? 'unknown' : 'complete' };
}

/** Folders whose contents make the next node what it should not be. */
async function leftovers({ host }: SuppliedPorts): Promise<readonly string[]> {
  const { pki, etcdData } = usualLayout;
  const listed = await Promise.all(
    [pki, `${pki}/etcd`].map((folder) =>
      silently(async () => ((await host.files.list(folder)) ?? []).map((name) => `${folder}/${name}`)),
    ),
  );
  const data = await silently(async () => ((await host.files.list(etcdData)) ?? []).length > 0);
  const files = listed.flatMap((paths) => paths ?? []).filter((path) => path !== `${pki}/etcd`);
  return [...files, ...(data === true ? [etcdData] : [])];
}
