import { errorsOf, type Finding, hasErrors, warningsOf } from '@groundplane/errors';
import { type Artifact, artifactOf, isInCluster, type Read } from './artifact.ts';
import { malformedFinding, missingFinding, strandedFinding, unreadableFinding } from './artifact-findings.ts';
import { readOnlyCapabilities, unavailability } from './capabilities.ts';
import { isObservable, needsOf, outputsOf, readsOf } from './declarations.ts';
import { evaluateOutputs } from './evaluate-outputs.ts';
import type { EvaluateOptions, Evaluation, OutputPlan } from './evaluation.ts';
import { loadArtifacts, valuesOf } from './load-artifacts.ts';
import type { AnyPhase, ErasedState } from './phase.ts';
import { plannedRemovals } from './planned-removals.ts';
import { type Loaded, placeOf, type World } from './world.ts';

/** Decides what one phase has to do, without doing it. */
export async function evaluate<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const nothing = { outputs: [], findings: [], acts: false, state: { inputs: {}, outputs: {} } };
  const reason = phase.inapplicable(config);
  if (reason !== undefined) return { ...nothing, decision: 'inapplicable', reason };

  const awaited = needsOf(phase)
    .map(artifactOf)
    .filter((artifact) => options.deferred.has(artifact.id));
  // While something is awaited the API server is not asked: it may well be what is to come.
  const connected = phase.connect !== undefined && awaited.length === 0;
  const reachable = (artifact: Artifact<unknown>) =>
    isObservable(phase, artifact, world.layout) && (connected || !isInCluster(world.locate(artifact)));
  const inputs = await loadArtifacts(readsOf(phase), phase, world, reachable);
  const existing = await loadArtifacts(outputsOf(phase), phase, world, reachable);
  const loadedOf = (artifact: Artifact<unknown>): Loaded => {
    for (const [map, loaded] of [
      [readsOf(phase), inputs],
      [outputsOf(phase), existing],
    ] as const) {
      const found = Object.entries(map).find(([, entry]) => artifactOf(entry).id === artifact.id);
      if (found !== undefined) return loaded[found[0]] ?? { state: 'absent' };
    }
    return { state: 'absent' };
  };

  const findings = [
    // What was not asked for cannot be said to be missing; it is asked for when the phase's turn comes.
    ...needFindings(phase, loadedOf, reachable, world, options),
    ...outputFindings(phase, existing, world, options),
    ...strandedFindings(phase, existing, loadedOf, world, options),
  ];
  if (hasErrors(findings)) return { ...nothing, decision: 'conflict', findings };

  // What cannot be looked at is named with it, by those who show plans.
  const seen = () => Object.entries(outputsOf(phase)).flatMap(seenRow(existing, world, reachable));
  if (awaited.length > 0) {
    const deferred = { ...nothing, decision: 'deferred', findings, outputs: seen() } as const;
    const doubtful = awaited.filter(({ id }) => options.doubtful?.has(id));
    if (doubtful.length > 0)
      return { ...deferred, unknown: true, reason: `depends on what is not known: ${idsOf(doubtful)}` };
    return { ...deferred, reason: `reads what is still to be made: ${idsOf(awaited)}` };
  }
  // An effect that writes by itself may have the means to make what its connection may not see yet.
  const ownAffair = !options.planning && phase.kind === 'effect' && phase.render === undefined;
  const unknown = [...Object.values(inputs), ...(ownAffair ? [] : Object.values(existing))].find(
    (loaded) => loaded.state === 'unknown',
  );
  if (unknown?.state === 'unknown')
    return { ...nothing, decision: 'deferred', findings, outputs: seen(), unknown: true, reason: unknown.reason };

  const state: ErasedState<C> = { config, now: options.now, inputs: valuesOf(inputs), outputs: valuesOf(existing) };
  const planned = await evaluateOutputs(phase, state, existing, world, options);
  const evaluation: Evaluation = {
    ...planned,
    findings: [...findings, ...planned.findings],
    acts: phase.kind === 'effect' && planned.decision !== 'keep',
    state: { inputs: state.inputs, outputs: state.outputs },
  };
  const settled =
    phase.kind === 'effect' && planned.decision === 'keep'
      ? await askLive(phase, state, evaluation, world, options)
      : evaluation;
  return settled.decision === 'deferred' ? settled : withRemovals(phase, settled, world, reachable);
}

/** How many artifacts a reason names. */
const namedArtifacts = 3;

function idsOf(artifacts: readonly Artifact<unknown>[]): string {
  const ids = [...new Set(artifacts.map(({ id }) => id))];
  const more = ids.length - namedArtifacts;
  return more <= 1 ? ids.join(', ') : `${ids.slice(0, namedArtifacts).join(', ')} and ${more} more`;
}

/** An output about which nothing can be decided yet, as it is now. */
function seenRow(
  existing: Readonly<Record<string, Loaded>>,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean,
): (entry: [string, Read]) => readonly OutputPlan[] {
  return ([key, read]) => {
    const artifact = artifactOf(read);
    const location = placeOf(world, artifact);
    const loaded = existing[key] ?? { state: 'absent' };
    return reachable(artifact) ? [{ key, artifact, location, existing: loaded, action: 'deferred' }] : [];
  };
}

