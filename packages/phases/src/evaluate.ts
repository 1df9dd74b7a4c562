import { type Finding, hasErrors, isGroundplaneError } from '@groundplane/errors';
import { type Artifact, artifactOf, isOptional, type Read } from './artifact.ts';
import { engineFindings } from './error-codes.ts';
import type { ArtifactAction, Decision } from './events.ts';
import { guardedPorts } from './guarded-ports.ts';
import type { AnyPhase, Draft, ErasedCapabilities, ErasedState } from './phase.ts';
import type { SigningRequest } from './ports.ts';
import { type Loaded, placeOf, type World } from './world.ts';

export type OutputAction = ArtifactAction | 'conflict' | 'deferred' | 'pending' | 'absent';

/** What is to happen to one output. */
export interface OutputPlan {
  readonly key: string;
  readonly artifact: Artifact<unknown>;
  readonly location: string;
  readonly action: OutputAction;
  /** What would be written; absent while a signer still has to answer, and for kept ones. */
  readonly value?: unknown;
  readonly existing: Loaded;
}

export interface Evaluation {
  readonly decision: Decision;
  readonly outputs: readonly OutputPlan[];
  readonly findings: readonly Finding[];
  /** Why it is deferred or inapplicable. */
  readonly reason?: string;
  readonly request?: { readonly request: SigningRequest; readonly draft: Extract<Draft, { kind: 'request' }> };
  readonly state: {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly outputs: Readonly<Record<string, unknown>>;
  };
}

export interface EvaluateOptions {
  readonly now: Date;
  /** Ids of artifacts that earlier planned phases are going to write; their values are not known yet. */
  readonly deferred: ReadonlySet<string>;
  /** True while the whole selection is planned, false when the phase's turn has come. */
  readonly planning: boolean;
  readonly signal: AbortSignal;
}

/** Decides what one phase has to do, without doing it. */
export async function evaluate<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const reason = phase.inapplicable(config);
  const nothing = { outputs: [], findings: [], state: { inputs: {}, outputs: {} } };
  if (reason !== undefined) return { ...nothing, decision: 'inapplicable', reason };

  const reads: Record<string, Read> = {
    ...phase.reads,
    ...(phase.connect ? { kubeconfig: phase.connect.kubeconfig as Artifact<unknown> } : {}),
  };
  const inputs = await loadMap(reads, phase, world);
  const deferred = Object.values(reads).filter((read) => options.deferred.has(artifactOf(read).id));
  const findings = inputFindings(reads, inputs, world, options);

  const declared = { ...phase.writes, ...phase.amends };
  const reachable = (artifact: Artifact<unknown>) =>
    world.locate(artifact).kind !== 'object' ||
    (phase.connect !== undefined && !options.deferred.has(phase.connect.kubeconfig.id));
  const existing = await loadMap(declared, phase, world, reachable);

  if (deferred.some((read) => !isOptional(read))) {
    const stranded = Object.entries(declared).filter(
      ([key, entry]) => artifactOf(entry).policy === 'preserve' && existing[key]?.state === 'present',
    );
    const missing = deferred.filter((read) => !isOptional(read)).map((read) => placeOf(world, artifactOf(read)));
    for (const [, entry] of stranded) findings.push(strandedFinding(placeOf(world, artifactOf(entry)), missing));
  }
  if (hasErrors(findings)) return { ...nothing, decision: 'conflict', findings };
  if (deferred.length > 0) {
    const names = deferred.map((read) => artifactOf(read).id).join(', ');
    return { ...nothing, decision: 'deferred', findings, reason: `reads what is still to be made: ${names}` };
  }
  // The outputs of an effect that writes by itself are judged by its live verify alone.
  const relevant = phase.render === undefined && phase.kind === 'effect' ? [] : Object.values(existing);
  const unknown = [...Object.values(inputs), ...relevant].find((loaded) => loaded.state === 'unknown');
  if (unknown?.state === 'unknown') return { ...nothing, decision: 'deferred', findings, reason: unknown.reason };

  const state: ErasedState<C> = { config, now: options.now, inputs: valuesOf(inputs), outputs: valuesOf(existing) };
  const files = await evaluateOutputs(phase, state, declared, existing, world, options);
  const all = {
    ...files,
    findings: [...findings, ...files.findings],
    state: { inputs: state.inputs, outputs: state.outputs },
  };
  if (phase.kind === 'pure' || !['keep', 'deferred'].includes(files.decision)) return withRemovals(phase, all, world);

  if (options.planning && phase.verifyOnlyAtTurn)
    return { ...all, decision: 'deferred', reason: 'is asked of the live world when its turn comes' };
  const capabilities = await readOnlyCapabilities(phase, world, options);
  const live = await phase.verify(state, capabilities);
  return withRemovals(
    phase,
    hasErrors(live) ? { ...all, decision: 'act' } : { ...all, findings: [...all.findings, ...live] },
    world,
  );
}

