import {
  detectsCriSocket,
  discovers,
  discoveryFilesOf,
  type FlagValues,
  type JoinConfiguration,
  joinCommands,
  knownCriSockets,
  type ReadJoinConfiguration,
  readJoinConfiguration,
  resolveJoinConfiguration,
} from '@groundplane/config';
import type { HttpsGet } from '@groundplane/discovery';
import { type Finding, isGroundplaneError, warningsOf } from '@groundplane/errors';
import { type SuppliedPorts, selectPhases } from '@groundplane/phases';
import { absolutePath } from './absolute-path.ts';
import { missingClientAuthority } from './client-authority.ts';
import { clusterForJoin } from './cluster-for-join.ts';
import { bootstrapError } from './error-codes.ts';
import { filePathOf } from './file-path-of.ts';
import type { MachineFacts } from './init-context.ts';
import { joinedKubeconfig } from './join-artifacts.ts';
import { type JoinContext, joinContextOf, joinLayoutOf } from './join-context.ts';
import { joinWorkflow } from './join-workflow.ts';
import { kubeletMembership } from './joined-kubelet.ts';
import { requireJournalPlace } from './journal-place.ts';
import { kubeletConfFindings } from './kubelet-conf-findings.ts';
import { kubeletCredentials } from './kubelet-credentials.ts';
import { leftByJoin } from './left-by-join.ts';
import { machineFacts } from './machine-facts.ts';
import { silently } from './node-facts.ts';
import { tryPatches } from './patched-documents.ts';
import { kubeletConfFiles } from './placed-kubelet-conf.ts';
import { patchesIn } from './read-patches-directory.ts';
import { readText } from './read-text.ts';
import { requireRoot } from './require-root.ts';