/** Asks an effect, all of whose outputs are there, whether there is nothing left to do. */
async function askLive<C>(
  phase: AnyPhase<C>,
  state: ErasedState<C>,
  evaluation: Evaluation,
  world: World,
  options: EvaluateOptions,
): Promise<Evaluation> {
  if (options.planning && phase.verifyOnlyAtTurn)
    return { ...evaluation, decision: 'deferred', reason: 'is asked of the live world when its turn comes' };
  if (needsOf(phase).some((need) => options.predicted?.has(artifactOf(need).id)))
    return { ...evaluation, outputs: toAct(phase, evaluation), decision: 'act', acts: true };
  let undone: readonly Finding[] = [];
  let remarks: readonly Finding[] = [];
  try {
    const live = await phase.verify(state, await readOnlyCapabilities(phase, world, options));
    if (!hasErrors(live) && !phase.everyTime(state.config))
      return { ...evaluation, findings: [...evaluation.findings, ...live] };
    undone = errorsOf(live);
    // What a phase that does what it can is going to leave is known beforehand.
    if (phase.bestEffort) remarks = warningsOf(live);
  } catch (thrown) {
    const reason = unavailability(thrown);
    if (options.planning) return { ...evaluation, decision: 'deferred', unknown: true, reason };
  }
  const outputs = toAct(phase, evaluation);
  const reason = undone.map(({ message }) => message).join('; ');
  const findings = [...evaluation.findings, ...remarks];
  return { ...evaluation, findings, outputs, decision: 'act', acts: true, ...(reason === '' ? {} : { reason }) };
}

/** The outputs of an effect that is going to act: what the engine does not write, the phase itself may. */
function toAct<C>(phase: AnyPhase<C>, { outputs }: Evaluation): readonly OutputPlan[] {
  return outputs.map(
    (output): OutputPlan =>
      phase.render === undefined && output.action === 'kept' ? { ...output, action: 'pending' } : output,
  );
}

/** Verdicts on what has to be there before the phase's turn. */
function needFindings<C>(
  phase: AnyPhase<C>,
  loadedOf: (artifact: Artifact<unknown>) => Loaded,
  reachable: (artifact: Artifact<unknown>) => boolean,
  world: World,
  options: EvaluateOptions,
): readonly Finding[] {
  return needsOf(phase).flatMap((need): readonly Finding[] => {
    const artifact = artifactOf(need);
    if (options.deferred.has(artifact.id) || !reachable(artifact)) return [];
    const loaded = loadedOf(artifact);
    const place = placeOf(world, artifact);
    if (loaded.state === 'absent')
      return world.mayBeAbsent(need) ? [] : [missingFinding(artifact, place, world.makerOf(artifact))];
    if (loaded.state === 'malformed') {
      const finding = malformedFinding(artifact, loaded.reason, place);
      // What may be absent and is made anew anyway stands in nobody's way; its own phase replaces it.
      return world.mayBeAbsent(need) && artifact.policy !== 'preserve'
        ? [{ ...finding, severity: 'warning' }]
        : [finding];
    }
    return loaded.state === 'unknown' ? unreadable(artifact, loaded, world, options) : [];
  });
}

function outputFindings<C>(
  phase: AnyPhase<C>,
  existing: Readonly<Record<string, Loaded>>,
  world: World,
  options: EvaluateOptions,
): readonly Finding[] {
  return Object.entries(phase.writes).flatMap(([key, entry]) => {
    const loaded = existing[key];
    return loaded?.state === 'unknown' ? unreadable(artifactOf(entry), loaded, world, options) : [];
  });
}

/**
 * A file that cannot be read now cannot be read at its turn either; an API server may have come up by then. Whoever only looks is not the
 * one who is going to run it.
 */
function unreadable(
  artifact: Artifact<unknown>,
  { reason, hint, barred }: Extract<Loaded, { state: 'unknown' }>,
  world: World,
  { looking }: EvaluateOptions,
): readonly Finding[] {
  if (isInCluster(world.locate(artifact)) || (looking && barred)) return [];
  return [unreadableFinding(placeOf(world, artifact), reason, hint)];
}

/** A leaf without its CA: a preserved output exists, and what it was made from is going to be made anew. */
function strandedFindings<C>(
  phase: AnyPhase<C>,
  existing: Readonly<Record<string, Loaded>>,
  loadedOf: (artifact: Artifact<unknown>) => Loaded,
  world: World,
  options: EvaluateOptions,
): readonly Finding[] {
  const lost = needsOf(phase)
    .filter((need) => !world.mayBeAbsent(need))
    .map(artifactOf)
    .filter(
      (artifact) =>
        options.deferred.has(artifact.id) &&
        !options.doubtful?.has(artifact.id) &&
        !options.refused?.has(artifact.id) &&
        artifact.policy === 'preserve' &&
        isObservable(phase, artifact, world.layout) &&
        !isInCluster(world.locate(artifact)) &&
        loadedOf(artifact).state === 'absent',
    )
    .map((artifact) => placeOf(world, artifact));
  if (lost.length === 0) return [];
  return Object.entries(phase.writes)
    .filter(([key, entry]) => artifactOf(entry).policy === 'preserve' && existing[key]?.state === 'present')
    .map(([, entry]) => strandedFinding(placeOf(world, artifactOf(entry)), lost));
}

async function withRemovals<C>(
  phase: AnyPhase<C>,
  evaluation: Evaluation,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean,
): Promise<Evaluation> {
  const rows = await plannedRemovals(phase, world, reachable);
  if (rows.length === 0) return evaluation;
  return {
    ...evaluation,
    decision: evaluation.decision === 'keep' ? 'act' : evaluation.decision,
    outputs: [...evaluation.outputs, ...rows],
  };
}