type OutputsEvaluation = Pick<Evaluation, 'decision' | 'outputs' | 'findings' | 'request'>;

async function evaluateOutputs<C>(
  phase: AnyPhase<C>,
  state: ErasedState<C>,
  declared: Readonly<Record<string, Read>>,
  existing: Readonly<Record<string, Loaded>>,
  world: World,
  options: EvaluateOptions,
): Promise<OutputsEvaluation> {
  const entries = Object.entries(declared);
  const row = (key: string, action: OutputAction, value?: unknown): OutputPlan => {
    const artifact = artifactOf(declared[key] as Read);
    const loaded = existing[key] ?? { state: 'absent' };
    return {
      key,
      artifact,
      location: placeOf(world, artifact),
      action,
      existing: loaded,
      ...(value === undefined ? {} : { value }),
    };
  };
  if (entries.length === 0) return { decision: 'keep', outputs: [], findings: [] };

  const findings: Finding[] = entries.flatMap(([key, entry]) =>
    statusFindings(artifactOf(entry), existing[key], world),
  );
  const present = (key: string) => existing[key]?.state === 'present';
  const satisfied = await Promise.all(
    entries.map(
      async ([key, entry]) =>
        isOptional(entry) || present(key) || (await isNoLongerWanted(artifactOf(entry), phase, world)),
    ),
  );
  const complete = satisfied.every(Boolean) && entries.some(([key]) => present(key));
  const preserved = (key: string) => artifactOf(declared[key] as Read).policy === 'preserve';

  if (complete && phase.kind === 'pure' && !hasErrors(findings)) {
    const verdict = await phase.verify(state, noCapabilities(options));
    if (entries.every(([key]) => preserved(key))) {
      findings.push(...verdict);
      const action = hasErrors(findings) ? 'conflict' : 'kept';
      return {
        decision: hasErrors(findings) ? 'conflict' : 'keep',
        outputs: entries.map(([key]) => row(key, present(key) ? action : 'absent')),
        findings,
      };
    }
  }
  if (hasErrors(findings))
    return { decision: 'conflict', outputs: entries.map(([key]) => row(key, 'conflict')), findings };
  if (phase.render === undefined) {
    const outputs = entries.map(([key]) => row(key, present(key) ? 'kept' : 'pending'));
    return { decision: 'keep', outputs, findings };
  }

  let draft: Draft;
  try {
    draft = await phase.render(state);
  } catch (error) {
    if (!isGroundplaneError(error) || error.kind !== 'conflict') throw error;
    const refused: Finding = {
      code: error.code,
      severity: 'error',
      artifact: phase.name,
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
    return {
      decision: 'conflict',
      outputs: entries.map(([key]) => row(key, 'conflict')),
      findings: [...findings, ...error.findings, refused],
    };
  }

  const anyPresent = entries.some(([key]) => present(key));
  if (draft.kind === 'request') {
    const outputs = entries.map(([key]) => row(key, present(key) && preserved(key) ? 'kept' : 'pending'));
    if (!world.ports.signer.canIssue(draft.request)) {
      return { decision: 'external', outputs, findings: [...findings, externalFinding(draft.request, outputs)] };
    }
    return {
      decision: anyPresent ? 'complete' : 'create',
      outputs,
      findings,
      request: { request: draft.request, draft },
    };
  }

  const { values } = draft;
  const outputs = entries.map(([key, entry]) => {
    const artifact = artifactOf(entry);
    const loaded = existing[key];
    const value = values[key];
    if (value === undefined && world.locate(artifact).kind !== 'directory')
      return row(key, present(key) ? 'kept' : 'absent');
    if (loaded?.state === 'absent' || loaded === undefined) {
      return row(
        key,
        satisfied[entries.findIndex(([name]) => name === key)] && !isOptional(entry) ? 'absent' : 'created',
        value,
      );
    }
    if (loaded.state === 'malformed') return row(key, 'replaced', value);
    if (loaded.state === 'present' && isSatisfied(artifact, value, loaded)) return row(key, 'kept');
    return row(key, preserved(key) ? 'kept' : artifact.policy === 'extend' ? 'extended' : 'replaced', value);
  });
  return { decision: decisionOf(outputs), outputs, findings };
}

function decisionOf(outputs: readonly OutputPlan[]): Decision {
  const actions = new Set(outputs.map((output) => output.action).filter((action) => action !== 'absent'));
  if (actions.has('replaced') || actions.has('extended')) return 'replace';
  if (actions.has('created')) return actions.has('kept') ? 'complete' : 'create';
  return 'keep';
}

async function withRemovals<C>(phase: AnyPhase<C>, evaluation: Evaluation, world: World): Promise<Evaluation> {
  const present: OutputPlan[] = [];
  for (const artifact of phase.removes) {
    const loaded = await world.load(artifact, phase.connect);
    if (loaded.state === 'present' || loaded.state === 'malformed') {
      present.push({
        key: artifact.id,
        artifact,
        location: placeOf(world, artifact),
        action: 'removed',
        existing: loaded,
      });
    }
  }
  if (present.length === 0) return evaluation;
  return {
    ...evaluation,
    decision: evaluation.decision === 'keep' ? 'act' : evaluation.decision,
    outputs: [...evaluation.outputs, ...present],
  };
}

/** True if what exists says all that is desired, with the mode that is demanded. */
function isSatisfied(
  artifact: Artifact<unknown>,
  value: unknown,
  loaded: Extract<Loaded, { state: 'present' }>,
): boolean {
  if (loaded.status !== undefined && artifact.maxMode !== undefined && (loaded.status.mode & ~artifact.maxMode) !== 0)
    return false;
  if (loaded.status?.kind === 'directory') return true;
  if (artifact.format.satisfied !== undefined) return artifact.format.satisfied(value, loaded.value);
  const desired = artifact.format.serialize(value);
  const actual = artifact.format.serialize(loaded.value);
  return desired.length === actual.length && desired.every((byte, index) => byte === actual[index]);
}

async function isNoLongerWanted<C>(artifact: Artifact<unknown>, phase: AnyPhase<C>, world: World): Promise<boolean> {
  return artifact.until !== undefined && (await world.load(artifact.until, phase.connect)).state === 'present';
}

export async function loadMap<C>(
  map: Readonly<Record<string, Read>>,
  phase: AnyPhase<C>,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean = () => true,
): Promise<Record<string, Loaded>> {
  const load = async (artifact: Artifact<unknown>): Promise<Loaded> =>
    reachable(artifact) ? world.load(artifact, phase.connect) : { state: 'absent' };
  const pairs = await Promise.all(
    Object.entries(map).map(async ([key, read]) => [key, await load(artifactOf(read))] as const),
  );
  return Object.fromEntries(pairs);
}

export function valuesOf(loaded: Readonly<Record<string, Loaded>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(loaded).map(([key, entry]) => [key, entry.state === 'present' ? entry.value : undefined]),
  );
}

