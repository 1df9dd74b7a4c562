import { errorsOf, type Finding } from '@groundplane/errors';
import { type Artifact, artifactOf, isOptional, type Location } from './artifact.ts';
import { type ArtifactOrigin, originOf } from './artifact-origin.ts';
import { isObservable, outputsOf } from './declarations.ts';
import { engineFindings } from './error-codes.ts';
import { type Inspection, inspectPhase } from './inspect.ts';
import type { ReadJournal } from './journal.ts';
import { isNoLongerWanted } from './load-artifacts.ts';
import { lookingWorld } from './looking-world.ts';
import type { AnyPhase, Unseen } from './phase.ts';
import { phaseCommand } from './phase-command.ts';
import type { WorkflowRequest } from './plan.ts';
import { requireRequest } from './require-arguments.ts';
import { selectPhases } from './selection.ts';
import { lookUntilStopped, signalOf } from './stopping.ts';
import { type Loaded, placeOf, type World } from './world.ts';

/**
 * How far a phase is: `done` all that it makes is there and passes its verify · `partly` some of it · `missing` nothing of it · `wrong`
 * it is there and does not pass · `unknown` it cannot be told, as something cannot be looked at · `inapplicable` the configuration does
 * not ask for it.
 */
export type PhaseState = 'done' | 'partly' | 'missing' | 'wrong' | 'unknown' | 'inapplicable';

/** One thing that a phase makes. */
export interface ArtifactStatus extends Partial<ArtifactOrigin> {
  readonly artifact: string;
  readonly description: string;
  /** Where it is: a path, or `ConfigMap kube-system/kubeadm-config`. */
  readonly location: string;
  readonly kind: Location['kind'];
  readonly state: Loaded['state'];
  /** Why it is malformed or unknown. */
  readonly reason?: string;
}

export interface PhaseStatus {
  readonly phase: string;
  readonly summary: string;
  readonly state: PhaseState;
  /** The command that makes what is missing: `init phase certs ca`; absent for a phase without one, which comes along with others. */
  readonly command?: string;
  /** What makes it in place of a command, where none is sure to go by the configuration that the status was judged by. */
  readonly advice?: string;
  /** Why it is not done, in one line. */
  readonly reason?: string;
  /** What it makes, as far as it is a file, a directory or an object: what is there, and what is missed. */
  readonly artifacts: readonly ArtifactStatus[];
  readonly findings: readonly Finding[];
}

export interface WorkflowStatus {
  readonly workflow: string;
  /** In their order; those that leave nothing that could be looked at are left out. */
  readonly phases: readonly PhaseStatus[];
}

export interface StatusRequest<C> extends WorkflowRequest<C> {
  /** What the journal says; absent if there is none that can be read. Only the origin of files depends on it. */
  readonly journal?: ReadJournal | undefined;
  /** Why there can be no object of the cluster at all, where that is known; else the API server is asked, for a short time. */
  readonly noCluster?: string | undefined;
}

/**
 * Tells from the artifacts alone how far a node is, whoever made them. Writes nothing, and needs no rights beyond reading: what cannot be
 * read is unknown.
 *
 * @throws GroundplaneError PHASES_ABORTED as soon as the signal aborts, PHASES_UNKNOWN_PHASE; TypeError for arguments of other types
 */
export async function statusOfWorkflow<C>(request: StatusRequest<C>): Promise<WorkflowStatus> {
  requireRequest(request);
  const title = `tell the status of ${request.workflow.name}`;
  return lookUntilStopped(title, request, (ports) => statusOf({ ...request, ports }));
}

async function statusOf<C>(request: StatusRequest<C>): Promise<WorkflowStatus> {
  const { workflow } = request;
  const world = lookingWorld(request, request);
  const phases: PhaseStatus[] = [];
  for (const phase of selectPhases(workflow, request.selection)) {
    if (leavesSomething(phase)) phases.push(await statusOfPhase(phase, request, world));
  }
  return { workflow: workflow.name, phases };
}

/** A report or a check leaves nothing; whether it would be content now is no part of how far a node is. */
function leavesSomething(phase: AnyPhase<never>): boolean {
  return Object.keys(outputsOf(phase)).length > 0;
}

async function statusOfPhase<C>(phase: AnyPhase<C>, request: StatusRequest<C>, world: World): Promise<PhaseStatus> {
  const { config, ports, noCluster } = request;
  const { name, summary } = phase;
  const inapplicable = phase.inapplicable(config);
  if (inapplicable !== undefined)
    return { phase: name, summary, state: 'inapplicable', reason: inapplicable, artifacts: [], findings: [] };
  const looked =
    phase.connect !== undefined && noCluster !== undefined
      ? nothingThere(phase)
      : await inspectPhase(phase, config, world, { now: ports.clock.now(), signal: signalOf(request), looking: true });
  return statusOfInspected(phase, looked, { request, world });
}

/** How far a phase is whose artifacts have been looked at. */
export async function statusOfInspected<C>(
  phase: AnyPhase<C>,
  looked: Inspection,
  { request, world }: { readonly request: StatusRequest<C>; readonly world: World },
): Promise<PhaseStatus> {
  const { workflow, noCluster } = request;
  const { name, summary } = phase;
  const command = phase.hidden ? {} : { command: phaseCommand(workflow.name, name) };
  const rows = await rowsOf(phase, looked, { world, journal: request.journal });
  const { state, reason } = verdictOn(phase, rows, { ...looked, ...(noCluster === undefined ? {} : { noCluster }) });
  return {
    phase: name,
    summary,
    state,
    ...(state === 'done' ? {} : command),
    ...(reason === undefined ? {} : { reason }),
    artifacts: rows.filter(({ isShown }) => isShown).map(({ status }) => status),
    findings: looked.findings,
  };
}

