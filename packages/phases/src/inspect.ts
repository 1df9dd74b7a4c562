import { type Finding, hasErrors } from '@groundplane/errors';
import { artifactOf, isInCluster } from './artifact.ts';
import {
  malformedFinding,
  missingFinding,
  statusFindings,
  strandedFinding,
  unreadableFinding,
} from './artifact-findings.ts';
import { readOnlyCapabilities, unavailability } from './capabilities.ts';
import { isObservable, outputsOf, readsOf } from './declarations.ts';
import { inspectEffectOutputs } from './inspect-effect-outputs.ts';
import { isNoLongerWanted, loadArtifacts, valuesOf } from './load-artifacts.ts';
import type { AnyPhase, Unseen } from './phase.ts';
import { type Loaded, placeOf, type World } from './world.ts';

export interface InspectOptions {
  readonly now: Date;
  readonly signal: AbortSignal;
  /** True if it is only looked: what cannot be looked at, or not by this user, is then unknown, and no finding. */
  readonly looking?: boolean;
}

/** What is there, held to one phase's verify, whoever made it. */
export interface Inspection {
  readonly inputs: Readonly<Record<string, Loaded>>;
  readonly outputs: Readonly<Record<string, Loaded>>;
  readonly findings: readonly Finding[];
  /** What stands in the way of a verdict; empty unless it is only looked. */
  readonly unseen: readonly Unseen[];
}

/**
 * Looks at everything that a phase declares: whether it is there, can be read, parses and is closed to others; if so, asks the
 * phase's own verify. An ephemeral artifact whose lifetime is over is not missed; a verify whose types promise it is then not
 * asked.
 */
export async function inspectPhase<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  options: InspectOptions,
): Promise<Inspection> {
  const reachable = (artifact: Parameters<typeof isObservable>[1]) => isObservable(phase, artifact, world.layout);
  const reads = readsOf(phase);
  const declared = outputsOf(phase);
  const inputs = await loadArtifacts(reads, phase, world, reachable);
  const outputs = await loadArtifacts(declared, phase, world, reachable);
  const findings: Finding[] = [];
  const unseen: Unseen[] = [];
  const incomplete = { inputs: false, outputs: false };
  for (const [entries, loaded] of [
    [reads, inputs],
    [declared, outputs],
  ] as const) {
    for (const [key, entry] of Object.entries(entries)) {
      const artifact = artifactOf(entry);
      const state = loaded[key];
      if (state === undefined || !reachable(artifact)) continue;
      const place = placeOf(world, artifact);
      if (state.state === 'absent') {
        if (world.mayBeAbsent(entry)) continue;
        incomplete[entries === declared ? 'outputs' : 'inputs'] = true;
        if (entries === declared && (await isNoLongerWanted(artifact, phase, world))) continue;
        const finding = missingFinding(artifact, place, world.makerOf(artifact));
        findings.push(artifact.policy === 'ephemeral' ? { ...finding, severity: 'warning' } : finding);
        continue;
      }
      if (state.state === 'malformed') findings.push(malformedFinding(artifact, state.reason, place));
      if (state.state === 'unknown') {
        if (options.looking && (state.barred || isInCluster(world.locate(artifact))))
          unseen.push({ artifact: artifact.id, location: place, reason: state.reason });
        else findings.push(unreadableFinding(place, state.reason, state.hint));
      }
      if (entries === declared) findings.push(...statusFindings(artifact, state, place));
    }
  }
  const named = withoutRepetition(unseen, phase.connect?.kubeconfig.id);
  const askable = !incomplete.inputs && (phase.kind === 'effect' || !incomplete.outputs);
  if (hasErrors(findings) || !askable || named.length > 0) return { inputs, outputs, findings, unseen: named };
  const state = { config, now: options.now, inputs: valuesOf(inputs), outputs: valuesOf(outputs) };
  try {
    if (options.looking && phase.survey !== undefined) {
      const survey = await phase.survey(state, await readOnlyCapabilities(phase, world, options));
      return { inputs, outputs, findings: [...findings, ...survey.findings], unseen: survey.unseen };
    }
    const verdict = await phase.verify(state, await readOnlyCapabilities(phase, world, options));
    return { inputs, outputs, findings: [...findings, ...verdict], unseen };
  } catch (thrown) {
    const reason = unavailability(thrown);
    if (options.looking)
      return { inputs, outputs, findings, unseen: [{ artifact: phase.name, location: phase.name, reason }] };
    return { inputs, outputs, findings: [...findings, unreadableFinding(phase.name, reason)], unseen };
  }
}

/** Each once; what is behind a kubeconfig that cannot be read goes without saying. */
function withoutRepetition(unseen: readonly Unseen[], kubeconfig: string | undefined): readonly Unseen[] {
  const connection = unseen.find(({ artifact }) => artifact === kubeconfig);
  const told = unseen.filter((one) => one === connection || one.reason !== connection?.reason);
  return [...new Map(told.map((one) => [one.location, one])).values()];
}

/**
 * The verdict of a phase that is not going to run on what stands in for its outputs. Nothing is said about what is not there
 * at all: the phase that needs it says so.
 *
 * @param remade artifacts that selected phases create; what exists cannot have been made from them
 */
export async function inspectForeign<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  options: InspectOptions & { readonly remade: ReadonlySet<string> },
): Promise<readonly Finding[]> {
  if (phase.inapplicable(config) !== undefined) return [];
  if (phase.kind === 'effect') return inspectEffectOutputs(phase, config, world, options);
  const { inputs, outputs, findings } = await inspectPhase(phase, config, world, options);
  const present = Object.entries(outputsOf(phase)).filter(
    ([key]) => outputs[key]?.state === 'present' || outputs[key]?.state === 'malformed',
  );
  if (present.length === 0) return [];
  const lost = Object.entries(readsOf(phase)).filter(
    ([key, read]) =>
      !world.mayBeAbsent(read) && inputs[key]?.state === 'absent' && options.remade.has(artifactOf(read).id),
  );
  if (lost.length === 0) return findings;
  const missing = lost.map(([, read]) => placeOf(world, artifactOf(read)));
  return present.map(([, entry]) => strandedFinding(placeOf(world, artifactOf(entry)), missing));
}
