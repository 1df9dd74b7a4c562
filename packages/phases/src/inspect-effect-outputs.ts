import { type Finding, hasErrors } from '@groundplane/errors';
import { artifactOf } from './artifact.ts';
import { malformedFinding, statusFindings, unreadableFinding } from './artifact-findings.ts';
import { isObservable, outputsOf, readsOf } from './declarations.ts';
import { loadArtifacts, valuesOf } from './load-artifacts.ts';
import type { AnyPhase } from './phase.ts';
import { placeOf, type World } from './world.ts';

/**
 * The verdict of an effect that is left out on what stands in for its outputs. What is not there is no fault by itself: the phase that
 * needs it says so, and somebody else may do without.
 */
export async function inspectEffectOutputs<C>(
  phase: AnyPhase<C>,
  config: C,
  world: World,
  { now }: { readonly now: Date },
): Promise<readonly Finding[]> {
  if (phase.verifyOutputs === undefined) return [];
  const reachable = (artifact: Parameters<typeof isObservable>[1]) => isObservable(phase, artifact, world.layout);
  const declared = outputsOf(phase);
  const outputs = await loadArtifacts(declared, phase, world, reachable);
  const findings = Object.entries(declared).flatMap(([key, entry]): readonly Finding[] => {
    const artifact = artifactOf(entry);
    const state = outputs[key];
    if (state === undefined || !reachable(artifact)) return [];
    const place = placeOf(world, artifact);
    if (state.state === 'unknown') return [unreadableFinding(place, state.reason, state.hint)];
    return [
      ...(state.state === 'malformed' ? [malformedFinding(artifact, state.reason, place)] : []),
      ...statusFindings(artifact, state, place),
    ];
  });
  if (hasErrors(findings)) return findings;
  const inputs = await loadArtifacts(readsOf(phase), phase, world, reachable);
  const verdict = await phase.verifyOutputs({ config, now, inputs: valuesOf(inputs), outputs: valuesOf(outputs) });
  return [...findings, ...verdict];
}
