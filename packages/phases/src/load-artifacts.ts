import { type Artifact, artifactOf, type Read } from './artifact.ts';
import type { AnyPhase } from './phase.ts';
import type { Loaded, World } from './world.ts';

/** Loads the artifacts of a declaration, by its keys. Those that `reachable` denies are taken as absent. */
export async function loadArtifacts<C>(
  entries: Readonly<Record<string, Read>>,
  phase: AnyPhase<C>,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean = () => true,
): Promise<Record<string, Loaded>> {
  const load = async (artifact: Artifact<unknown>): Promise<Loaded> =>
    reachable(artifact) ? world.load(artifact, phase.connect) : { state: 'absent' };
  const pairs = await Promise.all(
    Object.entries(entries).map(async ([key, entry]) => [key, await load(artifactOf(entry))] as const),
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