export interface JoinRequest {
  /** Text of the file given by `--config`; undefined when flags alone decide. */
  readonly configText?: string | undefined;
  /** The flags that were given, typed, by name. */
  readonly flags?: FlagValues;
  /** The argument of the command: `host:port` of an API server. */
  readonly endpoint?: string | undefined;
  readonly ports: SuppliedPorts;
  /** Asks servers over HTTPS; `httpsGet` of `@groundplane/host` does. */
  readonly fetch: HttpsGet;
  /** `join`, or the command of one of its phases: `join phase kubelet-start`. */
  readonly command?: string;
  /** True if nothing is going to be made, as in a dry run: then it need not be root. */
  readonly onlyPlanned?: boolean;
  /** Absolute path of the folder from which relative paths count. @default '/' */
  readonly workingDirectory?: string;
  /** Told what is being waited for, one line each time. */
  readonly progress?: ((message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ResolvedJoin {
  readonly context: JoinContext;
  readonly skipPhases: readonly string[];
  readonly dryRun: boolean;
  readonly warnings: readonly Finding[];
}

/**
 * The one step before planning that asks the machine and the cluster: who it is, and how its nodes are configured. From its result on
 * every phase is a function of plain data.
 *
 * @throws GroundplaneError of kind usage, with all problems of the configuration as findings; BOOTSTRAP_CONTROL_PLANE_JOIN_MISSING;
 *   BOOTSTRAP_JOURNAL_REFUSED; BOOTSTRAP_PREFLIGHT_FAILED for others than root; errors of discovery; those of `readJoinedConfiguration`
 */
export async function resolveJoin(request: JoinRequest): Promise<ResolvedJoin> {
  const { configText, flags = {}, endpoint, ports, command = 'join', workingDirectory = '/' } = request;
  const readFile = (path: string) => readDiscoveryFile(ports, absolutePath(path, workingDirectory));
  const read = readJoinConfiguration(configText, {
    flags,
    endpoint,
    requireDiscovery: discovers(command),
    missingFiles: await missingFiles(discoveryFilesOf(configText, flags), readFile),
  });
  refuseControlPlane(read.configuration);
  const { onlyPlanned = read.run.dryRun } = request;
  // Whoever only wants to know what it would do need not be root.
  if (!onlyPlanned) requireRoot(ports.host, { command, ...read.run });
  const skipPhases = withoutMissingPhases(read.run.skipPhases);
  const phases = phasesOf(command, skipPhases);
  const { join, machine, warnings } = await onThisMachine(read, { ports, command, onlyPlanned });
  const progress = request.progress ?? (() => undefined);
  const isPatched = phases.some((phase) => patchedPhases.includes(phase));
  const directory = isPatched ? read.run.patchesDirectory : undefined;
  const [cluster, { patches, warnings: patchWarnings }] = await Promise.all([
    isDiscovered(join)
      ? clusterForJoin(join, { ...request, readFile, asksForNode: phases.includes('kubelet-start'), progress })
      : leftByJoin(join, ports),
    patchesIn(directory, { host: ports.host, workingDirectory }),
  ]);
  const { stored, findings } = cluster;
  // What is said on this machine comes before what the cluster keeps.
  const groundplane = read.groundplane ?? stored.groundplane;
  const { ignorePreflightErrors } = read.run;
  const found = joinContextOf(join, { cluster, groundplane, machine, patches, ignorePreflightErrors });
  const missing = phases.includes('kubelet-start') ? await missingClientAuthority(found, ports.host) : undefined;
  const context = {
    ...found,
    ...(missing === undefined ? {} : { missingClientAuthority: missing }),
    ...(await brought(found, ports)),
  };
  await requireJournalPlace(read.groundplane, { files: ports.host.files, layout: joinLayoutOf(context) });
  return {
    context,
    skipPhases,
    dryRun: read.run.dryRun,
    warnings: [
      ...warnings,
      ...findings,
      ...(await unlessAnswered(stored.warnings, context, ports)),
      ...(await kubeletConfWarnings(context, ports)),
      ...patchWarnings,
      ...tryPatches(context, phases),
    ],
  };
}

async function brought(context: JoinContext, { host }: SuppliedPorts): Promise<Pick<JoinContext, 'kubeletConfFiles'>> {
  const files = await kubeletConfFiles(context, host);
  return Object.keys(files).length === 0 ? {} : { kubeletConfFiles: files };
}

/** What is unusual about a kubelet.conf that is there, before anything is done by it; what is wrong with it its phase refuses. */
async function kubeletConfWarnings(context: JoinContext, { host, clock }: SuppliedPorts): Promise<readonly Finding[]> {
  const kubeconfig = await silently(() => readText(host, filePathOf(joinedKubeconfig, joinLayoutOf(context))));
  return warningsOf(await kubeletConfFindings({ kubeconfig, certificate: undefined }, context, clock.now()));
}

/** A kubelet that has its certificate waits for no signer. */
async function unlessAnswered(
  warnings: readonly Finding[],
  context: JoinContext,
  { host, clock }: SuppliedPorts,
): Promise<readonly Finding[]> {
  const isAbout = ({ code }: Finding) => code === 'BOOTSTRAP_CLUSTER_SIGNER_MISSING';
  if (!warnings.some(isAbout)) return warnings;
  const credentials = await silently(() => kubeletCredentials(context, host));
  if (credentials === undefined) return warnings;
  const { state } = await kubeletMembership(credentials, context, clock.now());
  return state === 'joined' ? warnings.filter((finding) => !isAbout(finding)) : warnings;
}

/** Nothing of the machine is looked at for what is not possible anyway. */
function refuseControlPlane({ controlPlane }: JoinConfiguration): void {
  if (controlPlane === undefined) return;
  throw bootstrapError(
    'BOOTSTRAP_CONTROL_PLANE_JOIN_MISSING',
    'Cannot join a control-plane node as this release joins workers only: --control-plane, or controlPlane in the configuration, is given',
    { hint: 'Leave --control-plane out to join a worker, or join the control-plane node with kubeadm itself' },
  );
}

function isDiscovered({ discovery }: JoinConfiguration): boolean {
  return discovery.bootstrapToken !== undefined || discovery.file !== undefined;
}

/** A join that cannot tell which cluster it is about can tell nothing of its phases either. */
async function readDiscoveryFile({ host }: SuppliedPorts, path: string): Promise<string | undefined> {
  try {
    return await readText(host, path);
  } catch (cause) {
    if (!isGroundplaneError(cause)) throw cause;
    throw bootstrapError(
      'BOOTSTRAP_DISCOVERY_UNREADABLE',
      `Cannot tell which cluster is to be joined: ${cause.message}`,
      {
        hint: `It says where the cluster is, by which alone the phases of a join are known. ${cause.hint ?? ''}`.trim(),
        details: { path },
        cause,
      },
    );
  }
}

async function missingFiles(
  paths: readonly string[],
  readFile: (path: string) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(readFile));
  return paths.filter((_, index) => found[index] === undefined);
}

interface OnThisMachine {
  readonly join: JoinConfiguration;
  readonly machine: MachineFacts;
  readonly warnings: readonly Finding[];
}

async function onThisMachine(
  read: ReadJoinConfiguration,
  {
    ports,
    command,
    onlyPlanned,
  }: { readonly ports: SuppliedPorts; readonly command: string; readonly onlyPlanned: boolean },
): Promise<OnThisMachine> {
  const detectCriSocket = read.configuration.nodeRegistration.criSocket === '' && detectsCriSocket(command);
  const { facts } = ports.host;
  const [hostName, criSockets, machine] = await Promise.all([
    facts.hostName(),
    detectCriSocket ? facts.sockets(knownCriSockets) : [],
    machineFacts(ports.host, { command, looksOnly: onlyPlanned }),
  ]);
  // A worker announces no address.
  const host = { hostName, criSockets, addresses: { ipv4: [], ipv6: [], loopback: [] } };
  const { configuration, warnings } = resolveJoinConfiguration(read, host, {
    detectCriSocket,
    requireDiscovery: discovers(command),
  });
  return { join: configuration, machine: { ...machine, hostName: hostName.trim().toLowerCase() }, warnings };
}

/** Phases that patches of the kubelet's configuration concern: its file, and where its health is asked for. */
const patchedPhases: readonly string[] = ['kubelet-start', 'kubelet-wait-bootstrap'];

/** Names of the phases that a command runs. Those of control-plane nodes, which are not here yet, are none. */
function phasesOf(command: string, skip: readonly string[]): readonly string[] {
  const name = command.split(' ').slice(2).join('/');
  if (name !== '' && !isHere(name)) return [];
  return selectPhases(joinWorkflow, { ...(name === '' ? {} : { only: [name] }), skip }).map((phase) => phase.name);
}

/** Phases of kubeadm that are not here yet need no skipping; names that nobody knows stay, and are refused. */
export function withoutMissingPhases(names: readonly string[]): readonly string[] {
  const known = new Set(joinCommands.map(({ command }) => command.replace(/^join phase /, '').replaceAll(' ', '/')));
  return names.filter((name) => isHere(name) || ![...known, 'check-etcd'].includes(name.toLowerCase()));
}

function isHere(name: string): boolean {
  const wanted = name.toLowerCase();
  return joinWorkflow.phases.some((phase) => phase.name === wanted || phase.name.startsWith(`${wanted}/`));
}
