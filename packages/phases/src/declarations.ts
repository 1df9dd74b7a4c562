import { type Artifact, artifactOf, isInCluster, isOptional, type Layout, type Read } from './artifact.ts';
import type { AnyPhase } from './phase.ts';

/** All artifacts that a phase mentions, repeated where it mentions them repeatedly. */
export function artifactsOf(phase: AnyPhase<never>): readonly Artifact<unknown>[] {
  const entries: readonly Read[] = [
    ...Object.values(phase.reads),
    ...Object.values(phase.writes),
    ...Object.values(phase.amends),
  ];
  const connection = phase.connect === undefined ? [] : [phase.connect.kubeconfig as Artifact<unknown>];
  return [...entries.map(artifactOf), ...phase.removes, ...connection];
}

/** Artifact id → name of the phase that creates it. */
export function creatorsOf(
  phases: readonly AnyPhase<never>[],
  onSecond: (artifact: Artifact<unknown>, first: string, second: string) => void = () => {},
): ReadonlyMap<string, string> {
  const creators = new Map<string, string>();
  for (const phase of phases) {
    for (const entry of Object.values(phase.writes)) {
      const artifact = artifactOf(entry);
      const first = creators.get(artifact.id);
      if (first !== undefined) onSecond(artifact, first, phase.name);
      creators.set(artifact.id, phase.name);
    }
  }
  return creators;
}

/**
 * What must be there before the phase runs; the kubeconfig that it connects with included.
 *
 * @param creators of the workflow: what one of them creates may have to be there although others could do without
 */
export function requiredReads(
  phase: AnyPhase<never>,
  creators: ReadonlyMap<string, string>,
): readonly Artifact<unknown>[] {
  return Object.values(readsOf(phase))
    .filter((read) => !isOptional(read) || (read.whereApplicable === true && creators.has(read.optional.id)))
    .map(artifactOf);
}

/** A key that no declaration can have, as it is no identifier. */
const connectionKey = '(connect)';

/** What a phase reads, by key; the kubeconfig that it connects with under a key of its own. */
export function readsOf(phase: AnyPhase<never>): Readonly<Record<string, Read>> {
  if (phase.connect === undefined) return phase.reads;
  return { ...phase.reads, [connectionKey]: phase.connect.kubeconfig as Artifact<unknown> };
}

/** What a phase creates or changes, by key. */
export function outputsOf(phase: AnyPhase<never>): Readonly<Record<string, Read>> {
  return { ...phase.writes, ...phase.amends };
}

/** What has to be there before the phase's turn: what it reads, and what it changes without creating it. */
export function needsOf(phase: AnyPhase<never>): readonly Read[] {
  return [...Object.values(readsOf(phase)), ...Object.values(phase.amends)];
}

/**
 * True if the engine itself can look at the artifact. It cannot look at states and families, nor at objects of a phase that chooses
 * its connection by itself: the live verify of the phase speaks for those.
 */
export function isObservable(phase: AnyPhase<never>, artifact: Artifact<unknown>, layout: Layout): boolean {
  const location = artifact.where(layout);
  const { kind } = location;
  return kind === 'file' || kind === 'directory' || (isInCluster(location) && phase.connect !== undefined);
}
