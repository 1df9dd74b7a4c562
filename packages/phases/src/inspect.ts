import { type Finding, hasErrors } from '@groundplane/errors';
import { artifactOf } from './artifact.ts';
import {
  malformedFinding,
  missingFinding,
  modeFindings,
  strandedFinding,
  unreadableFinding,
} from './artifact-findings.ts';
import { readOnlyCapabilities, unavailability } from './capabilities.ts';
import { isObservable, outputsOf, readsOf } from './declarations.ts';
import { isNoLongerWanted, loadArtifacts, valuesOf } from './load-artifacts.ts';
import type { AnyPhase } from './phase.ts';
import { type Loaded, placeOf, type World } from './world.ts';

export interface InspectOptions {
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** What is there, held to one phase's verify, whoever made it. */
export interface Inspection {
  readonly inputs: Readonly<Record<string, Loaded>>;
  readonly outputs: Readonly<Record<string, Loaded>>;
  readonly findings: readonly Finding[];
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
      if (state.state === 'unknown') findings.push(unreadableFinding(place, state.reason, state.hint));
      if (entries === declared) findings.push(...modeFindings(artifact, state, place));
    }
  }
  const askable = !incomplete.inputs && (phase.kind === 'effect' || !incomplete.outputs);
  if (hasErrors(findings) || !askable) return { inputs, outputs, findings };
  const state = { config, now: options.now, inputs: valuesOf(inputs), outputs: valuesOf(outputs) };
  try {
    const verdict = await phase.verify(state, await readOnlyCapabilities(phase, world, options));
    return { inputs, outputs, findings: [...findings, ...verdict] };
  } catch (thrown) {
    return { inputs, outputs, findings: [...findings, unreadableFinding(phase.name, unavailability(thrown))] };
  }
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
