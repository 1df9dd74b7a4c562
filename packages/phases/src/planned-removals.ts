import type { Artifact } from './artifact.ts';
import { unavailability } from './capabilities.ts';
import type { OutputPlan } from './evaluation.ts';
import type { AnyPhase } from './phase.ts';
import { type Loaded, placeOf, type World } from './world.ts';

/** What of that which a phase removes is there to be removed, as rows of its plan. */
export async function plannedRemovals<C>(
  phase: AnyPhase<C>,
  world: World,
  reachable: (artifact: Artifact<unknown>) => boolean,
): Promise<readonly OutputPlan[]> {
  const rows: OutputPlan[] = [];
  for (const artifact of phase.removes.filter(reachable)) {
    const existing = await toRemove(artifact, phase, world, rows);
    if (existing === undefined) continue;
    rows.push({ key: artifact.id, artifact, location: placeOf(world, artifact), action: 'removed', existing });
  }
  return rows;
}

/** Contents do not matter, and those of secrets are not even read. What cannot be looked at is tried, so that its removal says why. */
async function toRemove<C>(
  artifact: Artifact<unknown>,
  phase: AnyPhase<C>,
  world: World,
  before: readonly OutputPlan[],
): Promise<Loaded | undefined> {
  const location = world.locate(artifact);
  const present: Loaded = { state: 'present', value: undefined };
  try {
    switch (location.kind) {
      case 'file':
        return (await isThere(world, location.path)) ? present : undefined;
      case 'directory':
        return (await hasToGo(artifact, location.path, world, before)) ? present : undefined;
      default: {
        const loaded = await world.load(artifact, phase.connect);
        return loaded.state === 'present' || loaded.state === 'malformed' ? loaded : undefined;
      }
    }
  } catch (thrown) {
    return { state: 'unknown', reason: unavailability(thrown) };
  }
}

async function isThere(world: World, path: string): Promise<boolean> {
  return (await world.ports.host.files.status(path, { followLinks: false })) !== undefined;
}

/** A directory is emptied if something is in it; it goes itself if all that is in it goes before. */
async function hasToGo(
  artifact: Artifact<unknown>,
  path: string,
  world: World,
  before: readonly OutputPlan[],
): Promise<boolean> {
  const { files } = world.ports.host;
  if (artifact.emptied === true) return ((await files.list(path)) ?? []).length > 0;
  const status = await files.status(path, { followLinks: false });
  if (status?.kind !== 'directory') return false;
  const going = new Set(before.map(({ location }) => location));
  return ((await files.list(path)) ?? []).every((name) => going.has(`${path}/${name}`));
}