function inputFindings(
  reads: Readonly<Record<string, Read>>,
  inputs: Readonly<Record<string, Loaded>>,
  world: World,
  options: EvaluateOptions,
): Finding[] {
  const findings: Finding[] = [];
  for (const [key, read] of Object.entries(reads)) {
    const artifact = artifactOf(read);
    const loaded = inputs[key];
    if (loaded === undefined || options.deferred.has(artifact.id) || world.locate(artifact).kind === 'state') continue;
    const place = placeOf(world, artifact);
    if (loaded.state === 'absent' && !isOptional(read)) {
      findings.push({
        code: engineFindings.missing,
        severity: 'error',
        artifact: place,
        message: `${place} is needed and does not exist: ${artifact.description}`,
        hint: `Run the phase that makes it, or put a ${artifact.format.name} there`,
      });
    } else if (loaded.state === 'malformed') {
      findings.push(malformedFinding(artifact, loaded.reason, place));
    } else if (loaded.state === 'unknown' && !options.planning) {
      findings.push({
        code: engineFindings.unreadable,
        severity: 'error',
        artifact: place,
        message: `${place} cannot be read: ${loaded.reason}`,
      });
    }
  }
  return findings;
}

function malformedFinding(artifact: Artifact<unknown>, reason: string, place: string): Finding {
  return {
    code: engineFindings.malformed,
    severity: 'error',
    artifact: place,
    message: `${place} is not a ${artifact.format.name}: ${reason}`,
    hint: `Mend it, or move it away so that it is made anew`,
  };
}