function nothingThere(phase: AnyPhase<never>): Inspection {
  const outputs = Object.fromEntries(Object.keys(outputsOf(phase)).map((key) => [key, { state: 'absent' } as const]));
  return { inputs: {}, outputs, findings: [], unseen: [] };
}

interface Row {
  readonly status: ArtifactStatus;
  /** It is missed where it is absent. */
  readonly isRequired: boolean;
  /** That it is there says that the phase has done something: nobody else has a reason to make it. */
  readonly isEvidence: boolean;
  readonly isShown: boolean;
}

async function rowsOf<C>(
  phase: AnyPhase<C>,
  { outputs }: Inspection,
  { world, journal }: { readonly world: World; readonly journal: ReadJournal | undefined },
): Promise<readonly Row[]> {
  const observable = Object.entries(outputsOf(phase)).filter(([, entry]) =>
    isObservable(phase, artifactOf(entry), world.layout),
  );
  return Promise.all(
    observable.map(async ([key, entry]): Promise<Row> => {
      const artifact = artifactOf(entry);
      const loaded = outputs[key] ?? { state: 'absent' };
      const isCreated = key in phase.writes;
      const { kind } = world.locate(artifact);
      const isMissed = isCreated && !isOptional(entry) && !(await isNoLongerWanted(artifact, phase, world));
      const isThere = loaded.state === 'present' || loaded.state === 'malformed';
      return {
        status: await statusOfArtifact(artifact, loaded, { world, journal }),
        isRequired: isMissed,
        isEvidence: isThere && isCreated && kind !== 'directory' && artifact.policy !== 'extend',
        isShown: isThere || loaded.state === 'unknown' || isMissed,
      };
    }),
  );
}

async function statusOfArtifact(
  artifact: Artifact<unknown>,
  loaded: Loaded,
  { world, journal }: { readonly world: World; readonly journal: ReadJournal | undefined },
): Promise<ArtifactStatus> {
  const location = world.locate(artifact);
  return {
    artifact: artifact.id,
    description: artifact.description,
    location: placeOf(world, artifact),
    kind: location.kind,
    state: loaded.state,
    ...(loaded.state === 'malformed' || loaded.state === 'unknown' ? { reason: loaded.reason } : {}),
    ...(await originOf({ artifact, location, loaded }, journal)),
  };
}

interface Verdict {
  readonly state: PhaseState;
  readonly reason?: string;
}

interface Looked extends Pick<Inspection, 'findings' | 'unseen'> {
  readonly noCluster?: string;
}

function verdictOn(phase: AnyPhase<never>, rows: readonly Row[], { findings, unseen, noCluster }: Looked): Verdict {
  if (phase.connect !== undefined && noCluster !== undefined) return { state: 'missing', reason: noCluster };
  const there = rows.filter(({ isEvidence }) => isEvidence);
  const missed = rows.filter(({ isRequired, status }) => isRequired && status.state === 'absent');
  const errors = errorsOf(findings);
  const places = new Set(rows.map(({ status }) => status.location));
  if (missed.length > 0) {
    const reason = `${missed.map(({ status }) => status.location).join(', ')} ${missed.length === 1 ? 'is' : 'are'} missing`;
    const hidden = unseen.filter(({ location }) => places.has(location));
    if (there.length === 0 && hidden.length > 0) return { state: 'unknown', reason: unseenText(hidden) };
    return { state: there.length === 0 ? 'missing' : 'partly', reason };
  }
  if (unseen.length > 0) return { state: 'unknown', reason: unseenText(unseen) };
  // What it would only change is not there at all.
  const [target] = rows;
  if (
    target !== undefined &&
    rows.every(({ status }) => status.state === 'absent') &&
    Object.keys(phase.writes).length === 0
  )
    return { state: 'missing', reason: `${target.status.location} is missing` };
  if (errors.length === 0) return { state: 'done' };
  // What it was made from, and is judged by, is not there.
  const lost = errors.filter(({ code, artifact }) => code === engineFindings.missing && !places.has(artifact));
  const reason = errors.map(({ message }) => message).join('; ');
  if (lost.length === errors.length) return { state: there.length === 0 ? 'missing' : 'unknown', reason };
  const isUnreadable = errors.every(({ code }) => code === engineFindings.unreadable);
  if (isUnreadable) return { state: 'unknown', reason };
  if (errors.some(({ code }) => code === engineFindings.malformed)) return { state: 'wrong', reason };
  if (phase.kind === 'pure') return { state: 'wrong', reason };
  return { state: there.length === 0 ? 'missing' : 'partly', reason };
}

function unseenText(unseen: readonly Unseen[]): string {
  const reasons = new Map<string, string[]>();
  for (const { location, reason } of unseen) reasons.set(reason, [...(reasons.get(reason) ?? []), location]);
  return [...reasons]
    .map(([reason, locations]) => {
      const [first = ''] = locations;
      if (locations.length === 1) return reason.includes(first) ? reason : `${first}: ${reason}`;
      return `${locations.length} things cannot be looked at: ${reason}`;
    })
    .join('; ');
}
