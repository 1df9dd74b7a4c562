import { type Artifact, artifactOf, isInCluster, type Read } from './artifact.ts';
import type { AnyPhase } from './phase.ts';
import type { Loaded, World } from './world.ts';

/**
 * Loads the artifacts of a declaration, by its keys. Those that `reachable` denies are taken as absent, and so is what may be absent, is
 * only observed, and cannot be read: whoever has no right to look can do without.
 */
export async function loadArtifacts<C>(
  entries: Readonly<Record<string, Read>>,
  phase: AnyPhase<C>,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean = () => true,
): Promise<Record<string, Loaded>> {
  const load = async (entry: Read): Promise<Loaded> => {
    const artifact = artifactOf(entry);
    if (!reachable(artifact)) return { state: 'absent' };
    const loaded = await world.load(artifact, phase.connect);
    const isDispensable =
      artifact.policy === 'observe' && world.mayBeAbsent(entry) && !isInCluster(world.locate(artifact));
    return loaded.state === 'unknown' && isDispensable ? { state: 'absent' } : loaded;
  };
  const pairs = await Promise.all(
    Object.entries(entries).map(async ([key, entry]) => [key, await load(entry)] as const),
  );
  return Object.fromEntries(pairs);
}

/** The values that are there; `undefined` for the rest. */
export function valuesOf(loaded: Readonly<Record<string, Loaded>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(loaded).map(([key, entry]) => [key, entry.state === 'present' ? entry.value : undefined]),
  );
}

/** True if the artifact is wanted only until another one is there, and that one is. */
export async function isNoLongerWanted<C>(
  artifact: Artifact<unknown>,
  phase: AnyPhase<C>,
  world: World,
): Promise<boolean> {
  return artifact.until !== undefined && (await world.load(artifact.until, phase.connect)).state === 'present';
}