/** Engine-level verdicts about what exists: it parses, and a secret is not readable by others. */
export function statusFindings(
  artifact: Artifact<unknown>,
  loaded: Loaded | undefined,
  world: World,
): readonly Finding[] {
  if (loaded === undefined) return [];
  const place = placeOf(world, artifact);
  const findings: Finding[] = [];
  if (loaded.state === 'malformed' && artifact.policy === 'preserve')
    findings.push(malformedFinding(artifact, loaded.reason, place));
  if (
    (loaded.state === 'present' || loaded.state === 'malformed') &&
    loaded.status !== undefined &&
    artifact.maxMode !== undefined
  ) {
    const excess = loaded.status.mode & ~artifact.maxMode;
    // A file that is replaced when different gets its mode that way.
    if (excess !== 0 && artifact.policy === 'preserve') {
      const mode = `0${loaded.status.mode.toString(8)}`;
      const wanted = `0${artifact.maxMode.toString(8)}`;
      findings.push({
        code: artifact.secret ? engineFindings.exposed : engineFindings.mode,
        severity: artifact.secret ? 'error' : 'warning',
        artifact: place,
        message: `${place} is open to more users than it may be: mode ${mode}, at most ${wanted}`,
        hint: `chmod ${wanted} ${place}`,
      });
    }
  }
  return findings;
}

function strandedFinding(place: string, missing: readonly string[]): Finding {
  return {
    code: engineFindings.stranded,
    severity: 'error',
    artifact: place,
    message: `${place} exists, but what it was made from does not: ${missing.join(', ')}`,
    hint: `Put ${missing.join(', ')} back, or move ${place} away so that it is made anew`,
  };
}

function externalFinding(request: SigningRequest, outputs: readonly OutputPlan[]): Finding {
  const certificate = request.certificate;
  const names = [...(certificate?.dnsNames ?? []), ...(certificate?.ipAddresses ?? [])];
  const facts = [
    `CN=${certificate?.commonName ?? ''}`,
    ...(certificate?.organizations.map((organization) => `O=${organization}`) ?? []),
    ...(certificate?.usages ?? []),
    ...(names.length > 0 ? [`SANs ${names.join(', ')}`] : []),
  ];
  return {
    code: engineFindings.external,
    severity: 'error',
    artifact: request.name,
    message: `${request.name} is missing and the key of its CA is not on this node: wanted ${facts.join('; ')}`,
    hint: `Have your CA issue it and put it at ${outputs.map((output) => output.location).join(' and ')}`,
  };
}

export function noCapabilities(options: { readonly signal: AbortSignal }): ErasedCapabilities {
  const refuse = () => {
    throw new TypeError('Cannot act while verifying');
  };
  return { ports: {}, signal: options.signal, write: refuse, progress: refuse, wait: refuse };
}

export async function readOnlyCapabilities<C>(
  phase: AnyPhase<C>,
  world: World,
  options: { readonly signal: AbortSignal },
): Promise<ErasedCapabilities> {
  return { ...noCapabilities(options), ports: await guardedPorts(phase, world) };
}
